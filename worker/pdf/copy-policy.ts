import type { PdfFile } from "./reader/pdf-file";
import { nameOf, type PdfDict } from "./reader/pdf-object";

/** Keys whose value is a dictionary of freely chosen names: what is called `JS` in there is a font or a picture. */
export const NAME_MAPS: ReadonlySet<string> = new Set([
  "Font",
  "XObject",
  "ExtGState",
  "ColorSpace",
  "Pattern",
  "Shading",
  "Properties",
  "CharProcs",
  "Colorants",
]);

/**
 * True where `key` may be copied. Left behind are scripts, files, links to the outside below the page, private data of
 * other programs, foreign metadata, and the structure tree, whose roots do not come along. [C112]
 */
export function keepsKey(key: string): boolean {
  return !REFUSED.has(key);
}

/** True for a dictionary that is an action or an annotation of the refused kinds, whatever leads to it. */
export function isActive(file: PdfFile, dict: PdfDict): boolean {
  const type = dict.has("S") ? nameOf(file.get(dict, "S")) : null;
  if (type !== null && nameOf(file.get(dict, "Type")) !== "StructElem" && ACTIVE_ACTIONS.has(type)) return true;
  return dict.has("Rect") && ACTIVE_ANNOTATIONS.has(nameOf(file.get(dict, "Subtype")) ?? "");
}

/** ISO 32000-2, 12.6.4: all but moving about in the document and opening addresses. */
export const ACTIVE_ACTIONS: ReadonlySet<string> = new Set([
  "GoTo3DView",
  "GoToE",
  "GoToR",
  "Hide",
  "ImportData",
  "JavaScript",
  "Launch",
  "Movie",
  "Named",
  "Rendition",
  "ResetForm",
  "RichMediaExecute",
  "SetOCGState",
  "Sound",
  "SubmitForm",
]);

export const ACTIVE_ANNOTATIONS: ReadonlySet<string> = new Set([
  "3D",
  "FileAttachment",
  "Movie",
  "RichMedia",
  "Screen",
  "Sound",
  "Widget",
]);

const REFUSED: ReadonlySet<string> = new Set([
  "AA",
  "AcroForm",
  "AF",
  "Alternates",
  "CIDSet",
  "EF",
  "EmbeddedFiles",
  "JS",
  "JavaScript",
  "LastModified",
  "Metadata",
  "Movie",
  "OPI",
  "OpenAction",
  "PieceInfo",
  "PresSteps",
  "Rendition",
  "RichMedia",
  "RichMediaContent",
  "RichMediaSettings",
  "Sound",
  "StructParent",
  "StructParents",
  "Thumb",
  "XFA",
]);
