import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pagesPdf, words } from "./testing/handmade-pdf";
import { addedInk, difference, type Ink, type Raster, rasterOf } from "./testing/raster";
import { filePart, Workshop } from "./testing/workshop";
import { makeStamp } from "./watermark";

const SIDE = 500;

describe("what is stamped on a page", () => {
  let workshop: Workshop;
  let stampPath: string;
  beforeAll(async () => {
    workshop = await Workshop.open();
    stampPath = workshop.path(".pdf");
    await makeStamp({ op: "stamp", text: "Board copy", outputPath: stampPath }, () => {});
  });
  afterAll(() => workshop.close());

  /** The stamp alone: what a stamped page shows more than the same page without. */
  async function stampedOn(source: Uint8Array, what: "number" | "watermark"): Promise<Raster[]> {
    const { path, answer } = await workshop.prepare(source);
    const parts = [filePart(1, path, answer.pages)];
    const never = { style: "x-of-y", from: 99 } as const;
    const plain = await workshop.assemble(parts, { pageNumbers: never });
    const change = what === "number" ? {} : { pageNumbers: never, stampPath };
    const stamped = await workshop.assemble(parts, change);
    const alone: Raster[] = [];
    for (let page = 1; page <= answer.pages; page += 1) {
      const before = await rasterOf(plain.bytes, page, SIDE);
      const after = await rasterOf(stamped.bytes, page, SIDE);
      alone.push({
        ...after,
        grey: after.grey.map((value, at) => 255 - Math.max(0, (before.grey[at] ?? 255) - value)),
      });
    }
    return alone;
  }

  const inkOf = (raster: Raster): Ink | null => addedInk({ ...raster, grey: raster.grey.map(() => 255) }, raster);
  /** Distances of the ink from the right and lower edge, and its height: the same on every page, in pixels. */
  const cornerOf = (raster: Raster): [number, number, number] => {
    const ink = inkOf(raster);
    if (ink === null) throw new Error("nothing is stamped");
    return [raster.width - ink.right, raster.height - ink.bottom, ink.bottom - ink.top];
  };

  // The displayed page is 400 x 600 points each time, whatever the boxes and the rotation say.
  const tall = "/MediaBox [0 0 400 600]";
  const wide = "/MediaBox [0 0 600 400]";
  const variants: [string, string, string?][] = [
    ["as it is", tall],
    ["turned by 90", `${wide} /Rotate 90`],
    ["turned by 180", `${tall} /Rotate 180`],
    ["turned by 270", `${wide} /Rotate 270`],
    ["turned by -90", `${wide} /Rotate -90`],
    ["cropped, away from the origin", "/MediaBox [-100 -200 900 900] /CropBox [50 60 450 660]"],
    ["cropped and turned", "/MediaBox [-100 -200 900 900] /CropBox [50 60 650 460] /Rotate 270"],
    ["with corners named backwards", "/MediaBox [400 600 0 0]"],
    ["with a CropBox larger than the page", `${tall} /CropBox [-500 -500 900 900]`],
    ["with a CropBox of no area", `${tall} /CropBox [10 10 10 500]`],
    [
      "that leaks a mirrored, shrunk matrix",
      tall,
      "1 0 0 -1 0 600 cm 0.2 0 0 0.2 0 0 cm BT /F 90 Tf 60 300 Td (x) Tj ET",
    ],
    ["with a q too many", tall, "q q 0.5 0 0 0.5 99 99 cm q BT /F 9 Tf (x) Tj ET"],
    ["with a Q too many", tall, `q Q Q ${words("x")} Q Q`],
    ["that ends inside text", tall, "BT /F 30 Tf 3 Tr 200 Tz 40 40 Td (x) Tj"],
    ["that ends inside hidden marked content", tall, "/OC /Never BDC q 3 0 0 3 0 0 cm"],
    ["that ends inside a string", tall, `${words("x")} q 2 0 0 2 0 0 cm BT (never closed \\)`],
    ["with a clip left on", tall, "0 0 10 10 re W n"],
  ];

  it.each(variants)(
    "a page number is upright in the lower right corner of a page %s",
    async (_, entries, content = words("x", 40, 500)) => {
      const [reference] = await stampedOn(pagesPdf([{ entries: tall, content: words("x", 40, 500) }]), "number");
      const [stamped] = await stampedOn(pagesPdf([{ entries, content }]), "number");
      if (reference === undefined || stamped === undefined) throw new Error("a page is missing");
      expect([stamped.width, stamped.height]).toEqual([reference.width, reference.height]);
      const [right, bottom, height] = cornerOf(stamped);
      const expected = cornerOf(reference);
      expect(Math.abs(right - expected[0])).toBeLessThanOrEqual(1);
      expect(Math.abs(bottom - expected[1])).toBeLessThanOrEqual(1);
      expect(Math.abs(height - expected[2])).toBeLessThanOrEqual(1);
      expect(right).toBeLessThan(stamped.width * 0.12);
      expect(bottom).toBeLessThan(stamped.height * 0.12);
      expect(difference(reference, stamped)).toBeLessThan(0.002);
    },
  );

  it.each(variants)(
    "a watermark lies upright over the middle of a page %s",
    async (_, entries, content = words("x", 40, 500)) => {
      const [reference] = await stampedOn(pagesPdf([{ entries: tall, content: words("x", 40, 500) }]), "watermark");
      const [stamped] = await stampedOn(pagesPdf([{ entries, content }]), "watermark");
      if (reference === undefined || stamped === undefined) throw new Error("a page is missing");
      expect(inkOf(stamped)).not.toBeNull();
      expect(difference(reference, stamped, 20)).toBeLessThan(0.005);
    },
  );

  it("rotation and box that a page inherits count like its own", async () => {
    const source = pagesPdf([{}, { entries: "/Rotate 0" }], { tree: "/MediaBox [0 0 600 400] /Rotate 90" });
    const { answer } = await workshop.prepare(source);
    expect(answer.sizes).toEqual([
      [400, 600],
      [600, 400],
    ]);
    const [reference] = await stampedOn(pagesPdf([{ entries: tall }]), "number");
    const [turned] = await stampedOn(source, "number");
    if (reference === undefined || turned === undefined) throw new Error("a page is missing");
    expect(difference(reference, turned)).toBeLessThan(0.002);
  });

  it("a page in larger units gets the same number and watermark as one in points", async () => {
    const units = pagesPdf([{ entries: "/MediaBox [0 0 40 60] /UserUnit 10", content: "" }]);
    const { answer } = await workshop.prepare(units);
    expect(answer.sizes).toEqual([[400, 600]]);
    const [reference] = await stampedOn(pagesPdf([{ entries: tall, content: "" }]), "number");
    const [stamped] = await stampedOn(units, "number");
    if (reference === undefined || stamped === undefined) throw new Error("a page is missing");
    expect(difference(reference, stamped)).toBeLessThan(0.002);
  });

  it("a page of no area becomes a page that can be printed", async () => {
    const { answer, bytes } = await workshop.prepare(pagesPdf([{ entries: "/MediaBox [0 0 0 0]" }]));
    expect(answer.sizes).toEqual([[612, 792]]);
    expect((await workshop.verify(bytes)).pagesRead).toBe(1);
  });

  it("a watermark shows on a black scan as well as on white paper", async () => {
    const black = pagesPdf([{ entries: tall, content: "0 g 0 0 400 600 re f" }]);
    const { path } = await workshop.prepare(black);
    const { bytes } = await workshop.assemble([filePart(1, path, 1)], { stampPath });
    const shown = await rasterOf(bytes, 1, SIDE);
    expect(shown.grey.filter((value) => value > 30).length / shown.grey.length).toBeGreaterThan(0.005);
  });

  it("a page larger than can be printed is refused with its number", async () => {
    const source = pagesPdf([{}, { entries: "/MediaBox [0 0 20000 100]" }]);
    expect(await workshop.inspect(source)).toEqual({ result: "reject", code: "source_dimensions", page: 2 });
  });
});
