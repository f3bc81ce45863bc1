import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inkShare, rasterOf, textsOf } from "./testing/raster";
import { Workshop } from "./testing/workshop";
import { makeStamp } from "./watermark";

describe("the stamp of a book", () => {
  let workshop: Workshop;
  beforeAll(async () => {
    workshop = await Workshop.open();
  });
  afterAll(() => workshop.close());

  async function stamp(text: string): Promise<Uint8Array> {
    const outputPath = workshop.path(".pdf");
    const { bytes } = await makeStamp({ op: "stamp", text, outputPath }, () => {});
    const written = await readFile(outputPath);
    expect(written.length).toBe(bytes);
    return written;
  }

  it.each([
    "Copy",
    "Board copy — Łódź",
    "Копия для Совета",
    "A very long watermark that names a person, a meeting and the day on which it was held",
  ])("prints %s whole, on one page, with its own font", async (text) => {
    const bytes = await stamp(text);
    const [page, ...more] = await textsOf(bytes);
    expect(more).toEqual([]);
    expect(page?.replaceAll(/\s+/g, "")).toContain(text.replaceAll(/\s+/g, ""));
    expect(await workshop.verify(bytes)).toMatchObject({ fontsNotEmbedded: [], activeContent: [] });
  });

  it("keeps away from the edges", async () => {
    const raster = await rasterOf(await stamp("An edge is no place for words"), 1, 300);
    const atEdge = raster.grey.filter((value, at) => {
      const [x, y] = [at % raster.width, Math.floor(at / raster.width)];
      return value < 250 && (x < 6 || y < 6 || x > raster.width - 7 || y > raster.height - 7);
    });
    expect(atEdge).toHaveLength(0);
    expect(inkShare(raster)).toBeGreaterThan(0.01);
  });

  it("refuses words that no font here can print, and names the characters", async () => {
    await expect(stamp("机密")).rejects.toMatchObject({
      code: "missing_glyphs",
      findings: [{ path: ["watermark"], message: expect.stringContaining("U+673A, U+5BC6") }],
    });
  });

  it("is the same bytes each time", async () => {
    expect(Buffer.compare(await stamp("Copy"), await stamp("Copy"))).toBe(0);
  });
});
