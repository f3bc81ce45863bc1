import type { PDFFont } from "pdf-lib";
import { decimal, textOperators } from "./drawn-text";
import { multiply, type PageFrame } from "./page-frame";

export type NumberStyle = "page-x-of-y" | "x-of-y";

/** Returns the words of a page number. */
export function numberText(style: NumberStyle, page: number, pages: number): string {
  return style === "page-x-of-y" ? `Page ${page} of ${pages}` : `${page} of ${pages}`;
}

/**
 * Returns operators that print `text` at the lower right of what is visible, upright whatever the rotation, in the place
 * where our own templates keep the footer free. A light edge keeps it readable over pictures; screen readers skip it.
 */
export function numberOperators(frame: PageFrame, font: PDFFont, resource: string, text: string): string {
  const size = SIZE * Math.min(1, Math.max(0.35, Math.min(frame.width, frame.height) / SMALL_PAGE));
  const right = Math.min(MARGIN_RIGHT, frame.width * 0.07);
  const bottom = Math.min(MARGIN_BOTTOM, frame.height * 0.05);
  const x = Math.max(0, frame.width - right - font.widthOfTextAtSize(text, size));
  const at = multiply([1, 0, 0, 1, x, bottom], frame.upright);
  const run = { font, resource, size, text, at };
  const edge = textOperators({ ...run, style: `1 1 1 RG ${decimal((size * 0.22) / frame.userUnit)} w 1 j 1 Tr` });
  const letters = textOperators({ ...run, style: "0.3 0.33 0.37 rg 0 Tr" });
  return `/Artifact << /Type /Pagination >> BDC q\n${edge}${letters}Q EMC\n`;
}

const SIZE = 8.5;
const MM = 72 / 25.4;
const MARGIN_RIGHT = 20 * MM;
const MARGIN_BOTTOM = 10 * MM;
/** Shorter side of the page, in points, below which the number shrinks with it. */
const SMALL_PAGE = 280;
