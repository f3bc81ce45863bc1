import { PacketFailure } from "@/server/domain/failure";
import { NAME_MAPS } from "./copy-policy";
import { walkGraph } from "./graph-walk";
import { readJpeg } from "./jpeg-segments";
import { streamsOf } from "./page-contents";
import { exhausted } from "./reader/budget";
import { filtersOf } from "./reader/filters";
import { inflate } from "./reader/inflate";
import type { SourcePage } from "./reader/page-tree";
import type { PdfFile } from "./reader/pdf-file";
import { nameOf, numberOf, type PdfStream } from "./reader/pdf-object";

/**
 * Inflates every stream that the file leads to, within the budget, so that no later reader meets a bomb. What a page draws
 * must be whole: a page that ends early is `source_malformed`, never a page with something missing. [C110,C286]
 */
export function checkStreams(
  file: PdfFile,
  pages: readonly SourcePage[],
  pixelsMax: number,
  onProgress: () => void,
): void {
  let pictureBytes = 0;
  walkGraph(
    file,
    (key) => NAME_MAPS.has(key),
    (dict, stream) => {
      if (stream === null) return;
      onProgress();
      const subtype = nameOf(file.get(dict, "Subtype"));
      if (subtype === "Image") pictureBytes += checkPicture(file, stream, pixelsMax, pictureBytes);
      else if (file.decode(stream).damaged && subtype === "Form") throw damaged();
    },
  );
  pages.forEach((page, index) => {
    for (const { stream } of streamsOf(file, page.dict.get("Contents"))) {
      if (file.decode(stream).damaged) throw damaged(index + 1);
    }
  });
}

/** Returns how many bytes were inflated. Beyond the first gigabyte pictures are bounded by their sizes alone. */
function checkPicture(file: PdfFile, stream: PdfStream, pixelsMax: number, inflated: number): number {
  const width = numberOf(file.get(stream.dict, "Width")) ?? 0;
  const height = numberOf(file.get(stream.dict, "Height")) ?? 0;
  if (width * height > pixelsMax) throw new PacketFailure("source_dimensions");
  const filters = filtersOf(stream, file.resolve);
  if (filters.length !== 1 || filters[0]?.name !== "FlateDecode") {
    const { bytes, codec } = file.decode(stream);
    if (codec === "DCTDecode") checkJpegSize(bytes, pixelsMax);
    if (codec === "JPXDecode") checkJpxSize(bytes, pixelsMax);
    return 0;
  }
  if (inflated > PICTURE_BYTES_MAX) return 0;
  const step = inflate(stream.raw, width * height * SAMPLE_BYTES_MAX + SLACK_BYTES);
  if (step === "too large") throw exhausted("picture");
  if (step.damaged) throw damaged();
  return step.bytes.length;
}

/** The picture's own size, which decoders believe more than the dictionary. Other faults are left to the viewer. */
function checkJpegSize(bytes: Uint8Array, pixelsMax: number): void {
  try {
    readJpeg(bytes, pixelsMax);
  } catch (error) {
    if (!(error instanceof PacketFailure) || error.code === "source_dimensions") throw error;
  }
}

/** The SIZ marker of JPEG 2000 (ISO 15444-1, A.5.1) stands right behind the start of the codestream. */
function checkJpxSize(bytes: Uint8Array, pixelsMax: number): void {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(
    Buffer.from([0xff, 0x4f, 0xff, 0x51]),
  );
  if (at < 0 || at + 40 > bytes.length) return;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, 40);
  const width = view.getUint32(8) - view.getUint32(16);
  const height = view.getUint32(12) - view.getUint32(20);
  if (width * height > pixelsMax) throw new PacketFailure("source_dimensions");
}

function damaged(page?: number): PacketFailure {
  return new PacketFailure("source_malformed", { detail: "damaged stream", ...(page === undefined ? {} : { page }) });
}

/** Four channels of 16 bits. */
const SAMPLE_BYTES_MAX = 8;
const SLACK_BYTES = 1024 * 1024;
const PICTURE_BYTES_MAX = 1024 * 1024 * 1024;
