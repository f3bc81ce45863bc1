import { PacketFailure } from "@/server/domain/failure";

export type SourceType =
  | { readonly type: "application/pdf"; readonly headerAt: number }
  | { readonly type: "image/png" }
  | { readonly type: "image/jpeg" };

/**
 * Returns what the bytes are, whatever the file is called. Junk in front of a PDF header is allowed up to its first
 * 1,024 bytes. Throws `source_empty` for nothing at all and `source_unsupported_type` for everything else. [C97,C109]
 */
export function identifySource(bytes: Uint8Array): SourceType {
  if (bytes.length === 0) throw new PacketFailure("source_empty");
  if (startsWith(bytes, PNG)) return { type: "image/png" };
  if (startsWith(bytes, JPEG)) return { type: "image/jpeg" };
  const other = KNOWN_OTHERS.find(({ is }) => is(bytes));
  if (other !== undefined) throw new PacketFailure("source_unsupported_type", { detail: other.name });
  const headerAt = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEADER_WITHIN)).indexOf("%PDF-");
  if (headerAt >= 0) return { type: "application/pdf", headerAt };
  throw new PacketFailure("source_unsupported_type", { detail: "unknown" });
}

const HEADER_WITHIN = 1024 + 5;
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff];

/** Formats whose bytes could also hold `%PDF-` near the front; a file is what its first bytes say. */
const KNOWN_OTHERS: readonly { name: string; is: (bytes: Uint8Array) => boolean }[] = [
  { name: "heic or avif", is: (bytes) => text(bytes, 4, 8) === "ftyp" },
  { name: "webp", is: (bytes) => text(bytes, 0, 4) === "RIFF" && text(bytes, 8, 12) === "WEBP" },
  { name: "tiff", is: (bytes) => ["II*\0", "MM\0*", "II+\0", "MM\0+"].includes(text(bytes, 0, 4)) },
  { name: "gif", is: (bytes) => text(bytes, 0, 4) === "GIF8" },
  { name: "zip or office", is: (bytes) => ["PK\x03\x04", "PK\x05\x06", "PK\x07\x08"].includes(text(bytes, 0, 4)) },
  { name: "old office", is: (bytes) => startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]) },
  { name: "jpeg 2000", is: (bytes) => text(bytes, 4, 8) === "jP  " || startsWith(bytes, [0xff, 0x4f, 0xff, 0x51]) },
  {
    name: "svg, html or xml",
    is: (bytes) => /^(\ufeff|ï»¿)?\s*<(!doctype|html|svg|\?xml|head|body)/i.test(text(bytes, 0, 512)),
  },
  { name: "rich text", is: (bytes) => text(bytes, 0, 5) === "{\\rtf" },
  { name: "postscript", is: (bytes) => text(bytes, 0, 4) === "%!PS" },
  {
    name: "bitmap",
    is: (bytes) => text(bytes, 0, 2) === "BM" && bytes.length > 26 && text(bytes, 0, 64).indexOf("%PDF-") < 0,
  },
];

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

function text(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(
    "latin1",
    from,
    Math.min(to, bytes.length),
  );
}
