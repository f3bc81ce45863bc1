import { exhausted, type ReadingBudget } from "./budget";
import { type PdfDict, PdfName, type PdfObject, PdfRef, PdfString } from "./pdf-object";

/** The bytes are not what the syntax of ISO 32000-2, 7.2 and 7.3 allows at `offset`. */
export class SyntaxFault extends Error {
  override readonly name = "SyntaxFault";
  constructor(
    readonly reason: string,
    readonly offset: number,
  ) {
    super(reason);
  }
}

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
      if (byte === PERCENT) {
        while (this.position < bytes.length && bytes[this.position] !== LF && bytes[this.position] !== CR) {
          this.position += 1;
        }
      } else if (CLASS[byte] === SPACE) this.position += 1;
      else return;
    }
  }

  /** Consumes `word` if it stands here, after white space, and is not the beginning of a longer word. */
  takeWord(word: string): boolean {
    this.skipSpace();
    for (let i = 0; i < word.length; i += 1) {
      if (this.bytes[this.position + i] !== word.charCodeAt(i)) return false;
    }
    const next = this.bytes[this.position + word.length];
    if (next !== undefined && CLASS[next] === REGULAR) return false;
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
      if (byte === undefined || byte < ZERO || byte > NINE) break;
      value = value * 10 + (byte - ZERO);
      this.position += 1;
    }
    const next = this.bytes[this.position];
    const ended = next === undefined || CLASS[next] !== REGULAR;
    if (this.position === start || !ended) {
      this.position = start;
      return null;
    }
    return value;
  }

  /** Reads one value. A reference is recognised where two whole numbers are followed by `R`. */
  readValue(depth = 0): PdfObject {
    this.budget.countValue();
    this.skipSpace();
    const byte = this.bytes[this.position];
    if (byte === undefined) throw this.fault("end of data");
    if (byte === SLASH) return this.readName();
    if (byte === LESS) {
      if (this.bytes[this.position + 1] === LESS) return this.readDict(depth);
      return this.readHexString();
    }
    if (byte === PAREN) return this.readLiteralString();
    if (byte === BRACKET) return this.readArray(depth);
    if (byte >= ZERO && byte <= NINE) return this.readNumberOrRef();
    if (byte === 0x2b || byte === 0x2d || byte === 0x2e) return this.readNumber();
    return this.readKeyword();
  }

  private readNumberOrRef(): PdfObject {
    const first = this.takeWhole();
    if (first === null) return this.readNumber();
    const after = this.position;
    const next = this.bytes[after];
    if (next !== undefined && CLASS[next] === SPACE) {
      const second = this.takeWhole();
      if (second !== null && this.takeWord("R")) return new PdfRef(first, second);
    }
    this.position = after;
    return first;
  }

  private readNumber(): number {
    const start = this.position;
    while (CLASS[this.bytes[this.position] ?? 0] === REGULAR) this.position += 1;
    const text = asText(this.bytes, start, Math.min(this.position, start + 64));
    if (/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) return Number(text);
    // Doubled or trailing signs are written by known faulty producers; viewers take the digits before them.
    const loose = /^[+-]*(\d*\.?\d*)/.exec(text);
    if (loose?.[1] !== undefined && /[\d.]/.test(text)) {
      const value = Number(loose[1] === "" || loose[1] === "." ? "0" : loose[1]);
      return text.startsWith("-") ? -value : value;
    }
    throw this.fault("not a number", start);
  }

  private readKeyword(): PdfObject {
    const start = this.position;
    while (CLASS[this.bytes[this.position] ?? 0] === REGULAR) this.position += 1;
    const word = asText(this.bytes, start, Math.min(this.position, start + 8));
    if (word === "true") return true;
    if (word === "false") return false;
    if (word === "null") return null;
    this.position = start;
    throw this.fault("unexpected word", start);
  }

  private readName(): PdfName {
    const start = this.position + 1;
    this.position = start;
    let escaped = false;
    for (;;) {
      const byte = this.bytes[this.position];
      if (byte === undefined || CLASS[byte] !== REGULAR) break;
      if (byte === HASH) escaped = true;
      this.position += 1;
    }
    const text = asText(this.bytes, start, this.position);
    if (!escaped) return new PdfName(text);
    return new PdfName(text.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))));
  }

  private readArray(depth: number): PdfObject[] {
    if (depth >= this.budget.limits.nestingMax) throw exhausted("nesting");
    this.position += 1;
    const items: PdfObject[] = [];
    for (;;) {
      this.skipSpace();
      if (this.bytes[this.position] === CLOSE_BRACKET) break;
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
      if (byte === GREATER && this.bytes[this.position + 1] === GREATER) break;
      if (byte !== SLASH) throw this.fault("a key must be a name");
      const key = this.readName().text;
      dict.set(key, this.readValue(depth + 1));
    }
    this.position += 2;
    return dict;
  }

  private readHexString(): PdfString {
    const end = this.bytes.indexOf(GREATER, this.position);
    if (end < 0) throw this.fault("unclosed string");
    const digits = asText(this.bytes, this.position + 1, end).replace(/[\0\t\n\f\r ]/g, "");
    if (/[^0-9a-fA-F]/.test(digits)) throw this.fault("not hexadecimal");
    this.position = end + 1;
    return new PdfString(Buffer.from(digits.length % 2 === 1 ? `${digits}0` : digits, "hex"));
  }

  private readLiteralString(): PdfString {
    const { bytes } = this;
    const out: number[] = [];
    let open = 1;
    let at = this.position + 1;
    for (;;) {
      const byte = bytes[at];
      if (byte === undefined) throw this.fault("unclosed string");
      at += 1;
      if (byte === BACKSLASH) {
        at = this.readEscape(at, out);
        continue;
      }
      if (byte === PAREN) open += 1;
      else if (byte === CLOSE_PAREN) {
        open -= 1;
        if (open === 0) break;
      }
      // A line end of any kind inside a string is one LF (ISO 32000-2, 7.3.4.2).
      if (byte === CR) {
        out.push(LF);
        if (bytes[at] === LF) at += 1;
      } else out.push(byte);
    }
    this.position = at;
    return new PdfString(Uint8Array.from(out));
  }

  private readEscape(at: number, out: number[]): number {
    const byte = this.bytes[at];
    if (byte === undefined) throw this.fault("unclosed string");
    if (byte === CR) return this.bytes[at + 1] === LF ? at + 2 : at + 1;
    if (byte === LF) return at + 1;
    if (byte >= ZERO && byte <= 0x37) {
      let value = 0;
      let taken = 0;
      for (; taken < 3; taken += 1) {
        const digit = this.bytes[at + taken];
        if (digit === undefined || digit < ZERO || digit > 0x37) break;
        value = value * 8 + (digit - ZERO);
      }
      out.push(value & 0xff);
      return at + taken;
    }
    out.push(ESCAPES.get(byte) ?? byte);
    return at + 1;
  }

  private fault(reason: string, offset = this.position): SyntaxFault {
    return new SyntaxFault(reason, offset);
  }
}

