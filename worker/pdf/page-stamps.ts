import { readFile } from "node:fs/promises";
import type { PDFContext, PDFDocument, PDFObject } from "pdf-lib";
import type { RequestOf } from "@/worker/renderer/requests";
import { addResource, type CopiedPage } from "./copy-page";
import { embedFace } from "./drawn-text";
import { NumberPainter, numberText } from "./page-numbers";
import { FINISHED_LIMITS } from "./reader/budget";
import { openForeign } from "./reader/open-foreign";
import { type StampForm, stampFormOf, stampOperators } from "./stamp-form";
import { diagonalWords } from "./watermark";

type Request = RequestOf<"assemble">;

/** What is laid over the pages of a book: watermark, preview mark, page number, in this order. */
export class PageStamps {
  private constructor(
    private readonly context: PDFContext,
    private readonly numbers: Request["pageNumbers"],
    private readonly pages: number,
    private readonly painter: NumberPainter,
    private readonly forms: readonly StampForm[],
  ) {}

  /** Embeds font and drawings once for the whole book. */
  static async prepare(document: PDFDocument, request: Request, pages: number): Promise<PageStamps> {
    const forms: StampForm[] = [];
    if (request.stampPath !== null) forms.push(formOf(document, await readFile(request.stampPath)));
    if (request.previewMark !== null) forms.push(formOf(document, await previewMark(request.previewMark)));
    const painter = new NumberPainter(await embedFace(document, "inter"));
    return new PageStamps(document.context, request.pageNumbers, pages, painter, forms);
  }

  /** Draws over page `number` of the book and returns the streams that do so. */
  over(page: CopiedPage, number: number): PDFObject[] {
    const parts = this.forms.map((form) => stampOperators(page.frame, form, addResource(page, "XObject", form.ref)));
    if (number >= this.numbers.from) {
      const text = numberText(this.numbers.style, number, this.pages);
      parts.push(this.painter.operators(page.frame, addResource(page, "Font", this.painter.font.ref), text));
    }
    return parts.length === 0 ? [] : [this.context.register(this.context.stream(parts.join("")))];
  }
}

function formOf(document: PDFDocument, bytes: Uint8Array): StampForm {
  return stampFormOf(openForeign(bytes, 0, "trusting", FINISHED_LIMITS), document.context);
}

/** Darker and redder than any watermark: nobody takes a preview for the record. */
async function previewMark(words: string): Promise<Uint8Array> {
  const document = await diagonalWords(words, { fill: "0.75 0.12 0.12", fillOpacity: 0.38, outlineOpacity: 0.75 });
  return document.save({ addDefaultPage: false, useObjectStreams: false, updateFieldAppearances: false });
}
