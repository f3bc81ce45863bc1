import { exhausted, type ReadingBudget } from "./budget";
import { readXrefStream } from "./cross-reference-stream";
import { SyntaxReader } from "./object-syntax";
import type { PdfDict } from "./pdf-object";
import { addPlace, type Place } from "./places";
import { SyntaxFault } from "./syntax-fault";

export interface CrossReference {
  readonly places: Map<number, Place>;
  readonly trailer: PdfDict;
  /** How many sections the chain has: more than one after incremental saves. */
  readonly sections: number;
}

/** Offset that the last `startxref` names, or null where there is none in the last 2 kB. */
export function findStartXref(bytes: Uint8Array): { readonly at: number; readonly offset: number } | null {
  const from = Math.max(0, bytes.length - 2048);
  const tail = Buffer.from(bytes.buffer, bytes.byteOffset + from, bytes.length - from).toString("latin1");
  const at = tail.lastIndexOf("startxref");
  const match = at < 0 ? null : /^startxref\s+(\d{1,15})/.exec(tail.slice(at));
  return match?.[1] === undefined ? null : { at: from + at, offset: Number(match[1]) };
}

/**
 * Reads the chain of cross-reference tables and streams from `start`, newest first; the first word on an object counts
 * (ISO 32000-2, 7.5.4-7.5.8, hybrid files included). Throws SyntaxFault where a section cannot be read; a chain that
 * loops ends there.
 */
export function readCrossReference(bytes: Uint8Array, start: number, budget: ReadingBudget): CrossReference {
  const places = new Map<number, Place>();
  const trailer: PdfDict = new Map();
  const seen = new Set<number>();
  const pending = [start];
  for (let offset = pending.shift(); offset !== undefined; offset = pending.shift()) {
    if (seen.has(offset)) continue;
    seen.add(offset);
    if (seen.size > budget.limits.sectionsMax) throw exhausted("cross-reference sections");
    const dict = readSection(bytes, offset, places, budget);
    for (const [key, value] of dict) if (!trailer.has(key)) trailer.set(key, value);
    const hybrid = dict.get("XRefStm");
    const previous = dict.get("Prev");
    if (typeof hybrid === "number") pending.push(hybrid);
    if (typeof previous === "number") pending.push(previous);
  }
  return { places, trailer, sections: seen.size };
}

function readSection(bytes: Uint8Array, offset: number, places: Map<number, Place>, budget: ReadingBudget): PdfDict {
  if (!Number.isInteger(offset) || offset < 0 || offset >= bytes.length) throw new SyntaxFault("outside the file", 0);
  const reader = new SyntaxReader(bytes, offset, budget);
  if (!reader.takeWord("xref")) return readXrefStream(bytes, offset, places, budget);
  readTable(reader, places, budget);
  const trailer = reader.takeWord("trailer") ? reader.readValue() : null;
  if (!(trailer instanceof Map)) throw new SyntaxFault("no trailer", reader.position);
  return trailer;
}

function readTable(reader: SyntaxReader, places: Map<number, Place>, budget: ReadingBudget): void {
  for (let first = reader.takeWhole(); first !== null; first = reader.takeWhole()) {
    const count = reader.takeWhole();
    if (count === null) throw new SyntaxFault("no count", reader.position);
    // The claimed count is no loop bound by itself: each round needs bytes, and ends with the bytes.
    for (let i = 0; i < count; i += 1) {
      budget.countValue();
      const offset = reader.takeWhole();
      const generation = reader.takeWhole();
      if (offset === null || generation === null) throw new SyntaxFault("cut short", reader.position);
      const used = reader.takeWord("n");
      if (!used && !reader.takeWord("f")) throw new SyntaxFault("neither n nor f", reader.position);
      addPlace(places, first + i, used ? { kind: "offset", offset, generation } : { kind: "free" });
    }
  }
}
