import type { AnswerOf, RequestOf } from "@/worker/renderer/requests";
import { identifySource } from "./identify";
import { isDoubtful, judgePdf } from "./judge-pdf";
import { visibleSizes } from "./page-frame";
import { disclosuresOfPicture, judgePicture } from "./picture";
import { placePicture } from "./picture-page";
import { cleanBytes } from "./prepare-pdf";
import { readSource } from "./read-source";
import { asVerdict } from "./verdict";

/** Says what a file is and whether it may be used. The file's own faults are a verdict, never an error. */
export async function inspectSource(
  request: RequestOf<"inspect">,
  onProgress: () => void,
): Promise<AnswerOf<"inspect">> {
  return asVerdict(async () => {
    const bytes = await readSource(request.path, request.limits.bytesMax);
    const source = identifySource(bytes);
    onProgress();
    if (source.type !== "application/pdf") {
      const picture = await judgePicture(bytes, source.type, request.limits.pixelsMax);
      const [width, height] = placePicture(picture, "A4").page;
      const disclosures = disclosuresOfPicture(picture);
      return { result: "accept", type: source.type, pages: 1, sizes: [[width, height]], disclosures };
    }
    const accepted = await judgePdf(bytes, source.headerAt, request, onProgress);
    // What can only be found by making the copy is found now, while the person who brought the file is still there.
    if (isDoubtful(accepted)) await cleanBytes(accepted, Number.POSITIVE_INFINITY, onProgress);
    const { file, pages, disclosures } = accepted;
    const sizes = visibleSizes(file, pages);
    return { result: "accept", type: source.type, pages: pages.length, sizes, disclosures: [...disclosures] };
  });
}
