import { createCipheriv, createDecipheriv, createHash } from "node:crypto";
import type { PdfFile } from "./pdf-file";
import { numberOf, type PdfDict, PdfString } from "./pdf-object";
import { rc4 } from "./rc4";

/** Returns the file key where the empty user password is the right one, else null (ISO 32000-2, 7.6.4). */
export function fileKeyForEmptyPassword(file: PdfFile, dict: PdfDict): Uint8Array | null {
  const revision = numberOf(file.get(dict, "R")) ?? 0;
  const user = bytesOf(file, dict, "U");
  const owner = bytesOf(file, dict, "O");
  if (user === null || owner === null) return null;
  if (revision === 5 || revision === 6) return keyOfRevision6(file, dict, user, revision);
  return revision >= 2 && revision <= 4 ? keyOfRevision4(file, dict, { user, owner, revision }) : null;
}

interface Old {
  readonly user: Uint8Array;
  readonly owner: Uint8Array;
  readonly revision: number;
}

/** Algorithms 2, 4 and 5. */
function keyOfRevision4(file: PdfFile, dict: PdfDict, { user, owner, revision }: Old): Uint8Array | null {
  const permissions = (numberOf(file.get(dict, "P")) ?? 0) | 0;
  const identifiers = file.get(file.trailer, "ID");
  const first = Array.isArray(identifiers) ? file.resolve(identifiers[0]) : null;
  const identifier = first instanceof PdfString ? first.bytes : new Uint8Array(0);
  const bits = numberOf(file.get(dict, "Length")) ?? 40;
  const version = numberOf(file.get(dict, "V")) ?? 1;
  const length = revision === 2 || version === 1 ? 5 : Math.max(5, Math.min(16, version === 4 ? 16 : bits >> 3));
  const hash = createHash("md5").update(PADDING).update(owner.subarray(0, 32));
  hash.update(Uint8Array.of(permissions, permissions >> 8, permissions >> 16, permissions >> 24)).update(identifier);
  if (revision >= 4 && file.get(dict, "EncryptMetadata") === false) hash.update(Uint8Array.of(255, 255, 255, 255));
  let key: Uint8Array = hash.digest().subarray(0, length);
  if (revision >= 3) for (let i = 0; i < 50; i += 1) key = md5(key).subarray(0, length);
  if (revision === 2) return sameBytes(rc4(key, PADDING), user.subarray(0, 32)) ? key : null;
  let check: Uint8Array = createHash("md5").update(PADDING).update(identifier).digest();
  for (let i = 0; i < 20; i += 1)
    check = rc4(
      key.map((byte) => byte ^ i),
      check,
    );
  return sameBytes(check, user.subarray(0, 16)) ? key : null;
}

/** Algorithms 2.A and 2.B. */
function keyOfRevision6(file: PdfFile, dict: PdfDict, user: Uint8Array, revision: number): Uint8Array | null {
  const wrapped = bytesOf(file, dict, "UE");
  if (wrapped === null || wrapped.length < 32 || user.length < 48) return null;
  const hash = revision === 5 ? sha256 : hashOfRevision6;
  if (!sameBytes(hash(user.subarray(32, 40)), user.subarray(0, 32))) return null;
  const key = hash(user.subarray(40, 48));
  const decipher = createDecipheriv("aes-256-cbc", key, new Uint8Array(16)).setAutoPadding(false);
  return Buffer.concat([decipher.update(wrapped.subarray(0, 32)), decipher.final()]);
}

function hashOfRevision6(salt: Uint8Array): Uint8Array {
  let key = sha256(salt);
  for (let round = 0; ; round += 1) {
    const block = Buffer.concat(Array.from({ length: 64 }, () => key));
    const cipher = createCipheriv("aes-128-cbc", key.subarray(0, 16), key.subarray(16, 32)).setAutoPadding(false);
    const mixed = Buffer.concat([cipher.update(block), cipher.final()]);
    const rest = mixed.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = createHash(["sha256", "sha384", "sha512"][rest] ?? "sha256")
      .update(mixed)
      .digest();
    if (round >= 63 && (mixed[mixed.length - 1] ?? 0) <= round - 31) return key.subarray(0, 32);
    if (round > 1000) return key.subarray(0, 32);
  }
}

function bytesOf(file: PdfFile, dict: PdfDict, key: string): Uint8Array | null {
  const value = file.get(dict, key);
  return value instanceof PdfString ? value.bytes : null;
}

function md5(data: Uint8Array): Uint8Array {
  return createHash("md5").update(data).digest();
}

function sha256(data: Uint8Array): Uint8Array {
  return createHash("sha256").update(data).digest();
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0;
}

/** The string that stands for an empty password (algorithm 2, step a). */
const PADDING = Uint8Array.from(Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex"));
