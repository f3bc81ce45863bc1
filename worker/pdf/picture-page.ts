import type { Picture } from "./picture";

export type Paper = "A4" | "LETTER";

export interface PicturePlace {
  readonly page: readonly [number, number];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Places a picture in the middle of a page that lies as the picture does: as large as the margins allow, but never larger
 * than 150 dots per inch make it, so that a small logo stays small and sharp.
 */
export function placePicture({ width, height }: Pick<Picture, "width" | "height">, paper: Paper): PicturePlace {
  const [short, long] = SIDES[paper];
  const page: [number, number] = width > height ? [long, short] : [short, long];
  const scale = Math.min((page[0] - 2 * MARGIN) / width, (page[1] - 2 * MARGIN) / height, 72 / DOTS_PER_INCH_MIN);
  const drawn = { width: width * scale, height: height * scale };
  return { page, x: (page[0] - drawn.width) / 2, y: (page[1] - drawn.height) / 2, ...drawn };
}

const SIDES = { A4: [595.28, 841.89], LETTER: [612, 792] } as const;
const MARGIN = (15 * 72) / 25.4;
const DOTS_PER_INCH_MIN = 150;
