import type { PDFiumPage } from "@hyzyla/pdfium";
import { PacketFailure } from "@/server/domain/failure";
import { withPdfium } from "./pdfium";

export interface DrawnPages {
  /** Null where the second parser could not open the file. */
  readonly pages: number | null;
  readonly read: number;
  /** Pages, from 1, on which nothing shows. */
  readonly blank: number[];
}

/** Loads and draws every page with the second parser, small. */
export async function drawAllPages(bytes: Uint8Array, onProgress: () => void): Promise<DrawnPages> {
  const blank: number[] = [];
  let read = 0;
  let pages: number | null = null;
  try {
    await withPdfium(bytes, async (document) => {
      pages = document.getPageCount();
      for (let index = 0; index < pages; index += 1) {
        const shows = await showsSomething(document.getPage(index));
        onProgress();
        if (shows === null) continue;
        read += 1;
        if (!shows) blank.push(index + 1);
      }
    });
  } catch (error) {
    // A file that the second parser refuses is a fact about the file.
    if (!(error instanceof PacketFailure)) throw error;
  }
  return { pages, read, blank };
}

/** True where a small drawing of the page has any ink; null where the page cannot be drawn. */
export async function showsSomething(page: PDFiumPage): Promise<boolean | null> {
  const { originalWidth, originalHeight } = page.getOriginalSize();
  if (!(originalWidth > 0 && originalHeight > 0)) return null;
  const scale = SIDE / Math.max(originalWidth, originalHeight);
  const width = Math.max(1, Math.round(originalWidth * scale));
  const height = Math.max(1, Math.round(originalHeight * scale));
  const { data } = await page.render({
    width,
    height,
    scale: 1,
    colorSpace: "Gray",
    render: "bitmap",
    renderFormFields: false,
  });
  return data.some((value) => value < PAPER);
}

const SIDE = 160;
const PAPER = 252;
