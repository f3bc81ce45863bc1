import { isHidden, isPlainAnnotation } from "./annotation-flags";
import { NAME_MAPS } from "./copy-policy";
import { walkGraph } from "./graph-walk";
import { isWebAddress } from "./link-actions";
import { catalogOf, type SourcePage } from "./reader/page-tree";
import type { PdfFile } from "./reader/pdf-file";
import { latin1, nameOf, type PdfDict, PdfStream, PdfString } from "./reader/pdf-object";

/** What a foreign PDF holds beside its pages; each of these changes what becomes of it, and people are told. */
export interface SourceFeatures {
  /** Scripts, programs, media, addresses of other files: everything that acts. */
  readonly active: boolean;
  readonly attachments: boolean;
  readonly signature: boolean;
  readonly form: boolean;
  /** Annotations that can stay only as plain content: fields, media, attachments. */
  readonly needsFlattening: boolean;
  readonly hidden: boolean;
  readonly tagged: boolean;
  readonly xfa: boolean;
}

/** Looks through every object that the file leads to: keys hide in object streams and behind escapes. [C112] */
export function featuresOf(file: PdfFile, pages: readonly SourcePage[]): SourceFeatures {
  let active = false;
  let attachments = false;
  let signature = false;
  walkGraph(
    file,
    (key) => NAME_MAPS.has(key),
    (dict, _stream, isMap) => {
      if (isMap) return;
      active ||= isActive(file, dict);
      attachments ||=
        dict.has("EF") || dict.has("EmbeddedFiles") || nameOf(file.get(dict, "Subtype")) === "FileAttachment";
      signature ||= Array.isArray(file.get(dict, "ByteRange")) || isSignedField(file, dict);
    },
  );
  const catalog = catalogOf(file);
  const form = file.get(catalog, "AcroForm");
  const xfa = form instanceof Map ? file.get(form, "XFA") : null;
  const marks = file.get(catalog, "MarkInfo");
  return {
    active,
    attachments,
    signature,
    ...annotationsOf(file, pages),
    tagged: catalog.has("StructTreeRoot") && marks instanceof Map && file.get(marks, "Marked") === true,
    xfa: xfa instanceof PdfStream || (Array.isArray(xfa) && xfa.length > 0),
  };
}

function isActive(file: PdfFile, dict: PdfDict): boolean {
  if (dict.has("JS") || dict.has("JavaScript") || dict.has("RichMediaContent")) return true;
  const type = nameOf(file.get(dict, "S"));
  if (type !== null && ACTIVE_ACTIONS.has(type) && nameOf(file.get(dict, "Type")) !== "StructElem") return true;
  if (type === "Named" && !HARMLESS_NAMED.has(nameOf(file.get(dict, "N")) ?? "")) return true;
  const uri = type === "URI" ? file.get(dict, "URI") : null;
  if (uri instanceof PdfString && !isWebAddress(latin1(uri.bytes))) return true;
  return dict.has("Rect") && ACTIVE_ANNOTATIONS.has(nameOf(file.get(dict, "Subtype")) ?? "");
}

function isSignedField(file: PdfFile, dict: PdfDict): boolean {
  return nameOf(file.get(dict, "FT")) === "Sig" && file.get(dict, "V") instanceof Map;
}

function annotationsOf(
  file: PdfFile,
  pages: readonly SourcePage[],
): Pick<SourceFeatures, "form" | "hidden" | "needsFlattening"> {
  let form = false;
  let needsFlattening = false;
  let hidden = false;
  for (const { dict } of pages) {
    const annotations = file.get(dict, "Annots");
    for (const item of Array.isArray(annotations) ? annotations : []) {
      const annotation = file.resolve(item);
      if (!(annotation instanceof Map)) continue;
      const subtype = nameOf(file.get(annotation, "Subtype")) ?? "";
      form ||= subtype === "Widget";
      needsFlattening ||= !isPlainAnnotation(subtype) && subtype !== "Popup";
      hidden ||= subtype !== "Popup" && isHidden(file, annotation);
    }
  }
  return { form, hidden, needsFlattening };
}

/** ISO 32000-2, 12.6.4: all but moving about in the document and opening web addresses. */
const ACTIVE_ACTIONS = new Set([
  "JavaScript",
  "Launch",
  "SubmitForm",
  "ImportData",
  "ResetForm",
  "Hide",
  "Movie",
  "Sound",
  "Rendition",
  "SetOCGState",
  "GoToR",
  "GoToE",
  "GoTo3DView",
  "RichMediaExecute",
]);
const HARMLESS_NAMED = new Set(["NextPage", "PrevPage", "FirstPage", "LastPage"]);
const ACTIVE_ANNOTATIONS = new Set(["Screen", "Movie", "Sound", "RichMedia", "3D"]);
