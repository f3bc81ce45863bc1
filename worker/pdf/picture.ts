import sharp, { type Metadata, type Sharp } from "sharp";
import { PacketFailure } from "@/server/domain/failure";
import type { Disclosure } from "@/worker/renderer/requests";
import { type JpegFacts, readJpeg } from "./jpeg-segments";
import { checkedPng } from "./png-chunks";

// Pictures from outside meet two loaders only; everything else libvips could open stays shut.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: ["VipsForeignLoadPng", "VipsForeignLoadJpeg"] });
sharp.cache(false);
sharp.concurrency(1);

/** A picture that was decoded completely once, with what is needed to place it on a page. */
export interface Picture {
  readonly type: "image/png" | "image/jpeg";
  readonly bytes: Uint8Array;
  readonly metadata: Metadata;
  readonly jpeg: JpegFacts | null;
  /** EXIF orientation, 1 to 8; what is not legal means as stored. */
  readonly orientation: number;
  /** Size as it is seen, upright. */
  readonly width: number;
  readonly height: number;
}

/** Checks a picture and decodes all of it. Throws `source_malformed` or `source_dimensions`. */
export async function judgePicture(bytes: Uint8Array, type: Picture["type"], pixelsMax: number): Promise<Picture> {
  const jpeg = type === "image/jpeg" ? readJpeg(bytes, pixelsMax) : null;
  const checked = jpeg === null ? checkedPng(bytes, pixelsMax) : bytes;
  const metadata = await decoding(() => openPicture(checked, pixelsMax).metadata());
  if (metadata.format !== (type === "image/png" ? "png" : "jpeg")) throw new PacketFailure("source_malformed");
  // The smallest output that still needs every pixel.
  await decoding(() =>
    openPicture(checked, pixelsMax).resize(16, 16, { fit: "fill", fastShrinkOnLoad: false }).raw().toBuffer(),
  );
  const orientation =
    metadata.orientation !== undefined && metadata.orientation >= 1 && metadata.orientation <= 8
      ? metadata.orientation
      : 1;
  const turned = orientation >= 5;
  const { width, height } = metadata;
  return {
    type,
    bytes: checked,
    metadata,
    jpeg,
    orientation,
    width: turned ? height : width,
    height: turned ? width : height,
  };
}

/** Opens a picture that was checked, as it is stored. */
export function openPicture(bytes: Uint8Array, pixelsMax: number): Sharp {
  return sharp(bytes, { failOn: "warning", limitInputPixels: pixelsMax, sequentialRead: true });
}

/** A decoder's refusal is the picture's fault. */
async function decoding<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new PacketFailure("source_malformed", { detail: "decoder", cause: error });
  }
}

/** True where the numbers of the picture mean other colours than sRGB ones. Grey is grey. */
export function hasOtherColours({ metadata }: Picture): boolean {
  if (metadata.space === "cmyk") return true;
  if (metadata.icc === undefined || metadata.channels < 3) return false;
  const profile = metadata.icc.toString("latin1");
  return !profile.includes("sRGB") && !profile.includes("s\0R\0G\0B");
}

/** What people are told of a picture that becomes a page. */
export function disclosuresOfPicture(picture: Picture): Disclosure[] {
  return hasOtherColours(picture) ? ["image_only", "untagged", "colour_converted"] : ["image_only", "untagged"];
}
