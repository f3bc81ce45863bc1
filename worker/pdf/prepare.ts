import { writeFile } from "node:fs/promises";
import type { AnswerOf, RequestOf } from "@/worker/renderer/requests";
import { identifySource } from "./identify";
import { judgePdf } from "./judge-pdf";
import { visibleSizes } from "./page-frame";
import { disclosuresOfPicture, judgePicture } from "./picture";
import { cleanBytes } from "./prepare-pdf";
import { pageOfPicture } from "./prepare-picture";
import { readSource } from "./read-source";
import { saveDocument } from "./save-document";
import { asVerdict } from "./verdict";

/**
 * Writes a foreign file as clean pages: decrypted, upright, without active content, forms as plain content. It judges like
 * `inspect` and answers the same verdict where the file cannot be used. [C243]
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
      const { document, size } = await pageOfPicture(picture, request);
      await writeFile(request.outputPath, await saveDocument(document), { mode: 0o600 });
      return {
        result: "accept",
        type: source.type,
        pages: 1,
        sizes: [size],
        disclosures: disclosuresOfPicture(picture),
      };
    }
    const accepted = await judgePdf(bytes, source.headerAt, request, onProgress);
    const pagesMax = request.reduced ? REDUCED_PAGES_MAX : Number.POSITIVE_INFINITY;
    const clean = await cleanBytes(accepted, pagesMax, onProgress);
    await writeFile(request.outputPath, clean, { mode: 0o600 });
    onProgress();
    const kept = accepted.pages.slice(0, pagesMax);
    const sizes = visibleSizes(accepted.file, kept);
    return { result: "accept", type: source.type, pages: kept.length, sizes, disclosures: [...accepted.disclosures] };
  });
}

/** A preview shows the first pages of each source. */
const REDUCED_PAGES_MAX = 4;
