import { type PDFContext, PDFDict, PDFName, PDFRawStream, PDFRef } from "pdf-lib";
import { PacketFailure } from "@/server/domain/failure";
import { isHidden, isPlainAnnotation } from "../annotation-flags";
import { addResource, type CopiedPage } from "../copy-page";
import { decimal } from "../drawn-text";
import type { ObjectCopier } from "../object-copier";
import { type Box, boxOf, type Matrix, transform } from "../page-frame";
import { catalogOf } from "../reader/page-tree";
import type { PdfFile } from "../reader/pdf-file";
import { nameOf, numberOf, type PdfDict, type PdfObject, PdfRef, PdfStream } from "../reader/pdf-object";
import { type FieldPainter, hasWords } from "./field-painter";
import { type FormField, fieldOf } from "./form-field";

export interface Flattening {
  readonly file: PdfFile;
  readonly copier: ObjectCopier;
  readonly context: PDFContext;
  readonly painter: FieldPainter;
}

/**
 * Returns operators that draw as plain content what cannot stay an annotation: form fields, signatures included, and the
 * pictures of media and attachments. It goes by what lies on the page, so orphans and rubbish in the list of fields do no
 * harm. A value that nothing shows is drawn anew with an embedded font; one that cannot be printed is `missing_glyphs`.
 */
export function flattenAnnotations(flattening: Flattening, annotations: PdfObject, page: CopiedPage): string {
  if (!Array.isArray(annotations)) return "";
  const { file } = flattening;
  const form = file.get(catalogOf(file), "AcroForm");
  const needsAppearances = form instanceof Map && file.get(form, "NeedAppearances") === true;
  const drawn = annotations.map((item) => {
    const annotation = file.resolve(item);
    if (!(annotation instanceof Map) || isHidden(file, annotation)) return "";
    const subtype = nameOf(file.get(annotation, "Subtype")) ?? "";
    const rect = boxOf(file, file.get(annotation, "Rect"));
    if (rect === null || isPlainAnnotation(subtype) || subtype === "Popup") return "";
    const drawing = drawAnnotation(flattening, annotation, rect, page, needsAppearances && subtype === "Widget");
    return onItsLayer(flattening, annotation, page, drawing);
  });
  return drawn.join("");
}

/** What lies on a layer stays on it, hidden or shown (ISO 32000-2, 8.11.3.3). */
function onItsLayer({ copier }: Flattening, annotation: PdfDict, page: CopiedPage, drawing: string): string {
  const layer = annotation.get("OC");
  const copied = layer instanceof PdfRef ? copier.copy(layer) : null;
  if (drawing === "" || !(copied instanceof PDFRef)) return drawing;
  return `/OC /${addResource(page, "Properties", copied)} BDC\n${drawing}EMC\n`;
}

function drawAnnotation(
  { file, copier, context, painter }: Flattening,
  widget: PdfDict,
  rect: Box,
  page: CopiedPage,
  needsAppearances: boolean,
): string {
  const field = fieldOf(file, widget);
  const appearance = appearanceOf(file, widget, field, needsAppearances);
  const isStale = hasWords(field) && (needsAppearances || appearance === null || !drawsText(file, appearance.stream));
  if (appearance === null || isStale) {
    const painted = painter.paint(widget, field, rect, page);
    if (painted !== null) return painted;
    if (appearance === null || !drawsText(file, appearance.stream)) throw new PacketFailure("missing_glyphs");
  }
  const ref = copyForm(file, copier, context, appearance);
  const at = placement(file, appearance.stream, rect);
  if (ref === null || at === null) return "";
  return `q ${at.map(decimal).join(" ")} cm /${addResource(page, "XObject", ref)} Do Q\n`;
}

interface Appearance {
  readonly ref: PdfRef | null;
  readonly stream: PdfStream;
}

/** The normal appearance in the state the field is in. */
function appearanceOf(file: PdfFile, widget: PdfDict, field: FormField, needsAppearances: boolean): Appearance | null {
  const appearances = file.get(widget, "AP");
  if (!(appearances instanceof Map)) return null;
  let entry = appearances.get("N");
  const normal = file.resolve(entry);
  if (normal instanceof Map) {
    const state = nameOf(file.get(widget, "AS")) ?? (field.isOn ? nameOf(file.get(widget, "V")) : "Off") ?? "Off";
    entry = normal.get(state);
  }
  const stream = file.resolve(entry);
  if (stream instanceof PdfStream) return { ref: entry instanceof PdfRef ? entry : null, stream };
  // A state without a picture is drawn as nothing, which is what the file says.
  return normal instanceof Map && !field.isOn && !needsAppearances ? { ref: null, stream: EMPTY } : null;
}

const EMPTY = new PdfStream(new Map(), new Uint8Array(0));

/** True where the appearance shows text or pictures of its own. */
function drawsText(file: PdfFile, stream: PdfStream): boolean {
  return /T[jJ]|['"]|\bDo\b/.test(Buffer.from(file.decode(stream).bytes).toString("latin1"));
}

function copyForm(file: PdfFile, copier: ObjectCopier, context: PDFContext, appearance: Appearance): PDFRef | null {
  if (appearance.stream.raw.length === 0) return null;
  const copied = copier.copy(appearance.ref ?? appearance.stream);
  const ref = copied instanceof PDFRef ? copied : context.register(copied);
  const stream = context.lookup(ref);
  if (!(stream instanceof PDFRawStream)) return null;
  stream.dict.set(PDFName.of("Type"), PDFName.of("XObject"));
  stream.dict.set(PDFName.of("Subtype"), PDFName.of("Form"));
  if (!stream.dict.has(PDFName.of("Resources"))) {
    const form = file.get(catalogOf(file), "AcroForm");
    const shared = form instanceof Map ? context.lookup(copier.copy(form.get("DR"))) : undefined;
    stream.dict.set(PDFName.of("Resources"), shared instanceof PDFDict ? shared : context.obj({}));
  }
  return ref;
}

/** ISO 32000-2, 12.5.5: the appearance box, turned by its matrix, is fitted into the rectangle. */
function placement(file: PdfFile, stream: PdfStream, rect: Box): Matrix | null {
  const box = boxOf(file, file.get(stream.dict, "BBox"));
  if (box === null) return null;
  const matrix = matrixOf(file, file.get(stream.dict, "Matrix"));
  const corners = [
    transform(matrix, box[0], box[1]),
    transform(matrix, box[2], box[1]),
    transform(matrix, box[0], box[3]),
    transform(matrix, box[2], box[3]),
  ];
  const [left, right] = [Math.min(...corners.map(([x]) => x)), Math.max(...corners.map(([x]) => x))];
  const [bottom, top] = [Math.min(...corners.map(([, y]) => y)), Math.max(...corners.map(([, y]) => y))];
  if (right - left < 1e-6 || top - bottom < 1e-6) return null;
  const across = (rect[2] - rect[0]) / (right - left);
  const up = (rect[3] - rect[1]) / (top - bottom);
  return [across, 0, 0, up, rect[0] - left * across, rect[1] - bottom * up];
}

function matrixOf(file: PdfFile, value: PdfObject): Matrix {
  const numbers = Array.isArray(value) ? value.map((item) => numberOf(file.resolve(item))) : [];
  const [a, b, c, d, e, f] = numbers;
  if (a == null || b == null || c == null || d == null || e == null || f == null) return [1, 0, 0, 1, 0, 0];
  return [a, b, c, d, e, f];
}
