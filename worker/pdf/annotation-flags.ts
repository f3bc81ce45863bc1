import type { PdfFile } from "./reader/pdf-file";
import { numberOf, type PdfDict } from "./reader/pdf-object";

/** True for an annotation that nobody sees on the screen, or only after a click (ISO 32000-2, table 167). */
export function isHidden(file: PdfFile, annotation: PdfDict): boolean {
  const flags = numberOf(file.get(annotation, "F")) ?? 0;
  return (flags & (HIDDEN | NO_VIEW)) !== 0;
}

/** True for annotations that are plain marks or links; every other kind acts, plays or holds a file. */
export function isPlainAnnotation(subtype: string): boolean {
  return PLAIN.has(subtype);
}

const HIDDEN = 2;
const NO_VIEW = 32;

/** The flag that annotations of an archived file must have (ISO 19005-2, 6.3.2). */
export const PRINT = 4;

const PLAIN = new Set([
  "Link",
  "Text",
  "FreeText",
  "Line",
  "Square",
  "Circle",
  "Polygon",
  "PolyLine",
  "Highlight",
  "Underline",
  "Squiggly",
  "StrikeOut",
  "Stamp",
  "Caret",
  "Ink",
  "Watermark",
  "Redact",
]);
