import { writeFile } from "node:fs/promises";
import { PDFDocument, PDFName, type PDFRef } from "pdf-lib";
import { PacketFailure } from "@/server/domain/failure";
import type { AnswerOf, RequestOf } from "@/worker/renderer/requests";
import { setArchivalForm } from "./archival-form";
import { BookParts, pageTreeOf } from "./book-parts";
import { setPages } from "./copy-page";
import { setMetadata } from "./document-metadata";
import { fillIdentifier, reserveIdentifier } from "./file-identifier";
import { writeOutline } from "./outline";
import { saveStream, wrapContents } from "./page-contents";
import { PageStamps } from "./page-stamps";
import { shareEqualObjects } from "./share-equal-objects";
import { sweepUnreachable } from "./sweep";

type Request = RequestOf<"assemble">;

/**
 * Writes the parts in manifest order as one book. Inputs are only read. Pages out equal pages in: a chunk that has fewer
 * pages than it should is `acceptance_failed` with its position, and a book above `bytesMax` is `packet_too_large`. The
 * same request over the same bytes gives the same bytes. [C240,C241,C242,C243]
 */
export async function assemblePacket(request: Request, onProgress: () => void): Promise<AnswerOf<"assemble">> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context, catalog } = document;
  const parts = new BookParts(document, request.parts);
  const stamps = await PageStamps.prepare(document, request, parts.pages);
  const save = saveStream(context);
  const refs: PDFRef[] = [];
  for await (const { copied } of parts.copy()) {
    refs.push(copied.ref);
    const after = stamps.over(copied, refs.length);
    copied.leaf.set(PDFName.of("Contents"), wrapContents(context, copied.contents, save, after));
    onProgress();
  }
  if (refs.length !== parts.pages)
    throw new PacketFailure("acceptance_failed", { detail: "pages out are not pages in" });
  setPages(context, pageTreeOf(document), refs);
  const outline = parts.outline();
  if (outline.length > 0) {
    catalog.set(PDFName.of("Outlines"), writeOutline(context, outline));
    catalog.set(PDFName.of("PageMode"), PDFName.of("UseOutlines"));
  }
  catalog.set(PDFName.of("PageLabels"), context.obj({ Nums: [0, { S: "D" }] }));
  parts.writeLayers();
  setMetadata(document, request.document);
  if (request.document.claim !== null) setArchivalForm(document);
  const bytes = await saveBook(document, request);
  onProgress();
  return { pages: refs.length, bytes, pageMap: parts.pageMap() };
}

async function saveBook(document: PDFDocument, request: Request): Promise<number> {
  await document.flush();
  shareEqualObjects(document.context);
  sweepUnreachable(document.context);
  reserveIdentifier(document.context);
  const bytes = await document.save({ addDefaultPage: false, useObjectStreams: false, updateFieldAppearances: false });
  if (bytes.length > request.bytesMax) throw new PacketFailure("packet_too_large");
  fillIdentifier(bytes, request.document.nonce);
  await writeFile(request.outputPath, bytes, { mode: 0o600 });
  return bytes.length;
}
