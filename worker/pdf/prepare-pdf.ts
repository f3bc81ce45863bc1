import { PDFDocument, PDFName, type PDFRef } from "pdf-lib";
import type { Disclosure } from "@/worker/renderer/requests";
import { pageTreeOf } from "./book-parts";
import { destinationArray } from "./copy-annotations";
import { copyPage, setPages } from "./copy-page";
import type { LocalDestination, NamedElsewhere } from "./destinations";
import type { AcceptedPdf } from "./judge-pdf";
import { Layers } from "./layers";
import { ObjectCopier } from "./object-copier";
import { type OutlineEntry, writeOutline } from "./outline";
import { saveStream, wrapContents } from "./page-contents";
import { type Bookmark, readBookmarks } from "./source-bookmarks";

/** Writes a foreign PDF anew: its pages and what belongs to them, and nothing that was left behind. */
export async function cleanPdf(
  { file, pages, destinations }: AcceptedPdf,
  pagesMax: number,
  onProgress: () => void,
): Promise<{ document: PDFDocument; disclosures: Disclosure[]; pages: number }> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context, catalog } = document;
  const kept = pages.slice(0, pagesMax);
  const refs = kept.map(() => context.nextRef());
  const copier = new ObjectCopier(file, context);
  for (const { ref } of pages) if (ref !== null) copier.place(ref, null);
  const locate = (to: LocalDestination | NamedElsewhere): PDFRef | null =>
    "page" in to ? (refs[to.page] ?? null) : null;
  const findings = { active: false, attachments: false, hidden: false };
  const copy = { file, copier, context, destinations, findings, locate };
  const save = saveStream(context);
  kept.forEach((page, index) => {
    const ref = refs[index];
    if (ref === undefined) return;
    const copied = copyPage(copy, page, ref, pageTreeOf(document));
    copied.leaf.set(PDFName.of("Contents"), wrapContents(context, copied.contents, save, []));
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
  const { bookmarks } = readBookmarks(file, destinations);
  const outline = bookmarks.flatMap(entry);
  if (outline.length > 0) catalog.set(PDFName.of("Outlines"), writeOutline(context, outline));
  const layers = new Layers();
  layers.add(file, copier);
  layers.write(document);
  return { document, disclosures: [], pages: refs.length };
}