const LF = 10;
const CR = 13;
const PERCENT = 0x25;
const PAREN = 0x28;
const CLOSE_PAREN = 0x29;
const SLASH = 0x2f;
const ZERO = 0x30;
const NINE = 0x39;
const LESS = 0x3c;
const GREATER = 0x3e;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const HASH = 0x23;

const ESCAPES = new Map([
  [0x6e, LF],
  [0x72, CR],
  [0x74, 9],
  [0x62, 8],
  [0x66, 12],
]);

/** Character classes of ISO 32000-2, 7.2.3. */
const REGULAR = 0;
const SPACE = 1;
const DELIMITER = 2;
const CLASS = new Uint8Array(256);
for (const byte of [0, 9, 10, 12, 13, 32]) CLASS[byte] = SPACE;
for (const char of "()<>[]{}/%") CLASS[char.charCodeAt(0)] = DELIMITER;

/** True for white space and delimiters: where a word ends. */
export function endsWord(byte: number | undefined): boolean {
  return byte === undefined || CLASS[byte] !== REGULAR;
}

/** True for the six white-space bytes. */
export function isSpace(byte: number | undefined): boolean {
  return byte !== undefined && CLASS[byte] === SPACE;
}

function asText(bytes: Uint8Array, from: number, to: number): string {
  let text = "";
  if (to - from > 64) return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("latin1");
  for (let i = from; i < to; i += 1) text += String.fromCharCode(bytes[i] ?? 0);
  return text;
}
