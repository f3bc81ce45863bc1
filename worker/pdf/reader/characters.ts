/** Bytes that mean something in PDF syntax. */
export const BYTE = {
  LF: 10,
  CR: 13,
  percent: 0x25,
  paren: 0x28,
  closeParen: 0x29,
  slash: 0x2f,
  zero: 0x30,
  seven: 0x37,
  nine: 0x39,
  less: 0x3c,
  greater: 0x3e,
  bracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  hash: 0x23,
} as const;

/** Character classes of ISO 32000-2, 7.2.3. */
const REGULAR = 0;
const SPACE = 1;
const DELIMITER = 2;
const CLASS = new Uint8Array(256);
for (const byte of [0, 9, 10, 12, 13, 32]) CLASS[byte] = SPACE;
for (const char of "()<>[]{}/%") CLASS[char.charCodeAt(0)] = DELIMITER;

/** True for white space, delimiters and the end of the data: where a word ends. */
export function endsWord(byte: number | undefined): boolean {
  return byte === undefined || CLASS[byte] !== REGULAR;
}

/** True for the six white-space bytes. */
export function isSpace(byte: number | undefined): boolean {
  return byte !== undefined && CLASS[byte] === SPACE;
}

/** Bytes from `from` to `to` as text, one character each. */
export function textBetween(bytes: Uint8Array, from: number, to: number): string {
  if (to - from > 64) return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("latin1");
  let text = "";
  for (let i = from; i < to; i += 1) text += String.fromCharCode(bytes[i] ?? 0);
  return text;
}
