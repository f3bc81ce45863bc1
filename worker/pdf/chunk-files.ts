import { readFile } from "node:fs/promises";
import type { PDFContext } from "pdf-lib";
import type { RequestOf } from "@/worker/renderer/requests";
import { Destinations } from "./destinations";
import { Layers } from "./layers";
import { ObjectCopier } from "./object-copier";
import { FINISHED_LIMITS } from "./reader/budget";
import { openForeign } from "./reader/open-foreign";
import { readPages, type SourcePage } from "./reader/page-tree";
import type { PdfFile } from "./reader/pdf-file";
import { type Bookmark, readBookmarks } from "./source-bookmarks";

export interface OpenChunkFile {
  readonly file: PdfFile;
  readonly pages: readonly SourcePage[];
  readonly copier: ObjectCopier;
  readonly destinations: Destinations;
  readonly bookmarks: readonly Bookmark[];
}

/** Holds the files of a book open only between their first and their last chunk; each is read and copied once. */
export class ChunkFiles {
  private readonly held = new Map<string, OpenChunkFile>();
  private readonly usesLeft = new Map<string, number>();
  readonly layers = new Layers();

  constructor(
    private readonly context: PDFContext,
    parts: RequestOf<"assemble">["parts"],
  ) {
    for (const { path } of parts.flatMap(({ chunks }) => chunks)) {
      this.usesLeft.set(path, (this.usesLeft.get(path) ?? 0) + 1);
    }
  }

  async open(path: string): Promise<OpenChunkFile> {
    const known = this.held.get(path);
    if (known !== undefined) return known;
    const file = openForeign(await readFile(path), 0, "trusting", FINISHED_LIMITS);
    const pages = readPages(file, file.budget.limits.pageTreeEntriesMax);
    const copier = new ObjectCopier(file, this.context);
    // Nothing but the page tree of the book leads to a page.
    for (const { ref } of pages) if (ref !== null) copier.place(ref, null);
    const destinations = new Destinations(file, pages);
    const opened = { file, pages, copier, destinations, bookmarks: readBookmarks(file, destinations) };
    this.layers.add(file, copier);
    this.held.set(path, opened);
    return opened;
  }

  close(path: string): void {
    const left = (this.usesLeft.get(path) ?? 1) - 1;
    this.usesLeft.set(path, left);
    if (left <= 0) this.held.delete(path);
  }
}
