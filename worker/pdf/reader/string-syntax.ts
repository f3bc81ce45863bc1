import { BYTE, textBetween } from "./characters";
import { SyntaxFault } from "./syntax-fault";

export interface ReadString {
  readonly bytes: Uint8Array;
  readonly end: number;
}

/** Reads `<…>` at `start` (ISO 32000-2, 7.3.4.3). */
export function readHexString(bytes: Uint8Array, start: number): ReadString {
  const end = bytes.indexOf(BYTE.greater, start);
  if (end < 0) throw new SyntaxFault("unclosed string", start);
  const digits = textBetween(bytes, start + 1, end).replace(/[\0\t\n\f\r ]/g, "");
  if (/[^0-9a-fA-F]/.test(digits)) throw new SyntaxFault("not hexadecimal", start);
  return { bytes: Buffer.from(digits.length % 2 === 1 ? `${digits}0` : digits, "hex"), end: end + 1 };
}

/** Reads `(…)` at `start` (ISO 32000-2, 7.3.4.2). */
export function readLiteralString(bytes: Uint8Array, start: number): ReadString {
  const out: number[] = [];
  let open = 1;
  let at = start + 1;
  for (;;) {
    const byte = bytes[at];
    if (byte === undefined) throw new SyntaxFault("unclosed string", start);
    at += 1;
    if (byte === BYTE.backslash) {
      at = readEscape(bytes, at, out);
      continue;
    }
    if (byte === BYTE.paren) open += 1;
    else if (byte === BYTE.closeParen) {
      open -= 1;
      if (open === 0) return { bytes: Uint8Array.from(out), end: at };
    }
    // A line end of any kind inside a string is one LF.
    if (byte === BYTE.CR) {
      out.push(BYTE.LF);
      if (bytes[at] === BYTE.LF) at += 1;
    } else out.push(byte);
  }
}

/** Reads what follows a backslash and returns where it ends. */
function readEscape(bytes: Uint8Array, at: number, out: number[]): number {
  const byte = bytes[at];
  if (byte === undefined) throw new SyntaxFault("unclosed string", at);
  if (byte === BYTE.CR) return bytes[at + 1] === BYTE.LF ? at + 2 : at + 1;
  if (byte === BYTE.LF) return at + 1;
  if (byte < BYTE.zero || byte > BYTE.seven) {
    out.push(ESCAPES.get(byte) ?? byte);
    return at + 1;
  }
  let value = 0;
  let taken = 0;
  for (; taken < 3; taken += 1) {
    const digit = bytes[at + taken];
    if (digit === undefined || digit < BYTE.zero || digit > BYTE.seven) break;
    value = value * 8 + (digit - BYTE.zero);
  }
  out.push(value & 0xff);
  return at + taken;
}

const ESCAPES = new Map<number, number>([
  [0x6e, BYTE.LF],
  [0x72, BYTE.CR],
  [0x74, 9],
  [0x62, 8],
  [0x66, 12],
]);
