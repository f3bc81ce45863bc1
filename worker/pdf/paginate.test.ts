import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { loadFonts } from "@/server/packets/stationery/fonts";
import { drawPages } from "./draw";
import { type Drawn, paginateRows } from "./paginate";
import { withPdfium } from "./pdfium";
import { tableSheet } from "./testing/table-sheet";

const FACTS = { title: "Table", author: "Tenant", language: "en", createdAt: "2026-12-01T00:00:00Z" };

beforeAll(loadFonts);

/** Rows by page, as the windows together keep them, and how many rows were laid out for it. */
async function breaksOf(rows: readonly (readonly string[])[], windowRows: number) {
  const window = tableSheet(rows);
  const kept: (readonly number[])[] = [];
  let laidOut = 0;
  let drawn: Drawn | null = null;
  const windows = paginateRows({
    rows: rows.length,
    windowRows,
    window: (from, to) => {
      laidOut += to - from;
      return window(from, to);
    },
    draw: async (page) => {
      drawn = await drawPages(page, FACTS);
      return drawn;
    },
  });
  const files: { bytes: Uint8Array; pages: number }[] = [];
  for await (const { bytes, pages } of windows) {
    kept.push(...((drawn as Drawn | null)?.rowsByPage.slice(0, pages) ?? []));
    files.push({ bytes, pages });
  }
  return { kept, laidOut, files };
}

const rowsOf = (lengths: readonly number[]) =>
  lengths.map((length, index) => [`Name ${index}`, "some words of a remark ".repeat(length).trim(), `${index}`]);

describe("a table in windows", () => {
  it("breaks its pages exactly where one pass breaks them, wherever cells wrap", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 90 }),
        fc.integer({ min: 5, max: 70 }),
        async (lengths, windowRows) => {
          const rows = rowsOf(lengths);
          const one = await drawPages(tableSheet(rows)(0, rows.length), FACTS);
          const { kept } = await breaksOf(rows, windowRows);
          expect(kept).toEqual(one.rowsByPage);
        },
      ),
      { numRuns: 25 },
    );
  });

  it("holds each row once and in order", async () => {
    const { kept } = await breaksOf(rowsOf(Array.from({ length: 300 }, (_, index) => index % 7)), 60);
    expect(kept.flat()).toEqual(Array.from({ length: 300 }, (_, index) => index));
  });

  it("costs the same for each row, however many there are", async () => {
    const rows = (count: number) => rowsOf(Array.from({ length: count }, () => 1));
    const small = await breaksOf(rows(200), 120);
    const large = await breaksOf(rows(1_000), 120);
    expect(large.laidOut / 1_000).toBeLessThan((small.laidOut / 200) * 1.15);
    expect(large.laidOut).toBeLessThan(1_500);
  });

  it("finds its way where a window is smaller than a page, and where there is no row at all", async () => {
    const { kept } = await breaksOf(rowsOf(Array.from({ length: 80 }, () => 0)), 3);
    expect(kept.flat()).toHaveLength(80);
    const none = await breaksOf([], 120);
    expect(none.kept).toEqual([[]]);
  });
});

describe("the header of a table", () => {
  it.each([1, 33, 34, 35, 36, 37, 38, 39, 40, 500])(
    "of %i rows stands on each page, and never without a row",
    async (count) => {
      const { kept, files } = await breaksOf(rowsOf(Array.from({ length: count }, () => 0)), 180);
      for (const rows of kept) expect(rows.length).toBeGreaterThan(0);
      const texts = await textsOf(files);
      expect(texts).toHaveLength(kept.length);
      for (const text of texts) expect(text.match(/Remark/g)).toHaveLength(1);
      expect(texts.map((text) => text.includes("Total"))).toEqual(texts.map((_, index) => index === texts.length - 1));
    },
  );

  it("stands above a tall row that moves to the next page whole", async () => {
    const lengths = Array.from({ length: 60 }, (_, index) => (index % 20 === 19 ? 60 : 0));
    const { kept, files } = await breaksOf(rowsOf(lengths), 180);
    expect(kept.flat()).toHaveLength(60);
    for (const text of await textsOf(files)) expect(text.match(/Remark/g)).toHaveLength(1);
  });
});

async function textsOf(files: readonly { bytes: Uint8Array; pages: number }[]): Promise<string[]> {
  const texts: string[] = [];
  for (const { bytes, pages } of files) {
    await withPdfium(bytes, (document) => {
      for (let index = 0; index < pages; index += 1) texts.push(document.getPage(index).getText());
    });
  }
  return texts;
}
