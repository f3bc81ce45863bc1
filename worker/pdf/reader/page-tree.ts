import { PacketFailure } from "@/server/domain/failure";
import { exhausted } from "./budget";
import type { PdfFile } from "./pdf-file";
import { nameOf, type PdfDict, type PdfObject, PdfRef } from "./pdf-object";

/** A page with what it inherits already in place (ISO 32000-2, 7.7.3.4). */
export interface SourcePage {
  /** Null where the page object is written inside `Kids` itself. */
  readonly ref: PdfRef | null;
  readonly dict: PdfDict;
  readonly inherited: PdfDict;
}

/**
 * Lists the pages in reading order without trusting `Count`. A page listed twice is two pages. Throws `source_malformed`
 * where the tree leads back into itself, and `source_too_many_pages` above `pagesMax`.
 */
export function readPages(file: PdfFile, pagesMax: number): SourcePage[] {
  const { pageTreeDepthMax, pageTreeEntriesMax } = file.budget.limits;
  const root = file.get(catalogOf(file), "Pages");
  if (!(root instanceof Map)) throw new PacketFailure("source_malformed", { detail: "no page tree" });
  const pages: SourcePage[] = [];
  const pending: Node[] = [{ value: root, ref: null, inherited: new Map(), above: [root] }];
  let entries = 0;
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    entries += 1;
    if (entries > pageTreeEntriesMax) throw exhausted("page tree entries");
    const kids = file.get(node.value, "Kids");
    if (!Array.isArray(kids) || nameOf(file.get(node.value, "Type")) === "Page") {
      if (node.value === root) throw new PacketFailure("source_malformed", { detail: "the page tree is a page" });
      pages.push({ ref: node.ref, dict: node.value, inherited: node.inherited });
      if (pages.length > pagesMax) throw new PacketFailure("source_too_many_pages");
      continue;
    }
    if (node.above.length > pageTreeDepthMax) throw exhausted("page tree depth");
    if (pending.length + kids.length > pageTreeEntriesMax) throw exhausted("page tree entries");
    for (const child of childrenOf(file, node, kids).reverse()) pending.push(child);
  }
  return pages;
}

/** The catalog; throws `source_malformed` where there is none. */
export function catalogOf(file: PdfFile): PdfDict {
  const catalog = file.get(file.trailer, "Root");
  if (!(catalog instanceof Map)) throw new PacketFailure("source_malformed", { detail: "no catalog" });
  return catalog;
}

interface Node {
  readonly value: PdfDict;
  readonly ref: PdfRef | null;
  readonly inherited: PdfDict;
  readonly above: readonly PdfDict[];
}

const INHERITABLE = ["Resources", "MediaBox", "CropBox", "Rotate"];

function childrenOf(file: PdfFile, node: Node, kids: readonly PdfObject[]): Node[] {
  const inherited = new Map(node.inherited);
  for (const key of INHERITABLE) {
    const value = node.value.get(key);
    if (value !== undefined) inherited.set(key, value);
  }
  const children: Node[] = [];
  for (const kid of kids) {
    const value = file.resolve(kid);
    if (!(value instanceof Map)) {
      // Whether the page that is missing here was one is for the second reader to say: the counts will differ.
      file.repaired = true;
      continue;
    }
    if (node.above.includes(value)) throw new PacketFailure("source_malformed", { detail: "page tree loop" });
    children.push({ value, ref: kid instanceof PdfRef ? kid : null, inherited, above: [...node.above, value] });
  }
  return children;
}
