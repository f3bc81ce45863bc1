import { PacketFailure } from "@/server/domain/failure";
import type { Disclosure, RequestOf } from "@/worker/renderer/requests";
import { NAME_MAPS } from "./copy-policy";
import { Destinations } from "./destinations";
import { walkGraph } from "./graph-walk";
import { streamsOf } from "./page-contents";
import { frameOf } from "./page-frame";
import { withPdfium } from "./pdfium";
import { openForeign } from "./reader/open-foreign";
import { catalogOf, readPages, type SourcePage } from "./reader/page-tree";
import type { PdfFile } from "./reader/pdf-file";
import { nameOf, PdfRef, PdfStream } from "./reader/pdf-object";

/** A foreign PDF that passed every check, open for copying. */
export interface AcceptedPdf {
  readonly file: PdfFile;
  readonly pages: readonly SourcePage[];
  readonly destinations: Destinations;
  readonly disclosures: ReadonlySet<Disclosure>;
}

type Limits = RequestOf<"inspect">["limits"];
type Terms = Pick<RequestOf<"inspect">, "limits" | "strict">;

/**
 * Judges a foreign PDF before any other parser sees it, then asks the second parser for its page count. Throws the source
 * failure where it cannot be used. [C108,C110,C111]
 */
export async function judgePdf(
  bytes: Uint8Array,
  headerAt: number,
  { limits, strict }: Terms,
  onProgress: () => void,
): Promise<AcceptedPdf> {
  const { file, pages } = openReadable(bytes, headerAt, limits);
  const disclosures = new Set<Disclosure>();
  if (pages.length === 0) throw new PacketFailure("source_no_pages");
  checkForm(file);
  checkStreams(file, limits, onProgress);
  checkPages(file, pages, onProgress);
  await withPdfium(bytes.subarray(headerAt), (document) => {
    if (document.getPageCount() !== pages.length) {
      throw new PacketFailure("source_malformed", { detail: "the second parser counts other pages" });
    }
  });
  if (file.isEncrypted) disclosures.add("decrypted");
  if (file.repaired) disclosures.add("repaired");
  return { file, pages, destinations: new Destinations(file, pages), disclosures };
}

/** Trusts the cross-reference as long as everything it leads to is there, else rebuilds it. */
function openReadable(bytes: Uint8Array, headerAt: number, limits: Limits): { file: PdfFile; pages: SourcePage[] } {
  const file = openForeign(bytes, headerAt, "trusting");
  const pages = readPages(file, limits.pagesMax);
  return { file, pages };
}

function checkForm(file: PdfFile): void {
  const form = file.get(catalogOf(file), "AcroForm");
  const xfa = form instanceof Map ? file.get(form, "XFA") : null;
  if (xfa instanceof PdfStream || (Array.isArray(xfa) && xfa.length > 0)) {
    throw new PacketFailure("source_unsupported_form");
  }
}

function checkStreams(file: PdfFile, limits: Limits, onProgress: () => void): void {
  walkGraph(
    file,
    (key) => NAME_MAPS.has(key),
    (_dict, stream) => {
      if (stream === null) return;
      onProgress();
      if (nameOf(file.get(stream.dict, "Subtype")) === "Image") checkPicture(file, stream, limits);
      else file.decode(stream);
    },
  );
}

function checkPicture(file: PdfFile, stream: PdfStream, limits: Limits): void {
  const width = file.get(stream.dict, "Width");
  const height = file.get(stream.dict, "Height");
  if (typeof width !== "number" || typeof height !== "number") return;
  if (width * height > limits.pixelsMax) throw new PacketFailure("source_dimensions");
}

function checkPages(file: PdfFile, pages: readonly SourcePage[], onProgress: () => void): void {
  pages.forEach((page, index) => {
    onProgress();
    const { width, height } = frameOf(file, page);
    if (Math.max(width, height) > SIDE_MAX) throw new PacketFailure("source_dimensions", { page: index + 1 });
    for (const { stream } of streamsOf(file, page.dict.get("Contents"))) {
      if (file.decode(stream).damaged) throw new PacketFailure("source_malformed", { page: index + 1 });
    }
  });
}

/** 200 inches: the largest page that ISO 32000-1 knows. */
const SIDE_MAX = 14_400;
