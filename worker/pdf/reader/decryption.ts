import { createDecipheriv, createHash } from "node:crypto";
import { PacketFailure } from "@/server/domain/failure";
import { fileKeyForEmptyPassword } from "./file-key";
import type { PdfFile } from "./pdf-file";
import { nameOf, numberOf, type PdfDict, type PdfObject, PdfStream, PdfString } from "./pdf-object";
import { rc4 } from "./rc4";

export interface Decryption {
  /** Returns `value`, object `number`, with its strings and stream in the clear. */
  decrypt(value: PdfObject, number: number, generation: number): PdfObject;
}

/**
 * Opens the standard security handler (ISO 32000-2, 7.6) with the empty user password; null where the file is not
 * encrypted. Throws `source_encrypted` where a password, or another handler, is needed.
 */
export function openEncryption(file: PdfFile): Decryption | null {
  const reference = file.trailer.get("Encrypt");
  if (reference === undefined || reference === null) return null;
  const dict = file.resolve(reference);
  if (!(dict instanceof Map) || nameOf(file.get(dict, "Filter")) !== "Standard") throw needsPassword();
  const key = fileKeyForEmptyPassword(file, dict);
  if (key === null) throw needsPassword();
  const version = numberOf(file.get(dict, "V")) ?? 0;
  const strings = version >= 4 ? cipherOf(file, dict, "StrF") : "V2";
  const streams = version >= 4 ? cipherOf(file, dict, "StmF") : "V2";
  return {
    decrypt(value, number, generation) {
      const open = (cipher: Cipher, data: Uint8Array) => decipher(cipher, key, number, generation, data);
      return decryptValue(
        value,
        (data) => open(strings, data),
        (data, own) => {
          if (nameOf(own.get("Type")) === "XRef" || hasIdentityCrypt(own)) return data;
          return open(streams, data);
        },
      );
    },
  };
}

type Cipher = "Identity" | "V2" | "AESV2" | "AESV3";

function cipherOf(file: PdfFile, dict: PdfDict, key: string): Cipher {
  const name = nameOf(file.get(dict, key)) ?? "Identity";
  if (name === "Identity") return "Identity";
  const filters = file.get(dict, "CF");
  const filter = filters instanceof Map ? file.get(filters, name) : null;
  const method = filter instanceof Map ? nameOf(file.get(filter, "CFM")) : null;
  if (method === "V2" || method === "AESV2" || method === "AESV3") return method;
  if (method === null || method === "None") return "Identity";
  throw needsPassword();
}

function hasIdentityCrypt(dict: PdfDict): boolean {
  const filter = dict.get("Filter");
  return (Array.isArray(filter) ? filter : [filter]).some((entry) => nameOf(entry) === "Crypt");
}

function decipher(cipher: Cipher, key: Uint8Array, number: number, generation: number, data: Uint8Array): Uint8Array {
  if (cipher === "Identity") return data;
  if (cipher === "AESV3") return aes("aes-256-cbc", key, data);
  const hash = createHash("md5")
    .update(key)
    .update(Uint8Array.of(number, number >> 8, number >> 16, generation, generation >> 8));
  if (cipher === "AESV2") hash.update("sAlT", "latin1");
  const objectKey = hash.digest().subarray(0, Math.min(16, key.length + 5));
  return cipher === "AESV2" ? aes("aes-128-cbc", objectKey, data) : rc4(objectKey, data);
}

/** The first block is the initialisation vector, the last one holds the padding. */
function aes(algorithm: "aes-128-cbc" | "aes-256-cbc", key: Uint8Array, data: Uint8Array): Uint8Array {
  const blocks = data.length - (data.length % 16);
  if (blocks < 32) return new Uint8Array(0);
  const decipher = createDecipheriv(algorithm, key, data.subarray(0, 16)).setAutoPadding(false);
  const clear = Buffer.concat([decipher.update(data.subarray(16, blocks)), decipher.final()]);
  const padding = clear[clear.length - 1] ?? 0;
  return padding >= 1 && padding <= 16 ? clear.subarray(0, clear.length - padding) : clear;
}

/** Nesting was bounded when the value was parsed. */
function decryptValue(
  value: PdfObject,
  string: (data: Uint8Array) => Uint8Array,
  stream: (data: Uint8Array, dict: PdfDict) => Uint8Array,
): PdfObject {
  const each = (inner: PdfObject): PdfObject => decryptValue(inner, string, stream);
  if (value instanceof PdfString) return new PdfString(string(value.bytes));
  if (Array.isArray(value)) return value.map(each);
  if (value instanceof Map) {
    // The value of a signature is never encrypted (ISO 32000-2, 7.6.2).
    const signed = value.has("ByteRange");
    return new Map([...value].map(([key, inner]) => [key, signed && key === "Contents" ? inner : each(inner)]));
  }
  if (!(value instanceof PdfStream)) return value;
  const dict = new Map([...value.dict].map(([key, inner]) => [key, each(inner)]));
  return new PdfStream(dict, stream(value.raw, value.dict));
}

function needsPassword(): PacketFailure {
  return new PacketFailure("source_encrypted");
}
