import { SyntaxReader } from "./object-syntax";
import type { PdfFile } from "./pdf-file";
import { numberOf, type PdfObject, type PdfStream } from "./pdf-object";
import { SyntaxFault } from "./syntax-fault";

/** Reads the objects of an object stream by their numbers (ISO 32000-2, 7.5.7). What cannot be read is left out. */
export function readObjectStream(stream: PdfStream, file: PdfFile): Map<number, PdfObject> {
  const objects = new Map<number, PdfObject>();
  const first = numberOf(file.get(stream.dict, "First")) ?? 0;
  const count = numberOf(file.get(stream.dict, "N")) ?? 0;
  const { bytes, codec } = file.decode(stream);
  if (codec !== null) return objects;
  for (const [number, offset] of headerOf(bytes, count, first, file)) {
    if (objects.has(number)) continue;
    try {
      objects.set(number, new SyntaxReader(bytes, first + offset, file.budget).readValue());
    } catch (error) {
      if (!(error instanceof SyntaxFault)) throw error;
      file.repaired = true;
    }
  }
  return objects;
}

function headerOf(bytes: Uint8Array, count: number, first: number, file: PdfFile): [number, number][] {
  const header: [number, number][] = [];
  const reader = new SyntaxReader(bytes, 0, file.budget);
  // Each round consumes bytes in front of `First`, so a claimed count cannot prolong the loop.
  while (header.length < count && reader.position < first) {
    const number = reader.takeWhole();
    const offset = reader.takeWhole();
    if (number === null || offset === null) break;
    file.budget.countValue();
    header.push([number, offset]);
  }
  return header;
}
