import { PacketFailure } from "@/server/domain/failure";
import { showsSomething } from "./drawn-pages";
import { withPdfium } from "./pdfium";

/**
 * Holds a copy against its original page by page: where the second parser sees something in the original, the copy must
 * show something too. Throws `source_malformed` with the page. For files that were mended or decrypted, where our reading
 * and the viewer's may part. [C285]
 */
export async function checkCopy(original: Uint8Array, copy: Uint8Array, onProgress: () => void): Promise<void> {
  const shown = await pagesWithInk(original, onProgress);
  const copied = await pagesWithInk(copy, onProgress);
  const lost = copied.findIndex((shows, index) => shows !== true && shown[index] === true);
  if (lost >= 0) throw new PacketFailure("source_malformed", { detail: "a page would be blank", page: lost + 1 });
}

async function pagesWithInk(bytes: Uint8Array, onProgress: () => void): Promise<(boolean | null)[]> {
  return withPdfium(bytes, async (document) => {
    const pages: (boolean | null)[] = [];
    for (let index = 0; index < document.getPageCount(); index += 1) {
      pages.push(await showsSomething(document.getPage(index)));
      onProgress();
    }
    return pages;
  });
}
