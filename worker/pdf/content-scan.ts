import { endsWord, isSpace } from "./reader/characters";

/** How a content stream leaves the graphics state behind. */
export interface ContentBalance {
  /** Ranges of `Q` that restore nothing; viewers ignore them, so they are cut out. */
  readonly excess: readonly [number, number][];
  /** `q` without `Q`. */
  readonly open: number;
  /** `BMC` or `BDC` without `EMC`. */
  readonly marked: number;
  readonly inText: boolean;
  /** Where the content ends in mid-string or mid-picture, the offset where that begins; else its length. */
  readonly end: number;
}

/** Reads a content stream only as far as needed to tell what it leaves open (ISO 32000-2, 8.4.2). */
export function scanContent(bytes: Uint8Array): ContentBalance {
  const excess: [number, number][] = [];
  let open = 0;
  let marked = 0;
  let inText = false;
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    const past = passDelimited(bytes, at, byte);
    if (past === null) return { excess, open, marked, inText, end: at };
    if (past > at) {
      at = past;
      continue;
    }
    const start = at;
    while (at < bytes.length && !endsWord(bytes[at])) at += 1;
    const length = at - start;
    if (length === 1 && byte === 0x71) open += 1;
    else if (length === 1 && byte === 0x51) {
      if (open > 0) open -= 1;
      else excess.push([start, at]);
    } else if (length === 2 || length === 3) {
      const word = String.fromCharCode(byte, bytes[start + 1] ?? 0, length === 3 ? (bytes[start + 2] ?? 0) : 0x20);
      if (word === "BT ") inText = true;
      else if (word === "ET ") inText = false;
      else if (word === "BMC" || word === "BDC") marked += 1;
      else if (word === "EMC") marked = Math.max(0, marked - 1);
      else if (word === "ID ") {
        const end = pictureEnd(bytes, at);
        if (end === null) return { excess, open, marked, inText, end: start };
        at = end;
      }
    }
  }
  return { excess, open, marked, inText, end: bytes.length };
}

/** Position behind white space, a comment, a string or another delimiter at `at`; `at` itself where a word begins; null where a string does not end. */
function passDelimited(bytes: Uint8Array, at: number, byte: number): number | null {
  if (!endsWord(byte)) return at;
  if (byte === 0x25) {
    let end = at;
    while (end < bytes.length && bytes[end] !== 10 && bytes[end] !== 13) end += 1;
    return end;
  }
  if (byte === 0x28) return stringEnd(bytes, at);
  if (byte === 0x3c && bytes[at + 1] !== 0x3c) {
    const end = bytes.indexOf(0x3e, at);
    return end < 0 ? null : end + 1;
  }
  if (byte !== 0x2f) return at + 1;
  let end = at + 1;
  while (end < bytes.length && !endsWord(bytes[end])) end += 1;
  return end;
}

function stringEnd(bytes: Uint8Array, start: number): number | null {
  let open = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === 0x5c) at += 1;
    else if (byte === 0x28) open += 1;
    else if (byte === 0x29) {
      open -= 1;
      if (open === 0) return at + 1;
    }
  }
  return null;
}

/** Behind `EI` of an inline picture: between white space, and followed by what looks like operators rather than data. */
function pictureEnd(bytes: Uint8Array, from: number): number | null {
  for (let at = bytes.indexOf(0x45, from); at >= 0; at = bytes.indexOf(0x45, at + 1)) {
    if (bytes[at + 1] !== 0x49 || !isSpace(bytes[at - 1]) || !endsWord(bytes[at + 2])) continue;
    const next = bytes.subarray(at + 2, at + 12);
    if (next.every((byte) => byte < 0x80 && (byte >= 0x20 || isSpace(byte)))) return at + 2;
  }
  return null;
}
