import { type PDFContext, PDFName, PDFRawStream, type PDFRef } from "pdf-lib";
import type { Sharp } from "sharp";
import type { Matrix } from "./page-frame";
import { hasOtherColours, openPicture, type Picture } from "./picture";
import { pngSamples } from "./png-chunks";

export interface EmbeddedPicture {
  readonly ref: PDFRef;
  /** Turns the picture as it is embedded upright, within the unit square. */
  readonly turn: Matrix;
}

/**
 * Embeds a picture without touching its pixels where that shows what a browser shows; CMYK, other colour profiles than
 * sRGB, and everything in PNG are written as 8-bit sRGB or grey. `sideMax` makes it smaller for previews.
 */
export async function embedPicture(
  context: PDFContext,
  picture: Picture,
  pixelsMax: number,
  sideMax: number | null,
): Promise<EmbeddedPicture> {
  const { jpeg } = picture;
  if (jpeg !== null && sideMax === null && !hasOtherColours(picture) && jpeg.bitsPerSample === 8) {
    const { width, height, stripped } = jpeg;
    const ref = addImage(context, stripped, { width, height, isGrey: jpeg.components === 1, Filter: "DCTDecode" });
    return { ref, turn: TURNS[picture.orientation] ?? UPRIGHT };
  }
  let pipeline = openPicture(picture.bytes, pixelsMax).autoOrient();
  if (sideMax !== null) pipeline = pipeline.resize(sideMax, sideMax, { fit: "inside", withoutEnlargement: true });
  const isGrey = isGreySpace(picture);
  pipeline = pipeline.toColourspace(isGrey ? "b-w" : "srgb");
  if (jpeg !== null) {
    const { data, info } = await pipeline
      .jpeg(sideMax === null ? { quality: 92, chromaSubsampling: "4:4:4" } : { quality: 72 })
      .toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    return { ref: addImage(context, data, { width, height, isGrey, Filter: "DCTDecode" }), turn: UPRIGHT };
  }
  const colours = await samplesOf(context, pipeline.clone().removeAlpha(), isGrey);
  if (picture.metadata.hasAlpha) {
    const mask = await samplesOf(context, pipeline.clone().extractChannel("alpha").toColourspace("b-w"), true);
    colours.dict.set(PDFName.of("SMask"), context.register(mask));
  }
  return { ref: context.register(colours), turn: UPRIGHT };
}

/** Rows as PNG filters and packs them, which PDF can read as they are (ISO 32000-2, 7.4.4.4). */
async function samplesOf(context: PDFContext, pipeline: Sharp, isGrey: boolean): Promise<PDFRawStream> {
  const { data, info } = await pipeline
    .png({ compressionLevel: 9, adaptiveFiltering: true, palette: false })
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const Colors = isGrey ? 1 : 3;
  const DecodeParms = { Predictor: 15, Colors, BitsPerComponent: 8, Columns: width };
  return imageStream(context, pngSamples(data), { width, height, isGrey, Filter: "FlateDecode", DecodeParms });
}

interface ImageEntries {
  readonly width: number;
  readonly height: number;
  readonly isGrey: boolean;
  readonly Filter: string;
  readonly DecodeParms?: Readonly<Record<string, number>>;
}

function addImage(context: PDFContext, data: Uint8Array, entries: ImageEntries): PDFRef {
  return context.register(imageStream(context, data, entries));
}

function imageStream(context: PDFContext, data: Uint8Array, entries: ImageEntries): PDFRawStream {
  const { width, height, isGrey, Filter, DecodeParms } = entries;
  const dict = context.obj({
    Type: "XObject",
    Subtype: "Image",
    Width: width,
    Height: height,
    ColorSpace: isGrey ? "DeviceGray" : "DeviceRGB",
    BitsPerComponent: 8,
    Filter,
  });
  if (DecodeParms !== undefined) dict.set(PDFName.of("DecodeParms"), context.obj({ ...DecodeParms }));
  return PDFRawStream.of(dict, data);
}

function isGreySpace({ metadata }: Picture): boolean {
  return metadata.space === "b-w" || metadata.space === "grey16";
}

const UPRIGHT: Matrix = [1, 0, 0, 1, 0, 0];

/** EXIF orientations as what they do to the unit square of the stored picture. */
const TURNS: Readonly<Record<number, Matrix>> = {
  1: UPRIGHT,
  2: [-1, 0, 0, 1, 1, 0],
  3: [-1, 0, 0, -1, 1, 1],
  4: [1, 0, 0, -1, 0, 1],
  5: [0, -1, -1, 0, 1, 1],
  6: [0, -1, 1, 0, 0, 1],
  7: [0, 1, 1, 0, 0, 0],
  8: [0, 1, -1, 0, 1, 0],
};
