import type { PDFDocument, PDFFont } from "pdf-lib";
import { addResource, type CopiedPage } from "../copy-page";
import { decimal, embedFace } from "../drawn-text";
import { fontOf } from "../fonts";
import { missingCodePoints } from "../glyph-coverage";
import { type Box, type Matrix, multiply } from "../page-frame";
import type { PdfFile } from "../reader/pdf-file";
import { numberOf, type PdfDict } from "../reader/pdf-object";
import { fieldLines } from "./field-lines";
import { colourFrom, lookOf } from "./field-look";
import type { FormField } from "./form-field";
import { markOperators } from "./mark-shapes";

/** True where a field has a value to show. */
export function hasWords(field: FormField): boolean {
  return (field.kind === "text" || field.kind === "choice") && (field.text !== "" || field.options.length > 0);
}

/** Draws values of fields that the file itself does not show, with one embedded font for the whole document. */
export class FieldPainter {
  private constructor(
    private readonly file: PdfFile,
    private readonly font: PDFFont,
  ) {}

  static async for(document: PDFDocument, file: PdfFile): Promise<FieldPainter> {
    return new FieldPainter(file, await embedFace(document, FACE));
  }

  /** Returns the operators for one widget, or null where the font lacks a character of its value. */
  paint(widget: PdfDict, field: FormField, rect: Box, page: CopiedPage): string | null {
    const characters = field.text + field.options.map(({ text }) => text).join("");
    if (missingCodePoints([fontOf(FACE)], characters.replaceAll("\t", " ")).length > 0) return null;
    const look = this.file.get(widget, "MK");
    const turn = look instanceof Map ? (numberOf(this.file.get(look, "R")) ?? 0) : 0;
    const { width, height, at } = uprightBox(rect, turn);
    const frame = lookOf(this.file, widget, width, height);
    const inside =
      field.kind === "check" || field.kind === "radio"
        ? field.isOn
          ? `${colourFrom(field.defaultAppearance)} ${markOperators(field.kind, width, height)}`
          : ""
        : this.words(field, width, height, frame.border, page);
    return `q ${at.map(decimal).join(" ")} cm\n${frame.operators}${inside}Q\n`;
  }

  private words(field: FormField, width: number, height: number, border: number, page: CopiedPage): string {
    if (!hasWords(field)) return "";
    const { size, lines } = fieldLines(this.font, field, width, height, border);
    const resource = addResource(page, "Font", this.font.ref);
    const inset = Math.min(border, width / 4, height / 4);
    const clip = [inset, inset, width - 2 * inset, height - 2 * inset].map(decimal).join(" ");
    const marked = lines
      .filter(({ isChosen }) => isChosen)
      .map(
        ({ y }) =>
          `q 0.6 0.75 0.86 rg 0 ${decimal(y - size * 0.25)} ${decimal(width)} ${decimal(size * 1.15)} re f Q\n`,
      );
    const shown = lines.map(
      ({ x, y, text }) => `1 0 0 1 ${decimal(x)} ${decimal(y)} Tm ${this.font.encodeText(text)} Tj\n`,
    );
    const colour = colourFrom(field.defaultAppearance);
    return `${clip} re W n\n${marked.join("")}BT ${colour} /${resource} ${decimal(size)} Tf\n${shown.join("")}ET\n`;
  }
}

const FACE = "notoSans";

/** The field's own upright box: a widget may be turned against its page (ISO 32000-2, table 192, `R`). */
function uprightBox([x0, y0, x1, y1]: Box, turn: number): { width: number; height: number; at: Matrix } {
  const [across, up] = [x1 - x0, y1 - y0];
  const place: Matrix = [1, 0, 0, 1, x0, y0];
  switch (((turn % 360) + 360) % 360) {
    case 90:
      return { width: up, height: across, at: multiply([0, 1, -1, 0, across, 0], place) };
    case 180:
      return { width: across, height: up, at: multiply([-1, 0, 0, -1, across, up], place) };
    case 270:
      return { width: up, height: across, at: multiply([0, -1, 1, 0, 0, up], place) };
    default:
      return { width: across, height: up, at: place };
  }
}
