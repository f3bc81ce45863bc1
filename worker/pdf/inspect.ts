import type { AnswerOf, RequestOf } from "@/worker/renderer/requests";
import { identifySource } from "./identify";
import { judgePdf } from "./judge-pdf";
import { visibleSizes } from "./page-frame";
import { judgePicture } from "./picture";
import { placePicture } from "./picture-page";
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
      return {
        result: "accept",
        type: source.type,
        pages: 1,
        sizes: [[width, height]],
        disclosures: ["image_only", "untagged"],
      };
    }
    const { file, pages, disclosures } = await judgePdf(bytes, source.headerAt, request, onProgress);
    const sizes = visibleSizes(file, pages);
    return { result: "accept", type: source.type, pages: pages.length, sizes, disclosures: [...disclosures] };
  });
}
