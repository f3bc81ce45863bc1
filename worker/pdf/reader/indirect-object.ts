import type { ReadingBudget } from "./budget";
import { isSpace } from "./characters";
import { SyntaxReader } from "./object-syntax";
import { latin1, type PdfDict, type PdfObject, PdfRef, PdfStream } from "./pdf-object";
import { SyntaxFault } from "./syntax-fault";

export interface IndirectObject {
  readonly number: number;
  readonly generation: number;
  readonly value: PdfObject;
  /** Where the next object may begin. */
  readonly end: number;
  /** True where a stream's `Length` is exact and `endstream` and `endobj` stand where they must. */
  readonly exact: boolean;
}

/**
 * Reads `n g obj … endobj` at `offset`. `lengthOf` resolves an indirect `Length` (null where it cannot). A wrong length is
 * mended by looking for `endstream`. Throws SyntaxFault where there is no object.
 */
export function readIndirect(
  bytes: Uint8Array,
  offset: number,
  budget: ReadingBudget,
  lengthOf: (ref: PdfRef) => number | null,
): IndirectObject {
  const reader = new SyntaxReader(bytes, offset, budget);
  const number = reader.takeWhole();
  const generation = number === null ? null : reader.takeWhole();
  if (number === null || generation === null || !reader.takeWord("obj")) throw new SyntaxFault("no object", offset);
  const value = reader.readValue();
  if (!(value instanceof Map)) return { number, generation, value, ...endOf(reader, true) };
  if (!reader.takeWord("stream")) return { number, generation, value, ...endOf(reader, true) };
  const { start, exact: startExact } = afterStreamWord(bytes, reader.position);
  const found = findEnd(bytes, start, value, lengthOf);
  reader.position = found.after;
  const stream = new PdfStream(value, bytes.subarray(start, found.end));
  return { number, generation, value: stream, ...endOf(reader, found.exact && startExact) };
}

function endOf(reader: SyntaxReader, exact: boolean): { end: number; exact: boolean } {
  const closed = reader.takeWord("endobj");
  return { end: reader.position, exact: exact && closed };
}

/** The word `stream` is followed by LF or CR LF; a lone CR or blanks are written by faulty producers. */
function afterStreamWord(bytes: Uint8Array, at: number): { start: number; exact: boolean } {
  if (bytes[at] === LF) return { start: at + 1, exact: true };
  if (bytes[at] === CR && bytes[at + 1] === LF) return { start: at + 2, exact: true };
  let start = at;
  while (bytes[start] === 0x20) start += 1;
  if (bytes[start] === CR && bytes[start + 1] === LF) return { start: start + 2, exact: false };
  if (bytes[start] === LF || bytes[start] === CR) return { start: start + 1, exact: false };
  return { start: at, exact: false };
}

function findEnd(
  bytes: Uint8Array,
  start: number,
  dict: PdfDict,
  lengthOf: (ref: PdfRef) => number | null,
): { end: number; after: number; exact: boolean } {
  const stated = dict.get("Length");
  const length = stated instanceof PdfRef ? lengthOf(stated) : stated;
  if (typeof length === "number" && Number.isInteger(length) && length >= 0 && start + length <= bytes.length) {
    const after = endstreamAt(bytes, start + length);
    if (after !== null) return { end: start + length, after, exact: true };
  }
  const at = indexOfWord(bytes, "endstream", start);
  const endobj = indexOfWord(bytes, "endobj", start);
  const word = at >= 0 && (endobj < 0 || at < endobj) ? at : endobj;
  if (word < 0) throw new SyntaxFault("unclosed stream", start);
  let end = word;
  if (bytes[end - 1] === LF) end -= 1;
  if (end > start && bytes[end - 1] === CR) end -= 1;
  return { end: Math.max(start, end), after: word === at ? word + "endstream".length : word, exact: false };
}

/** Position after `endstream` where at most one line end stands before it, else null. */
function endstreamAt(bytes: Uint8Array, at: number): number | null {
  let position = at;
  if (bytes[position] === CR) position += 1;
  if (bytes[position] === LF) position += 1;
  while (position - at < 4 && isSpace(bytes[position])) position += 1;
  return latin1(bytes.subarray(position, position + 9)) === "endstream" ? position + 9 : null;
}

/** First place of `word` from `from`, or -1. */
export function indexOfWord(bytes: Uint8Array, word: string, from: number): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(word, from, "latin1");
}

const LF = 10;
const CR = 13;
