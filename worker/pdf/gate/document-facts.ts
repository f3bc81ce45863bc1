import { NAME_MAPS } from "../copy-policy";
import { walkGraph } from "../graph-walk";
import { catalogOf } from "../reader/page-tree";
import type { PdfFile } from "../reader/pdf-file";
import { PdfStream, PdfString, textOf } from "../reader/pdf-object";
import { activeNameIn } from "./active-names";
import { unembeddedFontIn } from "./unembedded-fonts";

/** What the document says of itself, and what must not be in it. */
export interface DocumentFacts {
  readonly title: string | null;
  readonly language: string | null;
  readonly hasIdentifier: boolean;
  readonly fontsNotEmbedded: readonly string[];
  readonly activeContent: readonly string[];
  /** PDF/A part and level that the XMP packet claims, such as `2u`. */
  readonly archivalClaim: string | null;
}

/** Reads metadata and looks through every object for fonts that are not embedded and for anything that acts. */
export function readDocumentFacts(file: PdfFile): DocumentFacts {
  const fonts = new Set<string>();
  const active = new Set<string>();
  walkGraph(
    file,
    (key) => NAME_MAPS.has(key),
    (dict, _stream, isMap) => {
      if (isMap) return;
      for (const name of activeNameIn(file, dict)) active.add(name);
      const font = unembeddedFontIn(file, dict);
      if (font !== null) fonts.add(font);
    },
  );
  const info = file.get(file.trailer, "Info");
  return {
    title: info instanceof Map ? textOf(file.get(info, "Title")) : null,
    language: textOf(file.get(catalogOf(file), "Lang")),
    hasIdentifier: hasIdentifier(file),
    fontsNotEmbedded: [...fonts].sort(),
    activeContent: [...active].sort(),
    archivalClaim: claimOf(file),
  };
}

function hasIdentifier(file: PdfFile): boolean {
  const identifier = file.get(file.trailer, "ID");
  if (!Array.isArray(identifier) || identifier.length !== 2) return false;
  return identifier.every((part) => part instanceof PdfString && part.bytes.length === 16);
}

function claimOf(file: PdfFile): string | null {
  const metadata = file.get(catalogOf(file), "Metadata");
  if (!(metadata instanceof PdfStream)) return null;
  const packet = new TextDecoder().decode(file.decode(metadata).bytes);
  const part = /<pdfaid:part>([1-4])<\/pdfaid:part>/.exec(packet)?.[1];
  const level = /<pdfaid:conformance>([ABUEF])<\/pdfaid:conformance>/.exec(packet)?.[1];
  return part === undefined || level === undefined ? null : part + level.toLowerCase();
}
