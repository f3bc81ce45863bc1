import { filtersOf } from "./filters";
import type { PdfFile } from "./pdf-file";
import { nameOf, numberOf, type PdfStream } from "./pdf-object";

/**
 * Returns the most bytes that a picture under Flate alone can have by its size, where that is too much to hold in memory;
 * else null.
 */
export function largePictureBytes(file: PdfFile, stream: PdfStream): number | null {
  if (nameOf(file.get(stream.dict, "Subtype")) !== "Image") return null;
  const filters = filtersOf(stream, file.resolve);
  if (filters.length !== 1 || filters[0]?.name !== "FlateDecode") return null;
  const bytes = pictureBytesMax(file, stream);
  return bytes > HELD_BYTES_MAX ? bytes : null;
}

/** Four channels of 16 bits for each pixel, and some slack for predictors and careless writers. */
export function pictureBytesMax(file: PdfFile, stream: PdfStream): number {
  const width = numberOf(file.get(stream.dict, "Width")) ?? 0;
  const height = numberOf(file.get(stream.dict, "Height")) ?? 0;
  return Math.max(0, width * height) * 8 + 1024 * 1024;
}

const HELD_BYTES_MAX = 32 * 1024 * 1024;
