/** Sizes in points and colours of everything on paper. One place, so that the kinds look like one house. */

export const MM = 72 / 25.4;
export const MARGIN = 20 * MM;
/** Prose stays within 65 to 75 characters a line. */
export const MEASURE = 118 * MM;

export const PAPER = { A4: { width: 595.28, height: 841.89 }, LETTER: { width: 612, height: 792 } } as const;
export type Paper = keyof typeof PAPER;

/** Width between the margins. */
export function contentWidth(paper: Paper): number {
  return PAPER[paper].width - 2 * MARGIN;
}

export const INK = "#1b1f24";
export const MUTED = "#5a626c";
export const HAIRLINE = "#c8ccd1";
export const ZEBRA = "#f6f5f1";
