import * as fontkit from "fontkit";
import type { PDFDocument, PDFFont } from "pdf-lib";
import { type Finding, PacketFailure } from "@/server/domain/failure";
import { type Face, fontFile, fontOf } from "./fonts";
import { missingCodePoints } from "./glyph-coverage";
import type { Matrix } from "./page-frame";

/** Returns the first face that prints all of `text`. Throws `missing_glyphs` that names the characters. */
export function faceFor(text: string, faces: readonly [Face, ...Face[]], field: string): Face {
  const found = faces.find((face) => missingCodePoints([fontOf(face)], text).length === 0);
  if (found !== undefined) return found;
  const missing = missingCodePoints([fontOf(faces[0])], text).map(
    (codePoint) => `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`,
  );
  const finding: Finding = {
    path: [field],
    code: "missing_glyphs",
    message: `These characters cannot be printed: ${missing.slice(0, 8).join(", ")}.`,
  };
  throw new PacketFailure("missing_glyphs", { findings: [finding] });
}

/** Embeds a pinned face as a subset of what will be drawn with it. */
export async function embedFace(document: PDFDocument, face: Face): Promise<PDFFont> {
  document.registerFontkit(fontkit as unknown as Parameters<PDFDocument["registerFontkit"]>[0]);
  // A subset is told by six capitals in front of its name (ISO 32000-2, 9.9.2); the library leaves them out.
  return document.embedFont(fontFile(face), { subset: true, customName: `BINDRY+${fontOf(face).postscriptName}` });
}

export interface TextRun {
  readonly font: PDFFont;
  /** Name of the font in the resources where this is drawn. */
  readonly resource: string;
  readonly size: number;
  readonly text: string;
  readonly at: Matrix;
  /** Operators that set colour, line width and text rendering mode. */
  readonly style: string;
}

/** Operators that draw one line of text. The caller keeps them between `q` and `Q`. */
export function textOperators({ font, resource, size, text, at, style }: TextRun): string {
  return `BT ${style} /${resource} ${decimal(size)} Tf ${at.map(decimal).join(" ")} Tm ${font.encodeText(text)} Tj ET\n`;
}

/** A number as PDF writes it: never with an exponent. */
export function decimal(value: number): string {
  const text = value.toFixed(5);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
