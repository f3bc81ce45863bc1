import type { ReadingBudget } from "./budget";
import { isSpace } from "./characters";
import type { CrossReference } from "./cross-reference";
import { decodeStream } from "./filters";
import { indexOfWord, readIndirect } from "./indirect-object";
import { SyntaxReader } from "./object-syntax";
import { nameOf, type PdfDict, type PdfObject, PdfRef, PdfStream } from "./pdf-object";
import type { Place } from "./places";
import { SyntaxFault } from "./syntax-fault";

/**
 * Rebuilds the cross-reference of a broken file from the objects themselves, in file order: the last one of a number
 * counts, as in every viewer that repairs. Returns null where there is no catalog to begin from. Encrypted files are not
 * rebuilt when their objects are packed, since those cannot be listed before they are decrypted.
 */
export function recoverCrossReference(bytes: Uint8Array, budget: ReadingBudget): CrossReference | null {
  const places = new Map<number, Place>();
  const trailer: PdfDict = new Map();
  let catalog: PdfRef | null = null;
  for (const { offset, number, generation, value } of objectsOf(bytes, budget)) {
    places.set(number, { kind: "offset", offset, generation });
    if (value instanceof PdfStream) {
      const type = nameOf(value.dict.get("Type"));
      if (type === "XRef") mergeTrailer(trailer, value.dict);
      if (type === "ObjStm" && !trailer.has("Encrypt")) listPacked(value, number, places, budget);
    } else if (value instanceof Map && nameOf(value.get("Type")) === "Catalog")
      catalog = new PdfRef(number, generation);
  }
  for (const dict of trailersOf(bytes, budget)) mergeTrailer(trailer, dict);
  const root = trailer.get("Root");
  if (!(root instanceof PdfRef) || !places.has(root.number)) {
    if (catalog === null) return null;
    trailer.set("Root", catalog);
  }
  return { places, trailer, sections: 1 };
}

interface Found {
  readonly offset: number;
  readonly number: number;
  readonly generation: number;
  readonly value: PdfObject;
}

/** Objects in file order. What lies inside a stream that was read is passed over, so that embedded files stay out. */
function* objectsOf(bytes: Uint8Array, budget: ReadingBudget): Generator<Found> {
  let at = 0;
  for (;;) {
    const word = indexOfWord(bytes, "obj", at);
    if (word < 0) return;
    at = word + 3;
    const offset = headerBefore(bytes, word);
    if (offset === null) continue;
    try {
      const { number, generation, value, end } = readIndirect(bytes, offset, budget, () => null);
      yield { offset, number, generation, value };
      at = Math.max(at, end);
    } catch (error) {
      // An object that cannot be read does not exist; the search goes on behind its first word.
      if (!(error instanceof SyntaxFault)) throw error;
    }
  }
}

/** Offset of `n g ` in front of the word `obj` at `word`, or null. */
function headerBefore(bytes: Uint8Array, word: number): number | null {
  let at = word;
  for (let part = 0; part < 2; part += 1) {
    const blank = at;
    while (at > 0 && isSpace(bytes[at - 1])) at -= 1;
    if (at === blank && part === 1) return null;
    const digits = at;
    while (at > 0 && digits - at < 10 && isDigit(bytes[at - 1])) at -= 1;
    if (at === digits) return null;
  }
  return at;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function* trailersOf(bytes: Uint8Array, budget: ReadingBudget): Generator<PdfDict> {
  for (let at = indexOfWord(bytes, "trailer", 0); at >= 0; at = indexOfWord(bytes, "trailer", at + 7)) {
    try {
      const value = new SyntaxReader(bytes, at + 7, budget).readValue();
      if (value instanceof Map) yield value;
    } catch (error) {
      if (!(error instanceof SyntaxFault)) throw error;
    }
  }
}

/** Later trailers overrule earlier ones. */
function mergeTrailer(into: PdfDict, from: PdfDict): void {
  for (const key of ["Root", "Info", "ID", "Encrypt"]) {
    const value = from.get(key);
    if (value !== undefined) into.set(key, value);
  }
}

function listPacked(stream: PdfStream, number: number, places: Map<number, Place>, budget: ReadingBudget): void {
  const { bytes } = decodeStream(stream, (value) => value ?? null, budget);
  const reader = new SyntaxReader(bytes, 0, budget);
  const count = stream.dict.get("N");
  if (typeof count !== "number") return;
  for (let index = 0; index < count; index += 1) {
    const packed = reader.takeWhole();
    if (packed === null || reader.takeWhole() === null) return;
    places.set(packed, { kind: "packed", stream: number, index });
  }
}
