import type { PDFFont } from "pdf-lib";
import { decimal } from "./drawn-text";
import { multiply, type PageFrame } from "./page-frame";

export type NumberStyle = "page-x-of-y" | "x-of-y";

/** Returns the words of a page number. */
export function numberText(style: NumberStyle, page: number, pages: number): string {
  return style === "page-x-of-y" ? `Page ${page} of ${pages}` : `${page} of ${pages}`;
}

/** Draws page numbers; each character is shaped once, since shaping costs more than all the rest of a stamp. */
export class NumberPainter {
  private readonly glyphs = new Map<string, { readonly code: string; readonly width: number }>();

  constructor(readonly font: PDFFont) {}

  /**
   * Returns operators that print `text` at the lower right of what is visible, upright whatever the rotation, in the place
   * where our own templates keep the footer free. A light edge keeps it readable over pictures; screen readers skip it.
   */
  operators(frame: PageFrame, resource: string, text: string): string {
    const size = SIZE * Math.min(1, Math.max(0.35, Math.min(frame.width, frame.height) / SMALL_PAGE));
    const glyphs = Array.from(text, (char) => this.glyph(char));
    const width = glyphs.reduce((sum, glyph) => sum + glyph.width, 0) * size;
    const right = Math.min(MARGIN_RIGHT, frame.width * 0.1);
    const bottom = Math.min(MARGIN_BOTTOM, frame.height * 0.05);
    const at = multiply([1, 0, 0, 1, Math.max(0, frame.width - right - width), bottom], frame.upright);
    const codes = glyphs.map(({ code }) => code).join("");
    const shown = `/${resource} ${decimal(size)} Tf ${at.map(decimal).join(" ")} Tm <${codes}> Tj ET\n`;
    const edge = `BT 1 1 1 RG ${decimal((size * 0.22) / frame.userUnit)} w 1 j 1 Tr ${shown}`;
    return `/Artifact << /Type /Pagination >> BDC q\n${edge}BT 0.3 0.33 0.37 rg 0 Tr ${shown}Q EMC\n`;
  }

  private glyph(char: string): { readonly code: string; readonly width: number } {
    let glyph = this.glyphs.get(char);
    if (glyph === undefined) {
      glyph = { code: this.font.encodeText(char).asString(), width: this.font.widthOfTextAtSize(char, 1) };
      this.glyphs.set(char, glyph);
    }
    return glyph;
  }
}

const SIZE = 8.5;
const MM = 72 / 25.4;
const MARGIN_RIGHT = 20 * MM;
const MARGIN_BOTTOM = 10 * MM;
/** Shorter side of the page, in points, below which the number shrinks with it. */
const SMALL_PAGE = 280;
