import { readIndirect } from "../reader/indirect-object";
import { measureInflated } from "../reader/inflate";
import { isWholeJpeg } from "../reader/jpeg-end";
import { largePictureBytes } from "../reader/large-pictures";
import type { PdfFile } from "../reader/pdf-file";
import { type PdfObject, PdfRef, PdfStream } from "../reader/pdf-object";
import { SyntaxFault } from "../reader/syntax-fault";

/**
 * Holds every object against the cross-reference: it stands where the table says, its stream is as long as it says and
 * inflates to its last byte, every reference leads to an object, and every object is led to.
 */
export async function findObjectFaults(file: PdfFile, onProgress: () => void): Promise<Set<string>> {
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
      await checkStream(file, value, faults);
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

async function checkStream(file: PdfFile, stream: PdfStream, faults: Set<string>): Promise<void> {
  const size = largePictureBytes(file, stream);
  if (size !== null) {
    const measured = await measureInflated(stream.raw, size);
    if (measured === "too large" || !measured.isTidy) faults.add("stream_damaged");
    return;
  }
  const { bytes, codec, isTidy } = file.decode(stream);
  if (!isTidy) faults.add("stream_damaged");
  if (codec === "DCTDecode" && !isWholeJpeg(bytes)) faults.add("picture_damaged");
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
