import { PDFDocument, PDFName } from "pdf-lib";
import type { RequestOf } from "@/worker/renderer/requests";
import { decimal } from "./drawn-text";
import { multiply } from "./page-frame";
import type { Picture } from "./picture";
import { embedPicture } from "./picture-object";
import { placePicture } from "./picture-page";

export interface PreparedPicture {
  readonly document: PDFDocument;
  readonly size: [number, number];
}

/** Puts a picture on a page of its own, upright and in the middle. */
export async function pageOfPicture(picture: Picture, request: RequestOf<"prepare">): Promise<PreparedPicture> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const { page, x, y, width, height } = placePicture(picture, request.paper);
  const sideMax = request.reduced ? REDUCED_SIDE_MAX : null;
  const { ref, turn } = await embedPicture(context, picture, request.limits.pixelsMax, sideMax);
  const leaf = document.addPage([...page]).node;
  const at = multiply(turn, [width, 0, 0, height, x, y]);
  leaf.set(PDFName.of("Resources"), context.obj({ XObject: { Picture: ref } }));
  leaf.set(
    PDFName.of("Contents"),
    context.register(context.stream(`q ${at.map(decimal).join(" ")} cm /Picture Do Q\n`)),
  );
  return { document, size: [...page] };
}

const REDUCED_SIDE_MAX = 900;
