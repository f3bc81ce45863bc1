import { type PDFiumDocument, PDFiumLibrary, type PDFiumPage } from "@hyzyla/pdfium";
import { PacketFailure } from "@/server/domain/failure";

let library: Promise<PDFiumLibrary> | null = null;

/**
 * Opens `bytes` with the second parser and closes them again when `use` is done. Throws `source_encrypted` or
 * `source_malformed` where it refuses them, and `source_exhausts_limits` where it runs out of memory.
 */
export async function withPdfium<T>(bytes: Uint8Array, use: (document: PDFiumDocument) => Promise<T> | T): Promise<T> {
  library ??= PDFiumLibrary.init();
  let document: PDFiumDocument | null = null;
  try {
    document = await open(await library, bytes);
    return await use(document);
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    // After an abort the instance is unusable: the next file gets a new one, and this one is not closed.
    library = null;
    document = null;
    throw new PacketFailure("source_exhausts_limits", { detail: "second parser", cause: error });
  } finally {
    document?.destroy();
  }
}

/** Reads one page and gives its memory back. Not for drawing: the wrapper closes a page once it is drawn, and only then. */
export function readPage<T>(document: PDFiumDocument, index: number, read: (page: PDFiumPage) => T): T {
  const page = document.getPage(index);
  try {
    return read(page);
  } finally {
    // biome-ignore lint/complexity/useLiteralKeys: the types call these private, and nothing public closes a page
    if (page["pageIdx"] !== 0) page["module"]._FPDF_ClosePage(page["pageIdx"]);
  }
}

async function open(pdfium: PDFiumLibrary, bytes: Uint8Array): Promise<PDFiumDocument> {
  try {
    return await pdfium.loadDocument(bytes);
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError || !(error instanceof Error)) throw error;
    const code = /password|security/i.test(error.message) ? "source_encrypted" : "source_malformed";
    throw new PacketFailure(code, { detail: "second parser", cause: error });
  }
}
