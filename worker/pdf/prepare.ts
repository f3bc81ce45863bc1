import { writeFile } from "node:fs/promises";
import type { PDFDocument } from "pdf-lib";
import type { AnswerOf, RequestOf } from "@/worker/renderer/requests";
import { identifySource } from "./identify";
import { judgePdf } from "./judge-pdf";
import { visibleSizes } from "./page-frame";
import { judgePicture } from "./picture";
import { cleanPdf } from "./prepare-pdf";
import { pageOfPicture } from "./prepare-picture";
import { readSource } from "./read-source";
import { sweepUnreachable } from "./sweep";
import { asVerdict } from "./verdict";

/**
 * Writes a foreign file as clean pages: decrypted, upright, without active content, forms as plain content. It judges like
 * `inspect` and answers the same verdict where the file cannot be used.
 */
export async function prepareSource(
  request: RequestOf<"prepare">,
  onProgress: () => void,
): Promise<AnswerOf<"prepare">> {
  return asVerdict(async () => {
    const bytes = await readSource(request.path, request.limits.bytesMax);
    const source = identifySource(bytes);
    onProgress();
    if (source.type !== "application/pdf") {
      const picture = await judgePicture(bytes, source.type, request.limits.pixelsMax);
      const { document, size, disclosures } = await pageOfPicture(picture, request);
      await save(document, request.outputPath);
      return { result: "accept", type: source.type, pages: 1, sizes: [size], disclosures };
    }
    const accepted = await judgePdf(bytes, source.headerAt, request, onProgress);
    const clean = await cleanPdf(accepted, request.reduced ? REDUCED_PAGES_MAX : Number.POSITIVE_INFINITY, onProgress);
    await save(clean.document, request.outputPath);
    onProgress();
    return {
      result: "accept",
      type: source.type,
      pages: clean.pages,
      sizes: visibleSizes(accepted.file, accepted.pages.slice(0, clean.pages)),
      disclosures: [...new Set([...accepted.disclosures, ...clean.disclosures])],
    };
  });
}

async function save(document: PDFDocument, path: string): Promise<void> {
  await document.flush();
  sweepUnreachable(document.context);
  const bytes = await document.save({ addDefaultPage: false, useObjectStreams: false, updateFieldAppearances: false });
  await writeFile(path, bytes, { mode: 0o600 });
}

/** A preview shows the first pages of each source. */
const REDUCED_PAGES_MAX = 4;
