import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { WrappedKey } from "@/server/ports/encryption";

/** Plaintext bytes of every chunk but the last, which may be shorter, and is empty only where the object is. */
export const CHUNK_BYTES = 64 * 1024;
export const TAG_BYTES = 16;
export const SEALED_CHUNK_BYTES = CHUNK_BYTES + TAG_BYTES;
/** Magic 8, key id 16, wrapped data key 60, nonce prefix 7, zeros 5. */
export const HEADER_BYTES = 96;

const MAGIC = Buffer.from("BINDERY1", "latin1");
const KEY_ID_AT = 8;
const WRAPPED_AT = 24;
const PREFIX_AT = 84;
const PREFIX_BYTES = 7;
const HEADER_END = PREFIX_AT + PREFIX_BYTES;

/** What the header says: which key opens the object, and the part of every nonce that is its own. */
export interface SealedHeader extends WrappedKey {
  readonly noncePrefix: Uint8Array;
}

/** Returns the header of a new object, with a random nonce prefix. */
export function newHeader({ keyId, wrapped }: WrappedKey): { bytes: Uint8Array; header: SealedHeader } {
  const noncePrefix = randomBytes(PREFIX_BYTES);
  const bytes = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(bytes);
  bytes.write(keyId, KEY_ID_AT, "latin1");
  bytes.set(wrapped, WRAPPED_AT);
  bytes.set(noncePrefix, PREFIX_AT);
  return { bytes, header: { keyId, wrapped, noncePrefix } };
}

/** Returns what the first bytes of a file say, or null where they are no header of ours. */
export function parseHeader(bytes: Uint8Array): SealedHeader | null {
  const header = Buffer.from(bytes);
  if (header.length !== HEADER_BYTES || !header.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  if (header.subarray(HEADER_END).some((byte) => byte !== 0)) return null;
  const keyId = /^([a-z0-9]{1,16})\0*$/.exec(header.toString("latin1", KEY_ID_AT, WRAPPED_AT))?.[1];
  if (keyId === undefined) return null;
  return {
    keyId,
    wrapped: header.subarray(WRAPPED_AT, PREFIX_AT),
    noncePrefix: header.subarray(PREFIX_AT, HEADER_END),
  };
}

/** How an object of so many stored bytes is divided; null where no sealed object has that length. */
export function layoutOf(storedBytes: number): { readonly chunks: number; readonly plainBytes: number } | null {
  const body = storedBytes - HEADER_BYTES;
  if (body < TAG_BYTES) return null;
  const chunks = Math.ceil(body / SEALED_CHUNK_BYTES);
  const last = body - (chunks - 1) * SEALED_CHUNK_BYTES;
  const isWhole = last >= TAG_BYTES && (last > TAG_BYTES || chunks === 1);
  return isWhole ? { chunks, plainBytes: body - chunks * TAG_BYTES } : null;
}

/**
 * Seals chunk `index`. The nonce is prefix, index and whether it is the last (the STREAM construction of Hoang, Reyhanitabar, Rogaway and
 * Vizár, 2015): a chunk left out, moved, repeated or cut off at the end does not open.
 */
export function sealChunk(dataKey: Uint8Array, header: SealedHeader, place: ChunkPlace, plain: Uint8Array): Uint8Array {
  const cipher = createCipheriv("aes-256-gcm", dataKey, nonceOf(header, place));
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Opens a chunk; null where it does not authenticate at this place. */
export function openChunk(
  dataKey: Uint8Array,
  header: SealedHeader,
  place: ChunkPlace,
  sealed: Uint8Array,
): Uint8Array | null {
  if (sealed.length < TAG_BYTES) return null;
  const decipher = createDecipheriv("aes-256-gcm", dataKey, nonceOf(header, place));
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  const plain = decipher.update(sealed.subarray(0, sealed.length - TAG_BYTES));
  try {
    decipher.final();
    return plain;
  } catch {
    // Altered bytes are an answer here, not an accident.
    return null;
  }
}

export interface ChunkPlace {
  readonly index: number;
  readonly isLast: boolean;
}

function nonceOf({ noncePrefix }: SealedHeader, { index, isLast }: ChunkPlace): Uint8Array {
  const nonce = Buffer.alloc(12);
  nonce.set(noncePrefix);
  nonce.writeUInt32BE(index, PREFIX_BYTES);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}
