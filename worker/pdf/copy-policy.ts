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

const REFUSED: ReadonlySet<string> = new Set([
  "AA",
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
