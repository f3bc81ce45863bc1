import { createHash } from "node:crypto";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import { PDFDocument } from "pdf-lib";

export interface ReadPdf {
  readonly title: string | undefined;
  /** The words of each page, white space as single spaces. */
  readonly pages: readonly string[];
  /** Width and height of each page as it is shown, in whole points. */
  readonly sizes: readonly (readonly [width: number, height: number])[];
  readonly digest: string;
}

let library: Promise<PDFiumLibrary> | null = null;

/** Returns what people see of a finished file. Throws where either of two independent parsers refuses it, or where they count different pages. */
export async function readPdf(bytes: Buffer): Promise<ReadPdf> {
  library ??= PDFiumLibrary.init();
  // Never closed: the wrapper cannot close pages, and a document must not go before its pages. The process is short-lived.
  const document = await (await library).loadDocument(bytes);
  const pages = Array.from(document.pages(), (page) => {
    const { originalWidth, originalHeight } = page.getOriginalSize();
    return {
      text: page.getText().replace(/\s+/g, " "),
      size: [Math.round(originalWidth), Math.round(originalHeight)] as const,
    };
  });
  const other = await PDFDocument.load(bytes, { updateMetadata: false });
  if (other.getPageCount() !== pages.length) throw new Error("The parsers count different pages.");
  return {
    title: other.getTitle(),
    pages: pages.map(({ text }) => text),
    sizes: pages.map(({ size }) => size),
    digest: `sha256:${createHash("sha256").update(bytes).digest("hex")}`,
  };
}

/** Returns the numbers of the pages, from 1, that hold these words. */
export function pagesWith(words: string, { pages }: ReadPdf): number[] {
  return pages.flatMap((text, index) => (text.includes(words) ? [index + 1] : []));
}
