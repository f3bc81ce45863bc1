import { PacketFailure } from "@/server/domain/failure";
import { NAME_MAPS } from "./copy-policy";
import { walkGraph } from "./graph-walk";
import { FINISHED_LIMITS, ReadingBudget } from "./reader/budget";
import { findStartXref, readCrossReference } from "./reader/cross-reference";
import { SyntaxFault } from "./reader/object-syntax";
import { catalogOf, readPages } from "./reader/page-tree";
import { PdfFile } from "./reader/pdf-file";
import { latin1, PdfStream, textOf } from "./reader/pdf-object";

/** What the strict reader finds in a file that we wrote ourselves. */
export interface GateFacts {
  readonly hasSignature: boolean;
  readonly endsProperly: boolean;
  /** False where limits were passed: no other parser should be shown the file. */
  readonly isSafeToOpen: boolean;
  readonly pages: number | null;
  readonly encrypted: boolean;
  readonly title: string | null;
  readonly language: string | null;
  readonly hasIdentifier: boolean;
  readonly fontsNotEmbedded: string[];
  readonly activeContent: string[];
  readonly archivalClaim: string | null;
  readonly faults: string[];
}

export function gateFinished(bytes: Uint8Array, onProgress: () => void): GateFacts {
  const hasSignature = /^%PDF-1\.[4-7]/.test(latin1(bytes.subarray(0, 8)));
  const start = findStartXref(bytes);
  const endsProperly = /startxref\n\d+\n%%EOF\n?$/.test(latin1(bytes.subarray(-64)));
  const faults: string[] = [];
  const none = {
    hasSignature,
    endsProperly,
    isSafeToOpen: false,
    pages: null,
    encrypted: false,
    title: null,
    language: null,
    hasIdentifier: false,
    fontsNotEmbedded: [],
    activeContent: [],
    archivalClaim: null,
  };
  try {
    const budget = new ReadingBudget(FINISHED_LIMITS);
    if (start === null) return { ...none, faults: ["xref_missing"] };
    const file = new PdfFile(bytes, readCrossReference(bytes, start.offset, budget), budget, false);
    const pages = readPages(file, Number.POSITIVE_INFINITY).length;
    const info = file.get(file.trailer, "Info");
    const metadata = file.get(catalogOf(file), "Metadata");
    const xmp = metadata instanceof PdfStream ? Buffer.from(file.decode(metadata).bytes).toString() : "";
    const part = /<pdfaid:part>(\d)<\/pdfaid:part>/.exec(xmp)?.[1];
    const level = /<pdfaid:conformance>(\w)<\/pdfaid:conformance>/.exec(xmp)?.[1]?.toLowerCase();
    return {
      ...none,
      isSafeToOpen: true,
      pages,
      encrypted: file.trailer.has("Encrypt"),
      title: info instanceof Map ? textOf(file.get(info, "Title")) : null,
      language: textOf(file.get(catalogOf(file), "Lang")),
      hasIdentifier: Array.isArray(file.get(file.trailer, "ID")),
      archivalClaim: part === undefined || level === undefined ? null : part + level,
      faults,
    };
  } catch (error) {
    if (error instanceof SyntaxFault) return { ...none, faults: ["xref_unreadable"] };
    if (error instanceof PacketFailure) return { ...none, faults: [error.code] };
    throw error;
  }
}
