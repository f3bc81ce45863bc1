import { PDFArray, type PDFContext, PDFDict, PDFName, PDFNull, PDFNumber, type PDFRef } from "pdf-lib";
import { isHidden, isPlainAnnotation, PRINT } from "./annotation-flags";
import type { Destinations, LocalDestination, NamedElsewhere } from "./destinations";
import { actionOf, type LinkAction } from "./link-actions";
import { nameFrom, type ObjectCopier, stringFrom } from "./object-copier";
import type { PdfFile } from "./reader/pdf-file";
import { nameOf, type PdfDict, PdfName, type PdfObject } from "./reader/pdf-object";

export interface AnnotationCopy {
  readonly file: PdfFile;
  readonly copier: ObjectCopier;
  readonly context: PDFContext;
  readonly destinations: Destinations;
  /** The page of the new document that a destination leads to, or null. */
  readonly locate: (to: LocalDestination | NamedElsewhere) => PDFRef | null;
}

/** Copies the annotations of a page that are plain marks or links. Form fields are no concern of this function. */
export function copyAnnotations(copy: AnnotationCopy, annotations: PdfObject, page: PDFRef): PDFArray {
  const kept = PDFArray.withContext(copy.context);
  if (!Array.isArray(annotations)) return kept;
  for (const item of annotations) {
    const annotation = copy.file.resolve(item);
    const made = annotation instanceof Map ? copyAnnotation(copy, annotation, page) : null;
    if (made !== null) kept.push(copy.context.register(made));
  }
  return kept;
}

function copyAnnotation(copy: AnnotationCopy, annotation: PdfDict, page: PDFRef): PDFDict | null {
  const { file } = copy;
  const subtype = nameOf(file.get(annotation, "Subtype")) ?? "";
  if (!isPlainAnnotation(subtype) || isHidden(file, annotation)) return null;
  const action = actionOf(file, annotation, copy.destinations);
  const made = copyPlainKeys(copy, annotation);
  made.set(PDFName.of("P"), page);
  made.set(PDFName.of("F"), PDFNumber.of(PRINT));
  if (!setAction(copy, made, action) && subtype === "Link") return null;
  return made;
}

function copyPlainKeys(copy: AnnotationCopy, annotation: PdfDict): PDFDict {
  const made = PDFDict.withContext(copy.context);
  for (const key of KEYS) {
    const value = annotation.get(key);
    if (value === undefined) continue;
    const copied = copy.copier.copy(value, key);
    if (copied !== PDFNull) made.set(nameFrom(key), copied);
  }
  const appearance = copy.file.get(annotation, "AP");
  const normal = appearance instanceof Map ? appearance.get("N") : undefined;
  if (normal !== undefined) {
    const copied = copy.copier.copy(normal, "Properties");
    if (copied !== PDFNull) made.set(PDFName.of("AP"), copy.context.obj({ N: copied }));
  }
  return made;
}

function setAction(copy: AnnotationCopy, made: PDFDict, action: LinkAction): boolean {
  if (action.kind === "web") {
    made.set(PDFName.of("A"), copy.context.obj({ S: "URI", URI: stringFrom(action.uri) }));
    return true;
  }
  const target = action.kind === "move" ? copy.locate(action.to) : null;
  if (action.kind !== "move" || target === null) return false;
  made.set(PDFName.of("Dest"), destinationArray(copy.context, target, action.to));
  return true;
}

/** An explicit destination, shown as the source says or fitted into the window. */
export function destinationArray(context: PDFContext, page: PDFRef, to: LocalDestination | NamedElsewhere): PDFArray {
  const array = PDFArray.withContext(context);
  array.push(page);
  const view = "view" in to ? to.view : [new PdfName("XYZ"), null, null, null];
  for (const item of view) {
    if (item instanceof PdfName) array.push(nameFrom(item.text));
    else array.push(typeof item === "number" ? PDFNumber.of(item) : PDFNull);
  }
  return array;
}

const KEYS = [
  "Type",
  "Subtype",
  "Rect",
  "Contents",
  "NM",
  "M",
  "AS",
  "Border",
  "C",
  "BS",
  "BE",
  "CA",
  "ca",
  "H",
  "IC",
  "IT",
  "InkList",
  "L",
  "LE",
  "LL",
  "LLE",
  "LLO",
  "CL",
  "Cap",
  "CO",
  "CP",
  "DA",
  "DS",
  "Lang",
  "Name",
  "OC",
  "Q",
  "QuadPoints",
  "RD",
  "Subj",
  "Sy",
  "T",
  "Vertices",
];
