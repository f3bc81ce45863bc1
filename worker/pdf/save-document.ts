import type { PDFDocument } from "pdf-lib";
import { sweepUnreachable } from "./sweep";

/** Returns the bytes of a document that holds only what its trailer leads to. The same document gives the same bytes. */
export async function saveDocument(document: PDFDocument): Promise<Uint8Array> {
  await document.flush();
  sweepUnreachable(document.context);
  return document.save({ addDefaultPage: false, useObjectStreams: false, updateFieldAppearances: false });
}
