import { exhausted, type ReadingBudget } from "./budget";
import { BYTE, endsWord, isSpace, textBetween } from "./characters";
import { type PdfDict, PdfName, type PdfObject, PdfRef, PdfString } from "./pdf-object";
import { readHexString, readLiteralString } from "./string-syntax";
import { SyntaxFault } from "./syntax-fault";

/** Reads values one after another. It neither follows references nor knows of streams. */
export class SyntaxReader {
  constructor(
    readonly bytes: Uint8Array,
    public position: number,
    private readonly budget: ReadingBudget,
  ) {}

  /** Skips white space and comments. */
  skipSpace(): void {
    const { bytes } = this;
    for (;;) {
      const byte = bytes[this.position];
      if (byte === undefined) return;
      if (byte === BYTE.percent) {
        while (this.position < bytes.length && bytes[this.position] !== BYTE.LF && bytes[this.position] !== BYTE.CR) {
          this.position += 1;
        }
      } else if (isSpace(byte)) this.position += 1;
      else return;
    }
  }

  /** Consumes `word` if it stands here, after white space, and is not the beginning of a longer word. */
  takeWord(word: string): boolean {
    this.skipSpace();
    for (let i = 0; i < word.length; i += 1) {
      if (this.bytes[this.position + i] !== word.charCodeAt(i)) return false;
    }
    if (!endsWord(this.bytes[this.position + word.length])) return false;
    this.position += word.length;
    return true;
  }

  /** Reads a non-negative whole number, or answers null and stays where it is. */
  takeWhole(): number | null {
    this.skipSpace();
    const start = this.position;
    let value = 0;
    while (this.position - start < 16) {
      const byte = this.bytes[this.position];
      if (byte === undefined || byte < BYTE.zero || byte > BYTE.nine) break;
      value = value * 10 + (byte - BYTE.zero);
      this.position += 1;
    }
    if (this.position > start && endsWord(this.bytes[this.position])) return value;
    this.position = start;
    return null;
  }

  /** Reads one value. A reference is recognised where two whole numbers are followed by `R`. Throws SyntaxFault. */
  readValue(depth = 0): PdfObject {
    this.budget.countValue();
    this.skipSpace();
    const byte = this.bytes[this.position];
    if (byte === undefined) throw this.fault("end of data");
    if (byte === BYTE.slash) return this.readName();
    if (byte === BYTE.less && this.bytes[this.position + 1] === BYTE.less) return this.readDict(depth);
    if (byte === BYTE.less || byte === BYTE.paren) return this.readString(byte);
    if (byte === BYTE.bracket) return this.readArray(depth);
    if (byte >= BYTE.zero && byte <= BYTE.nine) return this.readNumberOrRef();
    if (byte === 0x2b || byte === 0x2d || byte === 0x2e) return this.readNumber();
    return this.readKeyword();
  }

  private readNumberOrRef(): PdfObject {
    const first = this.takeWhole();
    if (first === null) return this.readNumber();
    const after = this.position;
    if (isSpace(this.bytes[after])) {
      const second = this.takeWhole();
      if (second !== null && this.takeWord("R")) return new PdfRef(first, second);
    }
    this.position = after;
    return first;
  }

  private readNumber(): number {
    const start = this.position;
    this.passWord();
    const text = textBetween(this.bytes, start, Math.min(this.position, start + 64));
    if (/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) return Number(text);
    // Doubled or trailing signs are written by known faulty producers; viewers take the digits before them.
    const loose = /^[+-]*(\d*\.?\d*)/.exec(text)?.[1] ?? "";
    if (!/[\d.]/.test(text)) throw this.fault("not a number", start);
    const value = Number(loose === "" || loose === "." ? "0" : loose);
    return text.startsWith("-") ? -value : value;
  }

  private readKeyword(): PdfObject {
    const start = this.position;
    this.passWord();
    const word = textBetween(this.bytes, start, Math.min(this.position, start + 8));
    if (word === "true") return true;
    if (word === "false") return false;
    if (word === "null") return null;
    this.position = start;
    throw this.fault("unexpected word", start);
  }

  private passWord(): void {
    while (!endsWord(this.bytes[this.position])) this.position += 1;
  }

  private readName(): PdfName {
    const start = this.position + 1;
    this.position = start;
    this.passWord();
    const text = textBetween(this.bytes, start, this.position);
    if (!text.includes("#")) return new PdfName(text);
    return new PdfName(text.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))));
  }

  private readString(first: number): PdfString {
    const read = first === BYTE.less ? readHexString : readLiteralString;
    const { bytes, end } = read(this.bytes, this.position);
    this.position = end;
    return new PdfString(bytes);
  }

  private readArray(depth: number): PdfObject[] {
    if (depth >= this.budget.limits.nestingMax) throw exhausted("nesting");
    this.position += 1;
    const items: PdfObject[] = [];
    for (this.skipSpace(); this.bytes[this.position] !== BYTE.closeBracket; this.skipSpace()) {
      items.push(this.readValue(depth + 1));
    }
    this.position += 1;
    return items;
  }

  private readDict(depth: number): PdfDict {
    if (depth >= this.budget.limits.nestingMax) throw exhausted("nesting");
    this.position += 2;
    const dict: PdfDict = new Map();
    for (;;) {
      this.skipSpace();
      const byte = this.bytes[this.position];
      if (byte === BYTE.greater && this.bytes[this.position + 1] === BYTE.greater) break;
      if (byte !== BYTE.slash) throw this.fault("a key must be a name");
      const key = this.readName().text;
      dict.set(key, this.readValue(depth + 1));
    }
    this.position += 2;
    return dict;
  }

  private fault(reason: string, offset = this.position): SyntaxFault {
    return new SyntaxFault(reason, offset);
  }
}
