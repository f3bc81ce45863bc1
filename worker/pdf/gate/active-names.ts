import { ACTIVE_ACTIONS, ACTIVE_ANNOTATIONS } from "../copy-policy";
import type { PdfFile } from "../reader/pdf-file";
import { nameOf, type PdfDict } from "../reader/pdf-object";

/** Returns the names of whatever in this dictionary acts: keys and action types, escapes decoded. [C112] */
export function activeNameIn(file: PdfFile, dict: PdfDict): string[] {
  const names = [...dict.keys()].filter((key) => ACTIVE_KEYS.has(key) && dict.get(key) !== null);
  if (dict.has("OpenAction") && !Array.isArray(file.get(dict, "OpenAction"))) names.push("OpenAction");
  const type = nameOf(file.get(dict, "S"));
  if (type !== null && nameOf(file.get(dict, "Type")) !== "StructElem" && ACTIVE_ACTIONS.has(type)) names.push(type);
  const subtype = nameOf(file.get(dict, "Subtype"));
  if (subtype !== null && dict.has("Rect") && ACTIVE_ANNOTATIONS.has(subtype)) names.push(subtype);
  return names;
}

const ACTIVE_KEYS = new Set([
  "AA",
  "AcroForm",
  "EF",
  "EmbeddedFiles",
  "JS",
  "JavaScript",
  "RichMediaContent",
  "RichMediaSettings",
  "XFA",
]);
