import type { ReadingBudget } from "./budget";
import { decodeStream } from "./filters";
import { readIndirect } from "./indirect-object";
import { type PdfDict, type PdfObject, PdfStream } from "./pdf-object";
import { addPlace, type Place } from "./places";
import { SyntaxFault } from "./syntax-fault";

/** Reads a cross-reference stream (ISO 32000-2, 7.5.8) and returns its dictionary, which is its trailer. */
export function readXrefStream(
  bytes: Uint8Array,
  offset: number,
  places: Map<number, Place>,
  budget: ReadingBudget,
): PdfDict {
  const found = readIndirect(bytes, offset, budget, () => null);
  const stream = found.value;
  if (!(stream instanceof PdfStream)) throw new SyntaxFault("no cross-reference here", offset);
  addXrefStream(stream, places, budget);
  return stream.dict;
}

/** Adds the entries of a cross-reference stream that was already read. */
export function addXrefStream(stream: PdfStream, places: Map<number, Place>, budget: ReadingBudget): void {
  const decoded = decodeStream(stream, direct, budget);
  const widths = stream.dict.get("W");
  if (!Array.isArray(widths) || widths.length < 3 || decoded.codec !== null) throw new SyntaxFault("no widths", 0);
  const [kindWidth, secondWidth, thirdWidth] = widths.map((width) => wholeUpTo(width, 8));
  if (kindWidth === undefined || secondWidth === undefined || thirdWidth === undefined) return;
  const entryBytes = kindWidth + secondWidth + thirdWidth;
  if (entryBytes === 0) throw new SyntaxFault("no widths", 0);
  const field = new FieldReader(decoded.bytes);
  for (const [first, count] of sectionsOf(stream.dict)) {
    for (let i = 0; i < count && field.left >= entryBytes; i += 1) {
      budget.countValue();
      const kind = kindWidth === 0 ? 1 : field.take(kindWidth);
      const second = field.take(secondWidth);
      const third = field.take(thirdWidth);
      addPlace(places, first + i, placeOf(kind, second, third));
    }
  }
}

function placeOf(kind: number, second: number, third: number): Place {
  if (kind === 1) return { kind: "offset", offset: second, generation: third };
  return kind === 2 ? { kind: "packed", stream: second, index: third } : { kind: "free" };
}

function sectionsOf(dict: PdfDict): [number, number][] {
  const index = dict.get("Index");
  const size = dict.get("Size");
  const numbers = Array.isArray(index) ? index : [0, size ?? 0];
  const sections: [number, number][] = [];
  for (let i = 0; i + 1 < numbers.length; i += 2) {
    const first = numbers[i];
    const count = numbers[i + 1];
    if (typeof first === "number" && typeof count === "number") sections.push([first, count]);
  }
  return sections;
}

function wholeUpTo(value: PdfObject, max: number): number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? Math.min(value, max) : 0;
}

/** Everything a cross-reference stream needs must stand in its own dictionary. */
function direct(value: PdfObject | undefined): PdfObject {
  return value ?? null;
}

class FieldReader {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get left(): number {
    return this.bytes.length - this.at;
  }

  take(width: number): number {
    let value = 0;
    for (let i = 0; i < width; i += 1) value = value * 256 + (this.bytes[this.at + i] ?? 0);
    this.at += width;
    return value;
  }
}
