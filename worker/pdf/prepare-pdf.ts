import { PDFDocument, PDFName, type PDFRef } from "pdf-lib";
import { PacketFailure } from "@/server/domain/failure";
import { pageTreeOf } from "./book-parts";
import { destinationArray } from "./copy-annotations";
import { checkCopy } from "./copy-check";
import { copyPage, setPages } from "./copy-page";
import type { LocalDestination, NamedElsewhere } from "./destinations";
import { FieldPainter } from "./form/field-painter";
import { flattenAnnotations } from "./form/flatten-annotations";
import { type AcceptedPdf, isDoubtful } from "./judge-pdf";
import { Layers } from "./layers";
import { ObjectCopier } from "./object-copier";
import { type OutlineEntry, writeOutline } from "./outline";
import { saveStream, wrapContents } from "./page-contents";
import { saveDocument } from "./save-document";
import { type Bookmark, readBookmarks } from "./source-bookmarks";

/**
 * Returns the bytes of a clean copy of the first `pagesMax` pages. Throws the source failure, with the page, where the copy
 * would not show what the original shows.
 */
export async function cleanBytes(accepted: AcceptedPdf, pagesMax: number, onProgress: () => void): Promise<Uint8Array> {
  const bytes = await saveDocument(await cleanPdf(accepted, pagesMax, onProgress));
  if (isDoubtful(accepted)) await checkCopy(accepted.bytes, bytes, onProgress);
  return bytes;
}

/** Writes a foreign PDF anew: its pages and what belongs to them, and nothing that was left behind. */
async function cleanPdf(
  { file, pages, destinations, features }: AcceptedPdf,
  pagesMax: number,
  onProgress: () => void,
): Promise<PDFDocument> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context, catalog } = document;
  const kept = pages.slice(0, pagesMax);
  const refs = kept.map(() => context.nextRef());
  const copier = new ObjectCopier(file, context);
  for (const { ref } of pages) if (ref !== null) copier.place(ref, null);
  const locate = (to: LocalDestination | NamedElsewhere): PDFRef | null =>
    "page" in to ? (refs[to.page] ?? null) : null;
  const copy = { file, copier, context, destinations, locate };
  const flattening = features.needsFlattening
    ? { file, copier, context, painter: await FieldPainter.for(document, file) }
    : null;
  const save = saveStream(context);
  kept.forEach((page, index) => {
    const ref = refs[index];
    if (ref === undefined) return;
    const copied = copyPage(copy, page, ref, pageTreeOf(document));
    const annotations = file.get(page.dict, "Annots");
    const fields =
      flattening === null ? "" : atPage(index + 1, () => flattenAnnotations(flattening, annotations, copied));
    const after = fields === "" ? [] : [context.register(context.flateStream(fields))];
    copied.leaf.set(PDFName.of("Contents"), wrapContents(context, copied.contents, save, after));
    onProgress();
  });
  setPages(context, pageTreeOf(document), refs);
  const entry = ({ title, to, isOpen, children }: Bookmark): OutlineEntry[] => {
    const ref = to === null ? null : locate(to);
    const inner = children.flatMap(entry);
    if (ref === null && inner.length === 0) return [];
    return [
      { title, to: ref === null || to === null ? null : destinationArray(context, ref, to), isOpen, children: inner },
    ];
  };
  const outline = readBookmarks(file, destinations).flatMap(entry);
  if (outline.length > 0) catalog.set(PDFName.of("Outlines"), writeOutline(context, outline));
  const layers = new Layers();
  layers.add(file, copier);
  layers.write(document);
  return document;
}

/** A failure that says nothing of its page happened on this one. */
function atPage<T>(page: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof PacketFailure && error.page === undefined) {
      throw new PacketFailure(error.code, { page, cause: error });
    }
    throw error;
  }
}
