import type { Destinations, LocalDestination } from "./destinations";
import { actionOf } from "./link-actions";
import { catalogOf } from "./reader/page-tree";
import type { PdfFile } from "./reader/pdf-file";
import { type PdfDict, PdfString, textOf } from "./reader/pdf-object";

export interface Bookmark {
  readonly title: string;
  readonly to: LocalDestination | null;
  readonly isOpen: boolean;
  readonly children: Bookmark[];
}

/** Returns the bookmarks of a file, within bounds and without loops. What they do beside leading to a page is dropped. */
export function readBookmarks(file: PdfFile, destinations: Destinations): Bookmark[] {
  const bookmarks: Bookmark[] = [];
  const seen = new Set<PdfDict>();
  const root = file.get(catalogOf(file), "Outlines");
  const pending = root instanceof Map ? [{ from: file.get(root, "First"), into: bookmarks, depth: 1 }] : [];
  for (let level = pending.pop(); level !== undefined; level = pending.pop()) {
    let item = level.from;
    while (item instanceof Map && !seen.has(item) && seen.size < ENTRIES_MAX) {
      seen.add(item);
      const action = actionOf(file, item, destinations);
      const to = action.kind === "move" && "page" in action.to ? action.to : null;
      const count = file.get(item, "Count");
      const bookmark: Bookmark = {
        title: titleOf(file, item),
        to,
        isOpen: typeof count === "number" && count > 0,
        children: [],
      };
      level.into.push(bookmark);
      if (level.depth < DEPTH_MAX)
        pending.push({ from: file.get(item, "First"), into: bookmark.children, depth: level.depth + 1 });
      item = file.get(item, "Next");
    }
  }
  return bookmarks;
}

function titleOf(file: PdfFile, item: PdfDict): string {
  const title = file.get(item, "Title");
  return title instanceof PdfString ? (textOf(title) ?? "").replaceAll("\0", "").slice(0, 1000) : "";
}

const ENTRIES_MAX = 20_000;
const DEPTH_MAX = 32;
