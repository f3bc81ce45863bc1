import { createHash } from "node:crypto";
import { PDFArray, type PDFContext, PDFDict, PDFName, type PDFObject, PDFRawStream, PDFRef, PDFStream } from "pdf-lib";

/**
 * Makes equal resources one: chunks of a part, and parts of a book, each bring the same fonts, pictures and profiles along.
 * Only what is never told apart by identity is merged: streams, fonts, graphics states and plain lists.
 */
export function shareEqualObjects(context: PDFContext): void {
  const candidates = context.enumerateIndirectObjects().filter(([, object]) => isShareable(object));
  const contents = new Map<PDFRef, string>();
  const merged = new Map<PDFRef, PDFRef>();
  // Each round merges what became equal by the last one: font programs, then descriptors, then fonts, then resources.
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const first = new Map<string, PDFRef>();
    let found = 0;
    for (const [ref, object] of candidates) {
      if (merged.has(ref)) continue;
      const key = keyOf(ref, object, contents, merged);
      const same = first.get(key);
      if (same === undefined) first.set(key, ref);
      else {
        merged.set(ref, same);
        found += 1;
      }
    }
    if (found === 0) break;
  }
  if (merged.size === 0) return;
  for (const [, object] of context.enumerateIndirectObjects()) redirect(object, merged);
}

const ROUNDS_MAX = 8;
const TYPES = new Set(["Font", "FontDescriptor", "ExtGState", "Encoding", "Pattern", "XObject"]);
/** What has one of these is a page, an annotation, an outline entry or a layer. */
const OWN_IDENTITY = ["Parent", "Rect", "Title", "Kids", "Dest", "Prev", "Next", "OCGs"];

function isShareable(object: PDFObject): boolean {
  if (object instanceof PDFRawStream || object instanceof PDFArray) return true;
  if (!(object instanceof PDFDict)) return false;
  const type = object.get(PDFName.of("Type"));
  if (type instanceof PDFName) return TYPES.has(type.decodeText());
  return !OWN_IDENTITY.some((key) => object.has(PDFName.of(key)));
}

function keyOf(
  ref: PDFRef,
  object: PDFObject,
  contents: Map<PDFRef, string>,
  merged: ReadonlyMap<PDFRef, PDFRef>,
): string {
  if (!(object instanceof PDFRawStream)) return written(object, merged);
  let digest = contents.get(ref);
  if (digest === undefined) {
    digest = createHash("sha256").update(object.contents).digest("base64");
    contents.set(ref, digest);
  }
  return `${written(object.dict, merged)}${digest}`;
}

/** The object as it would be written, merged references replaced. */
function written(object: PDFObject, merged: ReadonlyMap<PDFRef, PDFRef>): string {
  if (object instanceof PDFRef) return (merged.get(object) ?? object).toString();
  if (object instanceof PDFArray)
    return `[${object
      .asArray()
      .map((item) => written(item, merged))
      .join(" ")}]`;
  if (!(object instanceof PDFDict)) return object.toString();
  const entries = object.entries().map(([key, value]) => `${key.toString()} ${written(value, merged)}`);
  return `<<${entries.join(" ")}>>`;
}

/** Direct values nest no deeper than the reader allowed. */
function redirect(object: PDFObject, merged: ReadonlyMap<PDFRef, PDFRef>): void {
  if (object instanceof PDFStream) redirect(object.dict, merged);
  else if (object instanceof PDFDict) {
    for (const [key, value] of object.entries()) {
      if (value instanceof PDFRef) object.set(key, merged.get(value) ?? value);
      else redirect(value, merged);
    }
  } else if (object instanceof PDFArray) {
    for (let index = 0; index < object.size(); index += 1) {
      const value = object.get(index);
      if (value instanceof PDFRef) object.set(index, merged.get(value) ?? value);
      else redirect(value, merged);
    }
  }
}
