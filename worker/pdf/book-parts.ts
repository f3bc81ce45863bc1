import { type PDFDocument, PDFName, PDFRef } from "pdf-lib";
import { PacketFailure } from "@/server/domain/failure";
import type { Chunk, RequestOf } from "@/worker/renderer/requests";
import { ChunkFiles, type OpenChunkFile } from "./chunk-files";
import { destinationArray } from "./copy-annotations";
import { type CopiedPage, copyPage } from "./copy-page";
import type { LocalDestination, NamedElsewhere } from "./destinations";
import type { OutlineEntry } from "./outline";
import type { Bookmark } from "./source-bookmarks";

export type Part = RequestOf<"assemble">["parts"][number];

export interface PlacedPage {
  readonly copied: CopiedPage;
  readonly origin: Part["origin"];
}

/**
 * The parts of a book in manifest order. Every page has its reference before anything is copied, so that a link in the
 * first part can lead to the last. Throws `duplicate_positions`.
 */
export class BookParts {
  readonly parts: readonly PlannedPart[];
  readonly pages: number;
  private readonly files: ChunkFiles;

  constructor(
    private readonly document: PDFDocument,
    parts: readonly Part[],
  ) {
    const ordered = [...parts].sort((a, b) => a.position - b.position);
    if (new Set(ordered.map(({ position }) => position)).size < ordered.length) {
      throw new PacketFailure("duplicate_positions");
    }
    let first = 1;
    this.parts = ordered.map((part) => {
      const refs = part.chunks.map((chunk) => Array.from({ length: chunk.pages }, () => document.context.nextRef()));
      const pages = refs.reduce((sum, list) => sum + list.length, 0);
      const planned: PlannedPart = { part, refs, first, pages, bookmarks: [] };
      first += pages;
      return planned;
    });
    this.pages = first - 1;
    this.files = new ChunkFiles(document.context, ordered);
  }

  /** Copies the pages one after another. A failure names the position of the part. */
  async *copy(): AsyncGenerator<PlacedPage> {
    for (const planned of this.parts) {
      try {
        for (const [index, chunk] of planned.part.chunks.entries()) {
          const file = await this.files.open(chunk.path);
          for (const copied of this.copyChunk(planned, index, chunk, file)) {
            yield { copied, origin: planned.part.origin };
          }
          planned.bookmarks.push(...this.bookmarksOf(planned, chunk, file));
          this.files.close(chunk.path);
        }
      } catch (error) {
        throw atPosition(error, planned.part.position);
      }
    }
  }

  private *copyChunk(planned: PlannedPart, index: number, chunk: Chunk, open: OpenChunkFile): Generator<CopiedPage> {
    const pages = open.pages.slice(chunk.from - 1, chunk.from - 1 + chunk.pages);
    if (pages.length !== chunk.pages) throw new PacketFailure("acceptance_failed", { detail: "a part lacks pages" });
    const tree = pageTreeOf(this.document);
    const locate = (to: LocalDestination | NamedElsewhere) => this.locate(planned, chunk.path, to);
    const { file, copier, destinations } = open;
    const copy = { file, copier, destinations, context: this.document.context, locate };
    for (const [offset, page] of pages.entries()) {
      const ref = planned.refs[index]?.[offset];
      if (ref !== undefined) yield copyPage(copy, page, ref, tree);
    }
  }

  /** The page of the book for a destination inside a part's own file, or for `part-<position>` in our own templates. */
  private locate(planned: PlannedPart, path: string, to: LocalDestination | NamedElsewhere): PDFRef | null {
    if ("name" in to) {
      const position = planned.part.origin === "template" ? /^part-(\d+)$/.exec(to.name)?.[1] : undefined;
      const target = this.parts.find(({ part }) => part.position === Number(position));
      return target?.refs[0]?.[0] ?? null;
    }
    for (const [index, chunk] of planned.part.chunks.entries()) {
      if (chunk.path !== path) continue;
      const ref = planned.refs[index]?.[to.page + 1 - chunk.from];
      if (ref !== undefined) return ref;
    }
    return null;
  }

  private bookmarksOf(planned: PlannedPart, chunk: Chunk, open: OpenChunkFile): OutlineEntry[] {
    if (planned.part.origin === "template" || planned.part.chunks.find(({ path }) => path === chunk.path) !== chunk)
      return [];
    const convert = ({ title, to, isOpen, children }: Bookmark): OutlineEntry[] => {
      const ref = to === null ? null : this.locate(planned, chunk.path, to);
      const inner = children.flatMap(convert);
      if (ref === null && inner.length === 0) return [];
      const array = ref === null || to === null ? null : destinationArray(this.document.context, ref, to);
      return [{ title, to: array, isOpen, children: inner }];
    };
    return open.bookmarks.flatMap(convert);
  }

  /** One entry for each part that has one, level 2 under the nearest level 1, a source's own bookmarks below its entry. */
  outline(): OutlineEntry[] {
    const entries: (OutlineEntry & { children: OutlineEntry[] })[] = [];
    for (const { part, refs, bookmarks } of this.parts) {
      const ref = refs[0]?.[0];
      if (part.outline === null || ref === undefined) continue;
      const to = destinationArray(this.document.context, ref, { name: "" });
      const entry = { title: part.outline.title, to, isOpen: part.outline.level === 1, children: [...bookmarks] };
      const above = entries.at(-1);
      if (part.outline.level === 2 && above !== undefined) above.children.push(entry);
      else entries.push({ ...entry, isOpen: bookmarks.length === 0 });
    }
    return entries;
  }

  pageMap(): { position: number; from: number; to: number }[] {
    return this.parts.map(({ part, first, pages }) => ({
      position: part.position,
      from: first,
      to: first + pages - 1,
    }));
  }

  /** Layers of all sources, hidden where the source hides them. */
  writeLayers(): void {
    this.files.layers.write(this.document);
  }
}

interface PlannedPart {
  readonly part: Part;
  /** References of the pages, chunk by chunk. */
  readonly refs: readonly (readonly PDFRef[])[];
  readonly first: number;
  readonly pages: number;
  readonly bookmarks: OutlineEntry[];
}

export function pageTreeOf(document: PDFDocument): PDFRef {
  const tree = document.catalog.get(PDFName.of("Pages"));
  if (!(tree instanceof PDFRef)) throw new Error("The new document has no page tree.");
  return tree;
}

function atPosition(error: unknown, position: number): unknown {
  if (!(error instanceof PacketFailure) || error.position !== undefined) return error;
  const { detail, page, findings } = error;
  const known = { ...(detail === undefined ? {} : { detail }), ...(page === undefined ? {} : { page }) };
  return new PacketFailure(error.code, { ...known, findings, position, cause: error });
}
