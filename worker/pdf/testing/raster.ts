import { PDFiumLibrary } from "@hyzyla/pdfium";

export interface Raster {
  readonly width: number;
  readonly height: number;
  /** One byte for each pixel, 255 is paper. */
  readonly grey: Uint8Array;
  readonly rgba: Uint8Array;
}

let library: Promise<PDFiumLibrary> | null = null;

/** Draws one page, from 1, as a viewer shows it. `sideMax` is the longer side in pixels. */
export async function rasterOf(bytes: Uint8Array, page: number, sideMax = 400): Promise<Raster> {
  library ??= PDFiumLibrary.init();
  const document = await (await library).loadDocument(bytes);
  try {
    const loaded = document.getPage(page - 1);
    const { originalWidth, originalHeight } = loaded.getOriginalSize();
    const scale = sideMax / Math.max(originalWidth, originalHeight);
    const width = Math.round(originalWidth * scale);
    const height = Math.round(originalHeight * scale);
    const { data } = await loaded.render({ width, height, scale: 1, render: "bitmap" });
    const rgba = Uint8Array.from(data);
    const grey = Uint8Array.from({ length: width * height }, (_, index) => {
      const at = index * 4;
      return Math.round(((rgba[at] ?? 0) * 3 + (rgba[at + 1] ?? 0) * 6 + (rgba[at + 2] ?? 0)) / 10);
    });
    return { width, height, grey, rgba };
  } finally {
    document.destroy();
  }
}

/** Text of each page, in the order of the pages. */
export async function textsOf(bytes: Uint8Array): Promise<string[]> {
  library ??= PDFiumLibrary.init();
  const document = await (await library).loadDocument(bytes);
  try {
    return [...document.pages()].map((page) => page.getText());
  } finally {
    document.destroy();
  }
}

export interface Ink {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The box, in pixels from the upper left, around everything that is darker in `after` than in `before`; null where nothing is. */
export function addedInk(before: Raster, after: Raster, threshold = 24): Ink | null {
  const xs: number[] = [];
  const ys: number[] = [];
  for (let at = 0; at < after.grey.length; at += 1) {
    if ((before.grey[at] ?? 255) - (after.grey[at] ?? 255) < threshold) continue;
    xs.push(at % after.width);
    ys.push(Math.floor(at / after.width));
  }
  const extreme = (values: number[], better: (a: number, b: number) => number) => values.reduce((a, b) => better(a, b));
  if (xs.length === 0) return null;
  return {
    left: extreme(xs, Math.min),
    top: extreme(ys, Math.min),
    right: extreme(xs, Math.max),
    bottom: extreme(ys, Math.max),
  };
}

/** Share of pixels, from 0 to 1, that differ visibly. */
export function difference(a: Raster, b: Raster, threshold = 48): number {
  if (a.width !== b.width || a.height !== b.height) return 1;
  let count = 0;
  for (let at = 0; at < a.grey.length; at += 1) {
    if (Math.abs((a.grey[at] ?? 0) - (b.grey[at] ?? 0)) > threshold) count += 1;
  }
  return count / a.grey.length;
}

/** Share of pixels that are not paper. */
export function inkShare(raster: Raster): number {
  return raster.grey.filter((value) => value < 240).length / raster.grey.length;
}
