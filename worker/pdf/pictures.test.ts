import { PDFDocument, PDFName, PDFNumber, PDFRawStream } from "pdf-lib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Raster, rasterOf } from "./testing/raster";
import { filePart, Workshop } from "./testing/workshop";

/** A picture that looks different from every side: red upper left, green upper right, blue lower left, white lower right. */
const QUARTERS = Buffer.from(
  Array.from({ length: 60 * 40 }, (_, at) => {
    const [x, y] = [at % 60, Math.floor(at / 60)];
    if (y < 20) return x < 30 ? [220, 0, 0] : [0, 160, 0];
    return x < 30 ? [0, 0, 220] : [250, 250, 250];
  }).flat(),
);
const quarters = () => sharp(QUARTERS, { raw: { width: 60, height: 40, channels: 3 } });

describe("a picture that becomes a page", () => {
  let workshop: Workshop;
  beforeAll(async () => {
    workshop = await Workshop.open();
  });
  afterAll(() => workshop.close());

  /** Colours of the four quarters of what the page shows, and the size of what it shows in points. */
  async function shownOn(pdf: Uint8Array): Promise<{ colours: string[]; width: number; height: number; page: Raster }> {
    const page = await rasterOf(pdf, 1, 842);
    const inside: [number, number][] = [];
    for (let at = 0; at < page.width * page.height; at += 1) {
      const rgb = [0, 1, 2].map((channel) => page.rgba[at * 4 + channel] ?? 255);
      if (rgb.some((value) => value < 253)) inside.push([at % page.width, Math.floor(at / page.width)]);
    }
    const xs = inside.map(([x]) => x);
    const ys = inside.map(([, y]) => y);
    const [left, right] = [xs.reduce((a, b) => Math.min(a, b)), xs.reduce((a, b) => Math.max(a, b))];
    const [top, bottom] = [ys.reduce((a, b) => Math.min(a, b)), ys.reduce((a, b) => Math.max(a, b))];
    const colourAt = (across: number, down: number) => {
      const at =
        (Math.round(top + (bottom - top) * down) * page.width + Math.round(left + (right - left) * across)) * 4;
      const [r = 0, g = 0, b = 0] = [page.rgba[at], page.rgba[at + 1], page.rgba[at + 2]];
      if (r > 180 && g > 180 && b > 180) return "white";
      return r > g && r > b ? "red" : g > b ? "green" : "blue";
    };
    const colours = [colourAt(0.25, 0.25), colourAt(0.75, 0.25), colourAt(0.25, 0.75), colourAt(0.75, 0.75)];
    return { colours, width: right - left + 1, height: bottom - top + 1, page };
  }

  const AS_STORED = ["red", "green", "blue", "white"];

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8])(
    "a JPEG with EXIF orientation %i is shown upright, 0 as it is stored",
    async (orientation) => {
      const jpeg = await quarters()
        .jpeg({ quality: 95 })
        .withExif({ IFD0: { Orientation: String(orientation) } })
        .toBuffer();
      const upright = await sharp(jpeg).autoOrient().raw().toBuffer({ resolveWithObject: true });
      const { bytes } = await workshop.prepare(jpeg);
      const { colours, width, height } = await shownOn(bytes);
      const pixel = (x: number, y: number) => {
        const at = (y * upright.info.width + x) * 3;
        const [r = 0, g = 0, b = 0] = [upright.data[at], upright.data[at + 1], upright.data[at + 2]];
        if (r > 180 && g > 180) return "white";
        return r > g && r > b ? "red" : g > b ? "green" : "blue";
      };
      const [w, h] = [upright.info.width, upright.info.height];
      const expected = [
        pixel(w >> 2, h >> 2),
        pixel((w * 3) >> 2, h >> 2),
        pixel(w >> 2, (h * 3) >> 2),
        pixel((w * 3) >> 2, (h * 3) >> 2),
      ];
      expect(colours).toEqual(expected);
      if (orientation <= 1) expect(colours).toEqual(AS_STORED);
      expect(width > height).toBe(w > h);
    },
  );

  it("a JPEG keeps its very pixels, and loses place, camera and comments", async () => {
    const jpeg = await quarters()
      .jpeg({ quality: 90 })
      .withExif({ IFD0: { Copyright: "Secret Person", Make: "Camera" } })
      .toBuffer();
    const { bytes } = await workshop.prepare(jpeg);
    const scan = jpeg.subarray(jpeg.indexOf(Buffer.from([0xff, 0xda])));
    expect(Buffer.from(bytes).includes(scan)).toBe(true);
    expect(Buffer.from(bytes).toString("latin1")).not.toMatch(/Secret Person|Camera/);
  });

  it.each([
    ["8-bit PNG", () => quarters().png()],
    ["16-bit PNG", () => quarters().toColourspace("rgb16").png()],
    ["palette PNG", () => quarters().png({ palette: true })],
    ["interlaced PNG", () => quarters().png({ progressive: true })],
    [
      "interlaced 16-bit PNG with alpha",
      () => quarters().ensureAlpha().toColourspace("rgb16").png({ progressive: true }),
    ],
    ["progressive JPEG", () => quarters().jpeg({ progressive: true, quality: 95 })],
    ["CMYK JPEG", () => quarters().toColourspace("cmyk").jpeg({ quality: 95 })],
    ["JPEG in a wide colour space", () => quarters().withIccProfile("p3").jpeg({ quality: 95 })],
  ])("%s looks as in a browser", async (name, make) => {
    const source = await make().toBuffer();
    const { bytes, answer } = await workshop.prepare(source);
    expect((await shownOn(bytes)).colours).toEqual(AS_STORED);
    expect(answer.disclosures.includes("colour_converted")).toBe(/CMYK|wide/.test(name));
    const facts = await workshop.verify(bytes);
    expect(facts).toMatchObject({ pages: 1, blankPages: [], fontsNotEmbedded: [], faults: [] });
  });

  it("grey stays grey, and what is transparent shows the paper", async () => {
    const grey = await sharp(Buffer.alloc(40 * 40, 128), { raw: { width: 40, height: 40, channels: 1 } })
      .toColourspace("b-w")
      .png()
      .toBuffer();
    const greyPage = await workshop.prepare(grey);
    expect(Buffer.from(greyPage.bytes).toString("latin1")).toContain("/DeviceGray");
    const clear = Buffer.from(Array.from({ length: 40 * 40 }, (_, at) => [0, 0, 0, at % 40 < 20 ? 0 : 255]).flat());
    const half = await sharp(clear, { raw: { width: 40, height: 40, channels: 4 } })
      .png()
      .toBuffer();
    const { width, height } = await shownOn((await workshop.prepare(half)).bytes);
    expect(height / width).toBeGreaterThan(1.7);
  });

  it("lies on its page as the picture does, within the margins, and never larger than 150 dots an inch make it", async () => {
    const wide = await sharp({ create: { width: 3000, height: 1000, channels: 3, background: "#123456" } })
      .jpeg()
      .toBuffer();
    const large = await workshop.prepare(wide);
    expect(large.answer.sizes).toEqual([[841.89, 595.28]]);
    expect((await shownOn(large.bytes)).width).toBeCloseTo(841.89 - 2 * 42.52, -1);
    const logo = await sharp({ create: { width: 150, height: 300, channels: 3, background: "#123456" } })
      .png()
      .toBuffer();
    const small = await workshop.prepare(logo, { paper: "LETTER" });
    expect(small.answer.sizes).toEqual([[612, 792]]);
  });

  it("one pixel is a page like any other", async () => {
    const pixel = await sharp({ create: { width: 1, height: 1, channels: 3, background: "#000000" } })
      .png()
      .toBuffer();
    const { path, answer } = await workshop.prepare(pixel);
    expect(answer.sizes).toEqual([[595.28, 841.89]]);
    const { bytes } = await workshop.assemble([filePart(1, path, 1)]);
    expect((await workshop.verify(bytes)).faults).toEqual([]);
  });

  it("has fewer pixels in a preview than in the record [C43]", async () => {
    const noise = Buffer.from(Array.from({ length: 1500 * 1500 * 3 }, (_, at) => (at * at * 31) % 251));
    const jpeg = await sharp(noise, { raw: { width: 1500, height: 1500, channels: 3 } })
      .jpeg()
      .toBuffer();
    const whole = await workshop.prepare(jpeg);
    const reduced = await workshop.prepare(jpeg, { reduced: true });
    expect(reduced.bytes.length).toBeLessThan(whole.bytes.length / 2);
    expect(await pixelsIn(whole.bytes)).toBe(1500 * 1500);
    expect(await pixelsIn(reduced.bytes)).toBeLessThan((1500 * 1500) / 2);
  });
});

/** How many pixels the largest picture of a PDF has. */
async function pixelsIn(bytes: Uint8Array): Promise<number> {
  const document = await PDFDocument.load(bytes);
  const sizes = document.context.enumerateIndirectObjects().flatMap(([, object]) => {
    if (!(object instanceof PDFRawStream)) return [];
    const [width, height] = ["Width", "Height"].map((name) => object.dict.lookup(PDFName.of(name)));
    return width instanceof PDFNumber && height instanceof PDFNumber ? [width.asNumber() * height.asNumber()] : [];
  });
  return Math.max(0, ...sizes);
}
