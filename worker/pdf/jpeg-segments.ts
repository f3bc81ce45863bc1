import { PacketFailure } from "@/server/domain/failure";

export interface JpegFacts {
  readonly width: number;
  readonly height: number;
  readonly components: number;
  readonly bitsPerSample: number;
  /** Name parts of an embedded colour profile, or null where there is none. */
  readonly profile: Uint8Array | null;
  /** The picture without location, camera, thumbnail and comments: only what decoding needs. */
  readonly stripped: Uint8Array;
}

/**
 * Walks the segments in front of the picture data. Throws `source_malformed` where their lengths lead outside the file, and
 * `source_dimensions` above `pixelsMax`, before any decoder sees them. [C110]
 */
export function readJpeg(bytes: Uint8Array, pixelsMax: number): JpegFacts {
  const kept: Uint8Array[] = [bytes.subarray(0, 2)];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let frame: { width: number; height: number; components: number; bitsPerSample: number } | null = null;
  let profile: Uint8Array | null = null;
  for (let at = 2; ; ) {
    while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at += 1;
    const marker = bytes[at + 1];
    if (bytes[at] !== 0xff || marker === undefined || at + 4 > bytes.length) throw malformed("no segment");
    const length = view.getUint16(at + 2);
    if (length < 2 || at + 2 + length > bytes.length) throw malformed("a segment claims more than there is");
    const segment = bytes.subarray(at, at + 2 + length);
    if (isFrame(marker)) {
      if (frame !== null || length < 8) throw malformed("two frames");
      frame = {
        bitsPerSample: bytes[at + 4] ?? 0,
        height: view.getUint16(at + 5),
        width: view.getUint16(at + 7),
        components: bytes[at + 9] ?? 0,
      };
      if (frame.width === 0 || frame.height === 0) throw malformed("no area");
      if (frame.width * frame.height > pixelsMax) throw new PacketFailure("source_dimensions");
    }
    if (marker === APP2 && Buffer.from(segment).toString("latin1", 4, 15) === "ICC_PROFILE") {
      profile = profile === null ? segment : Buffer.concat([profile, segment]);
    }
    if (!isMetadata(marker)) kept.push(segment);
    if (marker === SOS) {
      if (frame === null) throw malformed("no frame");
      kept.push(bytes.subarray(at + 2 + length));
      return { ...frame, profile, stripped: Buffer.concat(kept) };
    }
    at += 2 + length;
  }
}

/** SOF0 to SOF15 without DHT, JPG and DAC, which lie among them. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Comments and application segments, except Adobe's, which says how colours are coded. */
function isMetadata(marker: number): boolean {
  return marker === 0xfe || (marker >= 0xe0 && marker <= 0xef && marker !== 0xee);
}

function malformed(detail: string): PacketFailure {
  return new PacketFailure("source_malformed", { detail });
}

const SOS = 0xda;
const APP2 = 0xe2;
