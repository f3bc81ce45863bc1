import type { PDFiumDocument, PDFiumPage } from "@hyzyla/pdfium";
import { readPage, withPdfium } from "./pdfium";

export interface SecondOpinion {
  readonly pages: number;
  /** True where the first pages hold pictures and no text: a scan that nobody can search. */
  readonly imageOnly: boolean;
}

/** Asks the second parser how many pages a file has and whether they can be read as text. */
export async function secondOpinion(bytes: Uint8Array, onProgress: () => void): Promise<SecondOpinion> {
  return withPdfium(bytes, (document) => {
    const pages = document.getPageCount();
    return { pages, imageOnly: isImageOnly(document, Math.min(pages, PAGES_LOOKED_AT), onProgress) };
  });
}

function isImageOnly(document: PDFiumDocument, pages: number, onProgress: () => void): boolean {
  let pictures = 0;
  for (let index = 0; index < pages; index += 1) {
    const found = readPage(document, index, contentOf);
    onProgress();
    if (found === "text") return false;
    if (found === "picture") pictures += 1;
  }
  return pictures > 0;
}

function contentOf(page: PDFiumPage): "text" | "picture" | "neither" {
  if (page.getObjectCount() <= 0) return "neither";
  if (page.getText().trim() !== "") return "text";
  for (const object of page.objects()) if (object.type === "image") return "picture";
  return "neither";
}

const PAGES_LOOKED_AT = 20;
