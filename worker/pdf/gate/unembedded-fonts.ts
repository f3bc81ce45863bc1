import type { PdfFile } from "../reader/pdf-file";
import { nameOf, type PdfDict, PdfStream } from "../reader/pdf-object";

/** Returns the name of a font whose program is not in the file; the standard 14 are such fonts too. Null for all else. */
export function unembeddedFontIn(file: PdfFile, dict: PdfDict): string | null {
  if (nameOf(file.get(dict, "Type")) !== "Font") return null;
  const subtype = nameOf(file.get(dict, "Subtype"));
  // A Type 0 font is what its descendant is; the glyphs of a Type 3 font are content streams.
  if (subtype === "Type0" || subtype === "Type3") return null;
  const descriptor = file.get(dict, "FontDescriptor");
  const programs = ["FontFile", "FontFile2", "FontFile3"];
  if (descriptor instanceof Map && programs.some((key) => file.get(descriptor, key) instanceof PdfStream)) return null;
  return nameOf(file.get(dict, "BaseFont")) ?? "unnamed";
}
