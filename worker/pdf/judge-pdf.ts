import { PacketFailure } from "@/server/domain/failure";
import type { Disclosure, RequestOf } from "@/worker/renderer/requests";
import { Destinations } from "./destinations";
import { frameOf } from "./page-frame";
import { openForeign } from "./reader/open-foreign";
import { readPages, type SourcePage } from "./reader/page-tree";
import type { PdfFile } from "./reader/pdf-file";
import { secondOpinion } from "./second-opinion";
import { featuresOf, type SourceFeatures } from "./source-features";
import { checkStreams } from "./stream-check";

/** A foreign PDF that passed every check, open for copying. */
export interface AcceptedPdf {
  /** The original from its header on. */
  readonly bytes: Uint8Array;
  readonly file: PdfFile;
  readonly pages: readonly SourcePage[];
  readonly destinations: Destinations;
  readonly disclosures: ReadonlySet<Disclosure>;
  readonly features: SourceFeatures;
}

type Terms = Pick<RequestOf<"inspect">, "limits" | "strict">;

/**
 * Judges a foreign PDF: first with our own bounded reader, then by the page count of the second parser, which never sees a
 * file that passes a limit. Throws the source failure where the file cannot be used. [C108,C110,C111]
 */
export async function judgePdf(
  bytes: Uint8Array,
  headerAt: number,
  { limits, strict }: Terms,
  onProgress: () => void,
): Promise<AcceptedPdf> {
  const { file, pages } = await openReadable(bytes, headerAt, limits, onProgress);
  if (pages.length === 0) throw new PacketFailure("source_no_pages");
  checkSizes(file, pages);
  const features = featuresOf(file, pages);
  if (features.xfa) throw new PacketFailure("source_unsupported_form");
  if (strict && (features.active || features.attachments)) throw new PacketFailure("source_active_content");
  onProgress();
  const opinion = await secondOpinion(bytes.subarray(headerAt), onProgress);
  if (opinion.pages !== pages.length) {
    throw new PacketFailure("source_malformed", { detail: "the second parser counts other pages" });
  }
  const disclosures = disclosuresOf(file, features, opinion.imageOnly);
  const destinations = new Destinations(file, pages);
  return { bytes: bytes.subarray(headerAt), file, pages, destinations, disclosures, features };
}

/** True where a copy must be made to know whether the file can be used: mended, decrypted, carelessly written, or with a form to draw. */
export function isDoubtful({ file, features }: AcceptedPdf): boolean {
  return file.repaired || file.isEncrypted || file.untidy.size > 0 || features.needsFlattening;
}

interface Readable {
  readonly file: PdfFile;
  readonly pages: readonly SourcePage[];
}

/** Trusts the cross-reference as long as everything it leads to is there, else rebuilds it from the objects. */
async function openReadable(
  bytes: Uint8Array,
  headerAt: number,
  limits: Terms["limits"],
  onProgress: () => void,
): Promise<Readable> {
  const open = async (mode: "trusting" | "rebuilding"): Promise<Readable> => {
    const file = openForeign(bytes, headerAt, mode);
    const pages = readPages(file, limits.pagesMax);
    await checkStreams(file, pages, limits.pixelsMax, onProgress);
    return { file, pages };
  };
  const trusted = await attempt(() => open("trusting"));
  if (!(trusted instanceof PacketFailure) && !trusted.file.lostObjects) return trusted;
  if (trusted instanceof PacketFailure && trusted.code !== "source_malformed") throw trusted;
  const rebuilt = await attempt(() => open("rebuilding"));
  if (!(rebuilt instanceof PacketFailure)) return rebuilt;
  if (trusted instanceof PacketFailure) throw trusted;
  return trusted;
}

/** A broken table is no verdict yet: the objects may be whole. */
async function attempt(open: () => Promise<Readable>): Promise<Readable | PacketFailure> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof PacketFailure) return error;
    throw error;
  }
}

function checkSizes(file: PdfFile, pages: readonly SourcePage[]): void {
  pages.forEach((page, index) => {
    const { width, height } = frameOf(file, page);
    if (Math.max(width, height) > SIDE_MAX) throw new PacketFailure("source_dimensions", { page: index + 1 });
  });
}

function disclosuresOf(file: PdfFile, features: SourceFeatures, imageOnly: boolean): Set<Disclosure> {
  const facts: [boolean, Disclosure][] = [
    [features.active, "active_content_removed"],
    [features.attachments, "attachments_removed"],
    [features.signature, "signature_flattened"],
    [features.form, "form_flattened"],
    [file.isEncrypted, "decrypted"],
    [features.hidden, "hidden_annotations_removed"],
    [file.repaired, "repaired"],
    [imageOnly, "image_only"],
    [!features.tagged, "untagged"],
  ];
  return new Set(facts.flatMap(([is, disclosure]) => (is ? [disclosure] : [])));
}

/** 200 inches: the largest page that ISO 32000-1 knows. */
const SIDE_MAX = 14_400;
