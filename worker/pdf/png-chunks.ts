import { crc32 } from "node:zlib";
import { PacketFailure } from "@/server/domain/failure";
import { inflate } from "./reader/inflate";

/**
 * Returns a PNG without the chunks that do not change how it looks, after every length and checksum was held against the
 * bytes that are there. Throws `source_malformed`, before any decoder allocates what a chunk claims, and
 * `source_dimensions` above `pixelsMax`. [C110]
 */
export function checkedPng(bytes: Uint8Array, pixelsMax: number): Uint8Array {
  const kept: Uint8Array[] = [bytes.subarray(0, SIGNATURE_BYTES)];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let hasData = false;
  let hasHeader = false;
  for (let at = SIGNATURE_BYTES; ; ) {
    if (at + 12 > bytes.length) throw malformed("cut short");
    const length = view.getUint32(at);
    if (length > bytes.length - at - 12) throw malformed("a chunk claims more than there is");
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const body = bytes.subarray(at + 8, at + 8 + length);
    const chunk = bytes.subarray(at, at + 12 + length);
    if (KEPT.has(type) && crc32(bytes.subarray(at + 4, at + 8 + length)) !== view.getUint32(at + 8 + length)) {
      throw malformed("checksum");
    }
    if (!hasHeader) {
      if (type !== "IHDR" || length !== 13) throw malformed("no header");
      checkSize(view.getUint32(at + 8), view.getUint32(at + 12), pixelsMax);
      hasHeader = true;
    }
    if (KEPT.has(type) && (type !== "iCCP" || isModestProfile(body))) kept.push(chunk);
    if (type === "IDAT") hasData ||= length > 0;
    if (type === "IEND") break;
    at += 12 + length;
  }
  if (!hasData) throw malformed("no picture data");
  return Buffer.concat(kept);
}

function checkSize(width: number, height: number, pixelsMax: number): void {
  if (width === 0 || height === 0) throw malformed("no area");
  if (width * height > pixelsMax) throw new PacketFailure("source_dimensions");
}

/** Name, zero, method, then zlib data. */
function isModestProfile(body: Uint8Array): boolean {
  const zero = body.indexOf(0);
  if (zero < 0) return false;
  const profile = inflate(body.subarray(zero + 2), PROFILE_BYTES_MAX);
  return profile !== "too large" && !profile.damaged && profile.bytes.length >= 128;
}

function malformed(detail: string): PacketFailure {
  return new PacketFailure("source_malformed", { detail });
}

const SIGNATURE_BYTES = 8;
const PROFILE_BYTES_MAX = 4 * 1024 * 1024;
const KEPT = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND", "iCCP", "sRGB", "eXIf"]);

/** Returns the packed rows of a PNG that our own encoder wrote. */
export function pngSamples(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  for (let at = SIGNATURE_BYTES; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) {
    if (view.getUint32(at + 4) === IDAT) parts.push(bytes.subarray(at + 8, at + 8 + view.getUint32(at)));
  }
  return Buffer.concat(parts);
}

const IDAT = 0x49444154;
