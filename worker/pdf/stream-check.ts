import { PacketFailure } from "@/server/domain/failure";
import { NAME_MAPS } from "./copy-policy";
import { walkGraph } from "./graph-walk";
import { readJpeg } from "./jpeg-segments";
import { streamsOf } from "./page-contents";
import { exhausted } from "./reader/budget";
import { measureInflated } from "./reader/inflate";
import { largePictureBytes, pictureBytesMax } from "./reader/large-pictures";
import type { SourcePage } from "./reader/page-tree";
import type { PdfFile } from "./reader/pdf-file";
import { nameOf, numberOf, type PdfStream } from "./reader/pdf-object";

/**
 * Inflates every stream that the file leads to, within the budget, so that no later reader meets a bomb. What a page draws
 * must be whole: a page that ends early is `source_malformed`, never a page with something missing. [C110,C286]
 */
export async function checkStreams(
  file: PdfFile,
  pages: readonly SourcePage[],
  pixelsMax: number,
  onProgress: () => void,
): Promise<void> {
  const large: PdfStream[] = [];
  walkGraph(
    file,
    (key) => NAME_MAPS.has(key),
    (dict, stream) => {
      if (stream === null) return;
      onProgress();
      const subtype = nameOf(file.get(dict, "Subtype"));
      if (subtype === "Image") checkPixels(file, stream, pixelsMax);
      if (largePictureBytes(file, stream) !== null) large.push(stream);
      else checkStream(file, stream, subtype, pixelsMax);
    },
  );
  for (const stream of large) {
    const measured = await measureInflated(stream.raw, pictureBytesMax(file, stream));
    if (measured === "too large") throw exhausted("picture");
    if (!measured.isTidy) throw damaged();
    onProgress();
  }
  pages.forEach((page, index) => {
    for (const { stream } of streamsOf(file, page.dict.get("Contents"))) {
      if (file.decode(stream).damaged) throw damaged(index + 1);
    }
  });
}

function checkStream(file: PdfFile, stream: PdfStream, subtype: string | null, pixelsMax: number): void {
  const decoded = file.decode(stream);
  if (subtype === "Image" && decoded.codec === null && decoded.bytes.length > pictureBytesMax(file, stream)) {
    throw exhausted("picture");
  }
  if (decoded.damaged && (subtype === "Form" || subtype === "Image")) throw damaged();
  if (decoded.codec === "DCTDecode") checkJpegSize(decoded.bytes, pixelsMax);
  if (decoded.codec === "JPXDecode") checkJpxSize(decoded.bytes, pixelsMax);
}

function checkPixels(file: PdfFile, stream: PdfStream, pixelsMax: number): void {
  const width = numberOf(file.get(stream.dict, "Width")) ?? 0;
  const height = numberOf(file.get(stream.dict, "Height")) ?? 0;
  if (width * height > pixelsMax) throw new PacketFailure("source_dimensions");
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
