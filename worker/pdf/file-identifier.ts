import { createHash } from "node:crypto";
import { type PDFContext, PDFHexString } from "pdf-lib";

/** Reserves the room of the file identifier in a document that is about to be saved. */
export function reserveIdentifier(context: PDFContext): void {
  context.trailerInfo.ID = context.obj([PDFHexString.of(PLACEHOLDER), PDFHexString.of(PLACEHOLDER)]);
}

/**
 * Fills the identifier in place: a digest of the saved bytes and of `nonce`, so that equal input gives equal bytes and
 * nobody can work out the digest of a document without its revision.
 */
export function fillIdentifier(bytes: Uint8Array, nonce: string): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // The trailer stands last, whatever a source may hold.
  const second = buffer.lastIndexOf(PLACEHOLDER, undefined, "latin1");
  const first = second < 1 ? -1 : buffer.lastIndexOf(PLACEHOLDER, second - 1, "latin1");
  if (first < 0 || second - first > 128) throw new Error("The identifier has no place in the saved file.");
  const digest = createHash("sha256").update(nonce, "hex").update(bytes).digest("hex").slice(0, PLACEHOLDER.length);
  buffer.write(digest, first, "latin1");
  buffer.write(digest, second, "latin1");
}

const PLACEHOLDER = "b1d3e7c0ffee5ea15eed0ddba11f00d5";
