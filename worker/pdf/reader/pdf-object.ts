/** A name, with its `#xx` escapes decoded: policy looks at what a viewer would see (ISO 32000-2, 7.3.5). */
export class PdfName {
  constructor(readonly text: string) {}
}

/** A string as bytes; whether it was written in hexadecimal is of no interest. */
export class PdfString {
  constructor(readonly bytes: Uint8Array) {}
}

export class PdfRef {
  constructor(
    readonly number: number,
    readonly generation: number,
  ) {}
}

export type PdfDict = Map<string, PdfObject>;

/** A stream with its bytes as they stand in the file (decrypted where the file was), filters still applied. */
export class PdfStream {
  constructor(
    readonly dict: PdfDict,
    readonly raw: Uint8Array,
  ) {}
}

export type PdfObject = null | boolean | number | PdfName | PdfString | PdfRef | PdfObject[] | PdfDict | PdfStream;

/** Returns the text of a name, else null. */
export function nameOf(value: PdfObject | undefined): string | null {
  return value instanceof PdfName ? value.text : null;
}

/** Returns a finite number, else null. */
export function numberOf(value: PdfObject | undefined): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** Bytes as text, one character for each byte. */
export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

/** Text of a text string: UTF-16 or UTF-8 by its mark, else PDFDocEncoding (ISO 32000-2, 7.9.2 and annex D.3). */
export function textOf(value: PdfObject | undefined): string | null {
  if (!(value instanceof PdfString)) return null;
  const { bytes } = value;
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return new TextDecoder().decode(bytes);
  return Array.from(latin1(bytes), (char) => DOC_ENCODING.get(char) ?? char).join("");
}

const DOC_ENCODING = new Map<string, string>([
  ...[..."˘ˇˆ˙˝˛˚˜"].map((char, index): [string, string] => [String.fromCharCode(0x18 + index), char]),
  ...[..."•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž"].map((char, index): [string, string] => [
    String.fromCharCode(0x80 + index),
    char,
  ]),
  ["\u00a0", "€"],
]);
