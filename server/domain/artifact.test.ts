import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isComplete, type PageMapEntry } from "./artifact";
import { digestOf, type SourceId } from "./ids";
import type { Manifest } from "./manifest";

const digest = digestOf("source");

function book(pages: readonly number[]): { manifest: Manifest; pageMap: PageMapEntry[]; total: number } {
  let next = 1;
  const pageMap = pages.map((count, index): PageMapEntry => {
    const entry = {
      position: index + 1,
      from: next,
      to: next + count - 1,
      origin: "file" as const,
      digest,
      disclosures: [],
    };
    next += count;
    return entry;
  });
  const parts = pages.map((count, index) => ({
    type: "file" as const,
    position: index + 1,
    sourceId: "src_1" as SourceId,
    digest,
    mediaType: "application/pdf",
    pages: count,
    bytes: 1,
    title: "t",
  }));
  return { manifest: { parts, tables: [] }, pageMap, total: next - 1 };
}

const counts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 });

describe("a page map", () => {
  it("is complete when every source's pages stand in manifest order without gap [C241,C242]", () => {
    fc.assert(
      fc.property(counts, (pages) => {
        const { manifest, pageMap, total } = book(pages);
        expect(isComplete(pageMap, manifest, total)).toBe(true);
      }),
    );
  });

  it("is not complete with a page missing or too many, a source missing, or two sources swapped [C242,C273]", () => {
    fc.assert(
      fc.property(counts, fc.nat(), (pages, seed) => {
        const { manifest, pageMap, total } = book(pages);
        const index = seed % pages.length;
        expect(isComplete(pageMap, manifest, total - 1)).toBe(false);
        expect(isComplete(pageMap, manifest, total + 1)).toBe(false);
        expect(isComplete(pageMap.toSpliced(index, 1), manifest, total)).toBe(false);
        const cut = pageMap.map((entry, at) => (at === index ? { ...entry, to: entry.to - 1 } : entry));
        expect(isComplete(cut, manifest, total)).toBe(false);
        if (pages.length > 1) expect(isComplete(pageMap.toReversed(), manifest, total)).toBe(false);
      }),
    );
  });
});
