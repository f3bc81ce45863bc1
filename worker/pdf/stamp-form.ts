import { type PDFContext, PDFName, PDFRawStream, type PDFRef } from "pdf-lib";
import { decimal } from "./drawn-text";
import { ObjectCopier } from "./object-copier";
import { streamsOf } from "./page-contents";
import { frameOf, multiply, type PageFrame } from "./page-frame";
import { readPages } from "./reader/page-tree";
import type { PdfFile } from "./reader/pdf-file";

/** A drawing that is stored once and laid over many pages. */
export interface StampForm {
  readonly ref: PDFRef;
  readonly width: number;
  readonly height: number;
}

/** Copies the first page of `file` as one form XObject. Throws where the file has no page. */
export function stampFormOf(file: PdfFile, context: PDFContext): StampForm {
  const [page] = readPages(file, 1);
  if (page === undefined) throw new Error("The stamp has no page.");
  const { media } = frameOf(file, page);
  const content = streamsOf(file, page.dict.get("Contents")).map(({ stream }) => file.decode(stream).bytes);
  const resources = new ObjectCopier(file, context).copy(page.dict.get("Resources") ?? page.inherited.get("Resources"));
  const dict = context.obj({
    Type: "XObject",
    Subtype: "Form",
    BBox: [...media],
    Resources: resources,
    Group: { S: "Transparency", I: true },
  });
  const form = PDFRawStream.of(dict, Buffer.concat(content));
  form.dict.set(PDFName.of("Length"), context.obj(form.contents.length));
  return { ref: context.register(form), width: media[2] - media[0], height: media[3] - media[1] };
}

/** Operators that lay the stamp over the middle of the visible page, upright, as large as fits. */
export function stampOperators(frame: PageFrame, stamp: StampForm, resource: string): string {
  const scale = Math.min(frame.width / stamp.width, frame.height / stamp.height);
  const x = (frame.width - stamp.width * scale) / 2;
  const y = (frame.height - stamp.height * scale) / 2;
  const at = multiply([scale, 0, 0, scale, x, y], frame.upright);
  return `/Artifact << /Type /Pagination /Subtype /Watermark >> BDC q ${at.map(decimal).join(" ")} cm /${resource} Do Q EMC\n`;
}
