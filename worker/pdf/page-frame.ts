import type { SourcePage } from "./reader/page-tree";
import type { PdfFile } from "./reader/pdf-file";
import { numberOf, type PdfObject } from "./reader/pdf-object";

/** `[a b c d e f]` as in content streams: x' = ax + cy + e, y' = bx + dy + f. */
export type Matrix = readonly [number, number, number, number, number, number];
export type Box = readonly [number, number, number, number];

/** What a reader sees of a page, and how to draw on it upright. */
export interface PageFrame {
  readonly media: Box;
  /** The visible part: CropBox within MediaBox. */
  readonly visible: Box;
  readonly rotate: 0 | 90 | 180 | 270;
  readonly userUnit: number;
  /** Visible size in points, turned as it is shown. */
  readonly width: number;
  readonly height: number;
  /** From upright points, origin at the visible lower left corner, to the page's own space. */
  readonly upright: Matrix;
}

/**
 * Returns the frame of a page from its own and inherited entries. Boxes without area or with absurd numbers fall back as
 * in the second parser: CropBox to MediaBox, MediaBox to US Letter (ISO 32000-2, 7.7.3.3 and 14.11.2).
 */
export function frameOf(file: PdfFile, page: SourcePage): PageFrame {
  const read = (key: string) => file.resolve(page.dict.get(key) ?? page.inherited.get(key));
  const media = boxOf(file, read("MediaBox")) ?? LETTER;
  const crop = boxOf(file, read("CropBox"));
  const visible = (crop === null ? null : overlap(media, crop)) ?? media;
  const turned = numberOf(read("Rotate")) ?? 0;
  const quarter = ((Math.trunc(turned / 90) % 4) + 4) % 4;
  const unit = numberOf(file.get(page.dict, "UserUnit")) ?? 1;
  return makeFrame(media, visible, [0, 90, 180, 270][quarter] ?? 0, unit > 0 && unit <= USER_UNIT_MAX ? unit : 1);
}

export function makeFrame(media: Box, visible: Box, rotate: number, userUnit: number): PageFrame {
  const [x0, y0, x1, y1] = visible;
  const across = (x1 - x0) * userUnit;
  const up = (y1 - y0) * userUnit;
  const s = 1 / userUnit;
  const frame = { media, visible, userUnit };
  switch (rotate) {
    case 90:
      return { ...frame, rotate, width: up, height: across, upright: [0, s, -s, 0, x1, y0] };
    case 180:
      return { ...frame, rotate, width: across, height: up, upright: [-s, 0, 0, -s, x1, y1] };
    case 270:
      return { ...frame, rotate, width: up, height: across, upright: [0, -s, s, 0, x0, y1] };
    default:
      return { ...frame, rotate: 0, width: across, height: up, upright: [s, 0, 0, s, x0, y0] };
  }
}

/** Visible sizes in points of at most the first 500 pages. */
export function visibleSizes(file: PdfFile, pages: readonly SourcePage[]): [number, number][] {
  return pages.slice(0, 500).map((page) => {
    const { width, height } = frameOf(file, page);
    return [Math.round(width * 100) / 100, Math.round(height * 100) / 100];
  });
}

/** The box that four numbers span, whichever corners they name; null where it has no area. */
export function boxOf(file: PdfFile, value: PdfObject): Box | null {
  if (!Array.isArray(value) || value.length < 4) return null;
  const [a, b, c, d] = value.slice(0, 4).map((item) => numberOf(file.resolve(item)));
  if (a == null || b == null || c == null || d == null) return null;
  if ([a, b, c, d].some((n) => Math.abs(n) > COORDINATE_MAX)) return null;
  const box: Box = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
  return box[2] - box[0] < SIDE_MIN || box[3] - box[1] < SIDE_MIN ? null : box;
}

function overlap(a: Box, b: Box): Box | null {
  const box: Box = [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
  return box[2] - box[0] < SIDE_MIN || box[3] - box[1] < SIDE_MIN ? null : box;
}

/** Returns the matrix that applies `first`, then `second`. */
export function multiply(first: Matrix, second: Matrix): Matrix {
  const [a, b, c, d, e, f] = first;
  const [p, q, r, s, t, u] = second;
  return [a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u];
}

/** Returns where a matrix puts a point. */
export function transform([a, b, c, d, e, f]: Matrix, x: number, y: number): [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

const LETTER: Box = [0, 0, 612, 792];
const SIDE_MIN = 0.01;
const COORDINATE_MAX = 10_000_000;
const USER_UNIT_MAX = 10_000;
