import { writeFile } from "node:fs/promises";
import { PDFDocument, PDFName } from "pdf-lib";
import type { AnswerOf, RequestOf } from "@/worker/renderer/requests";
import { decimal, embedFace, faceFor, textOperators } from "./drawn-text";

/**
 * Writes the stamp: one square page without a ground, the words along its rising diagonal. `assemble` scales it into any
 * page. The light outline keeps it visible on dark scans. Throws `missing_glyphs`.
 */
export async function makeStamp(request: RequestOf<"stamp">, onProgress: () => void): Promise<AnswerOf<"stamp">> {
  const text = request.text.normalize("NFC").replace(/\s+/g, " ").trim();
  const document = await diagonalWords(text, { fill: "0.42 0.45 0.5", fillOpacity: 0.21, outlineOpacity: 0.5 });
  const bytes = await document.save({ addDefaultPage: false, useObjectStreams: false, updateFieldAppearances: false });
  await writeFile(request.outputPath, bytes, { mode: 0o600 });
  onProgress();
  return { bytes: bytes.length };
}

export interface StampStyle {
  /** Colour of the letters as three numbers. */
  readonly fill: string;
  readonly fillOpacity: number;
  readonly outlineOpacity: number;
}

/** Returns a document whose only page is the words, as large as fits, in one line or two. */
export async function diagonalWords(text: string, style: StampStyle): Promise<PDFDocument> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const page = document.addPage([STAMP_SIDE, STAMP_SIDE]);
  const font = await embedFace(document, faceFor(text, ["interSemiBold", "notoSans"], "watermark"));
  const lines = linesOf(text);
  const widest = Math.max(1, ...lines.map((line) => font.widthOfTextAtSize(line, 1)));
  const size = Math.min(SIZE_MAX, (STAMP_SIDE * DIAGONAL_SHARE) / widest);
  const resources = context.obj({
    Font: { F: font.ref },
    ExtGState: { G: { Type: "ExtGState", ca: style.fillOpacity, CA: style.outlineOpacity } },
  });
  page.node.set(PDFName.of("Resources"), resources);
  const h = Math.SQRT1_2;
  const drawn = lines.map((line, index) => {
    const along = -font.widthOfTextAtSize(line, size) / 2;
    const across = ((lines.length - 1) / 2 - index) * size * 1.2 - size * 0.36;
    const x = STAMP_SIDE / 2 + h * along - h * across;
    const y = STAMP_SIDE / 2 + h * along + h * across;
    const run = { font, resource: "F", size, text: line, at: [h, h, -h, h, x, y] as const };
    const outline = `1 1 1 RG ${decimal(Math.max(0.6, size / 45))} w 1 J 1 j 1 Tr`;
    return textOperators({ ...run, style: outline }) + textOperators({ ...run, style: `${style.fill} rg 0 Tr` });
  });
  page.node.set(PDFName.of("Contents"), context.register(context.flateStream(`q /G gs\n${drawn.join("")}Q\n`)));
  await document.flush();
  return document;
}

/** Words in two lines of about the same length where one line would be too small to read. */
function linesOf(text: string): string[] {
  if (text.length <= LINE_CHARACTERS_MAX) return [text];
  const middle = text.length / 2;
  let best = -1;
  for (let at = text.indexOf(" "); at >= 0; at = text.indexOf(" ", at + 1)) {
    if (best < 0 || Math.abs(at - middle) < Math.abs(best - middle)) best = at;
  }
  return best < 0 ? [text] : [text.slice(0, best), text.slice(best + 1)];
}

/** Side of the square stamp in its own units. */
export const STAMP_SIDE = 1000;
const DIAGONAL_SHARE = 1.16;
const SIZE_MAX = 150;
const LINE_CHARACTERS_MAX = 34;
