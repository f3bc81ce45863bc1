import { type PDFArray, type PDFContext, PDFDict, PDFHexString, PDFName, PDFNumber, type PDFRef } from "pdf-lib";

export interface OutlineEntry {
  readonly title: string;
  /** An explicit destination, or null for a heading that leads nowhere. */
  readonly to: PDFArray | null;
  readonly isOpen: boolean;
  readonly children: readonly OutlineEntry[];
}

/** Writes an outline and returns its root (ISO 32000-2, 12.3.3). Entries nest as deep as sources were allowed to. */
export function writeOutline(context: PDFContext, entries: readonly OutlineEntry[]): PDFRef {
  const root = context.nextRef();
  const dict = PDFDict.withContext(context);
  dict.set(PDFName.of("Type"), PDFName.of("Outlines"));
  const visible = writeLevel(context, entries, root, dict);
  if (visible > 0) dict.set(PDFName.of("Count"), PDFNumber.of(visible));
  context.assign(root, dict);
  return root;
}

/** Returns how many entries are visible when the parent is open. */
function writeLevel(context: PDFContext, entries: readonly OutlineEntry[], parent: PDFRef, holder: PDFDict): number {
  const refs = entries.map(() => context.nextRef());
  let visible = 0;
  entries.forEach((entry, index) => {
    const ref = refs[index];
    if (ref === undefined) return;
    const dict = PDFDict.withContext(context);
    dict.set(PDFName.of("Title"), PDFHexString.fromText(entry.title));
    dict.set(PDFName.of("Parent"), parent);
    if (entry.to !== null) dict.set(PDFName.of("Dest"), entry.to);
    setIfPresent(dict, "Prev", refs[index - 1]);
    setIfPresent(dict, "Next", refs[index + 1]);
    visible += 1;
    if (entry.children.length > 0) {
      const below = writeLevel(context, entry.children, ref, dict);
      dict.set(PDFName.of("Count"), PDFNumber.of(entry.isOpen ? below : -below));
      if (entry.isOpen) visible += below;
    }
    context.assign(ref, dict);
  });
  setIfPresent(holder, "First", refs[0]);
  setIfPresent(holder, "Last", refs.at(-1));
  return visible;
}

function setIfPresent(dict: PDFDict, key: string, ref: PDFRef | undefined): void {
  if (ref !== undefined) dict.set(PDFName.of(key), ref);
}
