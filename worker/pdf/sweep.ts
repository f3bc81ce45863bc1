import { PDFArray, type PDFContext, PDFDict, type PDFObject, PDFRef, PDFStream } from "pdf-lib";

/** Deletes every object that cannot be reached from the trailer: nothing that was left out may remain in the bytes. */
export function sweepUnreachable(context: PDFContext): void {
  const reached = new Set<PDFRef>();
  const pending: PDFObject[] = [context.trailerInfo.Root, context.trailerInfo.Info].flatMap((item) => item ?? []);
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (value instanceof PDFRef) {
      if (reached.has(value)) continue;
      reached.add(value);
      const object = context.lookup(value);
      if (object !== undefined) pending.push(object);
    } else if (value instanceof PDFStream) pending.push(value.dict);
    else if (value instanceof PDFDict) for (const [, inner] of value.entries()) pending.push(inner);
    else if (value instanceof PDFArray) for (const inner of value.asArray()) pending.push(inner);
  }
  for (const [ref] of context.enumerateIndirectObjects()) if (!reached.has(ref)) context.delete(ref);
}
