import type { Check } from "./acceptance";
import type { Digest } from "./ids";
import type { Manifest } from "./manifest";

/** Pages `from` to `to` (from 1, both included) of the packet came from this part. */
export interface PageMapEntry {
  readonly position: number;
  readonly from: number;
  readonly to: number;
  readonly origin: "template" | "file";
  /** Digest of the source as it was received; null for our own pages. */
  readonly digest: Digest | null;
  readonly disclosures: readonly string[];
}

/**
 * True where the page map covers pages 1 to `pages` without gap or overlap, in manifest order, with every file's pages complete.
 * "Success with pages missing" cannot pass this. [C242]
 */
export function isComplete(pageMap: readonly PageMapEntry[], manifest: Manifest, pages: number): boolean {
  if (pageMap.length !== manifest.parts.length) return false;
  let next = 1;
  for (const [index, part] of manifest.parts.entries()) {
    const entry = pageMap[index];
    if (entry === undefined || entry.position !== part.position || entry.from !== next || entry.to < entry.from)
      return false;
    if (part.type === "file" && entry.to - entry.from + 1 !== part.pages) return false;
    next = entry.to + 1;
  }
  return next === pages + 1;
}

/** What verification found about a finished file: all that its archive record says of the bytes. */
export interface Publication {
  readonly digest: Digest;
  readonly bytes: number;
  readonly pages: number;
  readonly pageMap: readonly PageMapEntry[];
  readonly checks: readonly Check[];
  /** The PDF/A level the bytes claim, or null. */
  readonly archivalLevel: string | null;
}
