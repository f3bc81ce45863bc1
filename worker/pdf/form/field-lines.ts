import type { PDFFont } from "pdf-lib";
import { sizeFrom } from "./field-look";
import type { FormField } from "./form-field";

export interface FieldLine {
  readonly x: number;
  /** Baseline, from the bottom of the field. */
  readonly y: number;
  readonly text: string;
  readonly isChosen: boolean;
}

/** Sets the value of a field into its box: one line in the middle, several from the top, or a comb of cells. */
export function fieldLines(
  font: PDFFont,
  field: FormField,
  width: number,
  height: number,
  border: number,
): { size: number; lines: FieldLine[] } {
  const inset = border + 2;
  const room = Math.max(1, width - 2 * inset);
  const value = field.text.replaceAll("\t", " ").replaceAll(/\r\n?/g, "\n");
  if (field.options.length > 0) return listLines(field, height, inset);
  if (field.isMultiline) return paragraphLines({ font, field, value, room, width, height, inset });
  const flat = value.replaceAll("\n", " ");
  const natural = Math.max(0.01, font.widthOfTextAtSize(flat, 1));
  const fitting = Math.min(height * 0.68, field.comb === null ? room / natural : height);
  const size = sizeFrom(field.defaultAppearance) || Math.max(SIZE_MIN, Math.min(SIZE_AUTO_MAX, fitting));
  const y = (height - size * CAP_HEIGHT) / 2;
  if (field.comb !== null) {
    const cell = width / field.comb;
    const lines = [...flat].map((text, index) => {
      const x = cell * index + (cell - font.widthOfTextAtSize(text, size)) / 2;
      return { x, y, text, isChosen: false };
    });
    return { size, lines };
  }
  return { size, lines: [{ x: startOf(font, field, flat, size, width, inset), y, text: flat, isChosen: false }] };
}

interface Paragraph {
  readonly font: PDFFont;
  readonly field: FormField;
  readonly value: string;
  readonly room: number;
  readonly width: number;
  readonly height: number;
  readonly inset: number;
}

function paragraphLines({ font, field, value, room, width, height, inset }: Paragraph): {
  size: number;
  lines: FieldLine[];
} {
  let size = sizeFrom(field.defaultAppearance) || SIZE_AUTO_MAX;
  let wrapped = wrap(font, value, size, room);
  // Text that would be cut off is made smaller instead, whatever size was asked for: nothing may be lost.
  while (size > SIZE_MIN && wrapped.length * size * LEADING > height - 2 * inset + size * (LEADING - 1)) {
    size -= 0.5;
    wrapped = wrap(font, value, size, room);
  }
  const lines = wrapped.map((text, index) => ({
    x: startOf(font, field, text, size, width, inset),
    y: height - inset - size * ASCENT - index * size * LEADING,
    text,
    isChosen: false,
  }));
  return { size, lines };
}

function listLines(field: FormField, height: number, inset: number): { size: number; lines: FieldLine[] } {
  const size = sizeFrom(field.defaultAppearance) || SIZE_AUTO_MAX;
  const lines = field.options.map(({ text, isChosen }, index) => {
    const y = height - inset - size * ASCENT - index * size * LEADING;
    return { x: inset, y, text, isChosen };
  });
  return { size, lines: lines.filter(({ y }) => y > -size) };
}

function startOf(font: PDFFont, field: FormField, text: string, size: number, width: number, inset: number): number {
  if (field.align === 0) return inset;
  const free = width - font.widthOfTextAtSize(text, size);
  return field.align === 1 ? free / 2 : free - inset;
}

/** Breaks at spaces, and inside words that are longer than a line. */
function wrap(font: PDFFont, text: string, size: number, room: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    let line = "";
    for (const word of paragraph.split(/(?<= )/)) {
      if (line !== "" && font.widthOfTextAtSize((line + word).trimEnd(), size) > room) {
        lines.push(line.trimEnd());
        line = "";
      }
      line += word;
      while ([...line].length > 1 && font.widthOfTextAtSize(line.trimEnd(), size) > room) {
        const cut = longestThatFits(font, line, size, room);
        lines.push(line.slice(0, cut));
        line = line.slice(cut);
      }
    }
    lines.push(line.trimEnd());
  }
  return lines;
}

function longestThatFits(font: PDFFont, line: string, size: number, room: number): number {
  let cut = 0;
  for (const char of line) {
    if (cut > 0 && font.widthOfTextAtSize(line.slice(0, cut + char.length), size) > room) break;
    cut += char.length;
  }
  return cut;
}

const SIZE_MIN = 4;
const SIZE_AUTO_MAX = 12;
const LEADING = 1.18;
const ASCENT = 0.95;
const CAP_HEIGHT = 0.714;
