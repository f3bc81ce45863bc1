import { readIndirect } from "../reader/indirect-object";
import type { PdfFile } from "../reader/pdf-file";
import { type PdfObject, PdfRef, PdfStream } from "../reader/pdf-object";
import { SyntaxFault } from "../reader/syntax-fault";

/**
 * Holds every object against the cross-reference: it stands where the table says, its stream is as long as it says and
 * inflates to its last byte, every reference leads to an object, and every object is led to.
 */
export function findObjectFaults(file: PdfFile, onProgress: () => void): Set<string> {
  const faults = new Set<string>();
  const wanted = new Set<number>();
  const present = new Set<number>();
  note(file.trailer, wanted);
  for (const [number, place] of file.crossReference.places) {
    if (place.kind === "free") continue;
    present.add(number);
    onProgress();
    const value = place.kind === "packed" ? file.read(new PdfRef(number, 0)) : readAt(file, number, place, faults);
    if (value instanceof PdfStream) {
      if (place.kind === "packed") faults.add("packed_stream");
      checkStream(file, value, faults);
    }
    note(value, wanted);
  }
  for (const number of wanted) if (!present.has(number)) faults.add("dangling_reference");
  for (const number of present) if (!wanted.has(number) && !isContainer(file, number)) faults.add("unreachable_object");
  return faults;
}

function readAt(
  file: PdfFile,
  number: number,
  place: { readonly offset: number; readonly generation: number },
  faults: Set<string>,
): PdfObject {
  try {
    const found = readIndirect(file.bytes, place.offset, file.budget, (ref) => {
      const length = file.resolve(ref);
      return typeof length === "number" ? length : null;
    });
    if (found.number !== number || found.generation !== place.generation) faults.add("object_misplaced");
    if (!found.exact) faults.add("stream_length");
    return found.value;
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    faults.add("object_unreadable");
    return null;
  }
}

function checkStream(file: PdfFile, stream: PdfStream, faults: Set<string>): void {
  const { bytes, codec, damaged, unused } = file.decode(stream);
  if (damaged || unused > 0) faults.add("stream_damaged");
  if (codec === "DCTDecode" && !isWholeJpeg(bytes)) faults.add("picture_damaged");
}

/** Begins with SOI and holds EOI; some writers leave padding behind it. */
function isWholeJpeg(bytes: Uint8Array): boolean {
  const tail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return bytes[0] === 0xff && bytes[1] === 0xd8 && tail.lastIndexOf(Buffer.from([0xff, 0xd9])) >= 0;
}

/** Notes every reference in a value. Values were parsed within a limit on nesting. */
function note(value: PdfObject, wanted: Set<number>): void {
  if (value instanceof PdfRef) wanted.add(value.number);
  else if (Array.isArray(value)) for (const item of value) note(item, wanted);
  else if (value instanceof PdfStream) note(value.dict, wanted);
  else if (value instanceof Map) for (const item of value.values()) note(item, wanted);
}

/** Object and cross-reference streams are part of the file's own structure: nothing refers to them. */
function isContainer(file: PdfFile, number: number): boolean {
  const value = file.read(new PdfRef(number, 0));
  const type = value instanceof PdfStream ? file.get(value.dict, "Type") : null;
  return type !== null && typeof type === "object" && "text" in type && ["ObjStm", "XRef"].includes(String(type.text));
}
