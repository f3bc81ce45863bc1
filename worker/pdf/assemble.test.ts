import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { PDFDocument } from "pdf-lib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { firstExtra, pagesPdf, stream, words } from "./testing/handmade-pdf";
import { difference, rasterOf, textsOf } from "./testing/raster";
import { filePart, NONCE, Workshop } from "./testing/workshop";
import { makeStamp } from "./watermark";

describe("a book made of parts", () => {
  let workshop: Workshop;
  beforeAll(async () => {
    workshop = await Workshop.open();
  });
  afterAll(() => workshop.close());

  const marked = (mark: string) => pagesPdf([{ content: words(mark) }]);

  it.each([1, 9, 10, 11, 12, 100])(
    "%i sources stand in manifest order, whatever order they are handed over in [C240,C241]",
    async (count) => {
      const parts = await Promise.all(
        Array.from({ length: count }, async (_, index) =>
          filePart(index + 1, await workshop.file(marked(`mark-${index + 1}.`)), 1),
        ),
      );
      const shuffled = [...parts].sort((a, b) => ((a.position * 7919) % 101) - ((b.position * 7919) % 101));
      const { bytes, answer } = await workshop.assemble(shuffled);
      const marks = (await textsOf(bytes)).map((text) => /mark-(\d+)\./.exec(text)?.[1]);
      expect(marks).toEqual(parts.map(({ position }) => String(position)));
      expect(answer.pageMap).toEqual(parts.map(({ position }) => ({ position, from: position, to: position })));
    },
  );

  it("holds exactly the pages of its parts, and is not written where one is missing [C242]", async () => {
    const path = await workshop.file(pagesPdf([{}, {}, {}]));
    const whole = await workshop.assemble([filePart(1, path, 3), filePart(2, path, 3)]);
    expect(whole.answer.pages).toBe(6);
    expect((await workshop.verify(whole.bytes)).pages).toBe(6);
    const short = workshop.assemble([filePart(7, path, 4)]);
    await expect(short).rejects.toMatchObject({ code: "acceptance_failed", position: 7 });
  });

  it("takes page ranges, twice from one file and out of order", async () => {
    const path = await workshop.file(
      pagesPdf(["a", "b", "c", "d"].map((mark) => ({ content: words(`mark-${mark}.`) }))),
    );
    const part = filePart(1, path, 2);
    const chunks = [
      { path, from: 3, pages: 2 },
      { path, from: 1, pages: 1 },
      { path, from: 3, pages: 1 },
    ];
    const { bytes } = await workshop.assemble([{ ...part, chunks }]);
    expect((await textsOf(bytes)).map((text) => /mark-(\w)/.exec(text)?.[1])).toEqual(["c", "d", "a", "c"]);
    expect((await workshop.verify(bytes)).faults).toEqual([]);
  });

  it("leaves its inputs as they were [C243]", async () => {
    const path = await workshop.file(marked("input"));
    const stampPath = workshop.path(".pdf");
    await makeStamp({ op: "stamp", text: "Copy", outputPath: stampPath }, () => {});
    const digests = async () =>
      [path, stampPath].map(async (one) =>
        createHash("sha256")
          .update(await readFile(one))
          .digest("hex"),
      );
    const before = await Promise.all(await digests());
    await workshop.assemble([filePart(1, path, 1)], { stampPath });
    expect(await Promise.all(await digests())).toEqual(before);
  });

  it("refuses two parts at one position, a part that is no PDF, and a book that is too large", async () => {
    const path = await workshop.file(marked("x"));
    await expect(workshop.assemble([filePart(1, path, 1), filePart(1, path, 1)])).rejects.toMatchObject({
      code: "duplicate_positions",
    });
    const broken = await workshop.file(Buffer.from("not a PDF"));
    await expect(workshop.assemble([filePart(1, path, 1), filePart(5, broken, 1)])).rejects.toMatchObject({
      code: "source_malformed",
      position: 5,
    });
    await expect(workshop.assemble([filePart(1, path, 1)], { bytesMax: 1000 })).rejects.toMatchObject({
      code: "packet_too_large",
    });
  });

  it("is the same bytes each time, and other bytes for another revision", async () => {
    const path = await workshop.file(pagesPdf([{}, {}]));
    const parts = [filePart(1, path, 2)];
    const first = await workshop.assemble(parts);
    const second = await workshop.assemble(parts);
    expect(Buffer.compare(first.bytes, second.bytes)).toBe(0);
    const document = {
      title: "Book",
      author: "Office",
      language: "en",
      createdAt: "2026-03-01T10:00:00Z",
      claim: null,
    };
    const other = await workshop.assemble(parts, { document: { ...document, nonce: NONCE.replace("0", "f") } });
    expect(other.bytes.length).toBe(first.bytes.length);
    expect(Buffer.compare(first.bytes, other.bytes)).not.toBe(0);
  });

  it("numbers pages through the book, from the page that was asked for", async () => {
    const path = await workshop.file(pagesPdf([{ content: "" }, { content: "" }, { content: "" }]));
    const { bytes } = await workshop.assemble([filePart(1, path, 3)], {
      pageNumbers: { style: "page-x-of-y", from: 2 },
    });
    expect((await textsOf(bytes)).map((text) => text.trim())).toEqual(["", "Page 2 of 3", "Page 3 of 3"]);
  });

  it("marks every page of a preview so that nobody takes it for the record", async () => {
    const path = await workshop.file(pagesPdf([{ content: "" }, { content: "", entries: "/Rotate 90" }]));
    const { bytes } = await workshop.assemble([filePart(1, path, 2)], { previewMark: "Preview, not for the record" });
    for (const text of await textsOf(bytes))
      expect(text.replaceAll(/\s+/g, " ")).toMatch(/Preview, not for the record/);
    const { rgba } = await rasterOf(bytes, 1);
    let red = 0;
    for (let at = 0; at < rgba.length; at += 4) if ((rgba[at] ?? 0) > (rgba[at + 1] ?? 0) + 40) red += 1;
    expect(red / (rgba.length / 4)).toBeGreaterThan(0.01);
  });

  it("says title, author, language and date in both places, whatever characters they hold", async () => {
    const title = 'Profit & Loss <2026> "Ż" 😀\u0000\u0007';
    const { bytes } = await workshop.assemble([filePart(1, await workshop.file(marked("x")), 1)], {
      document: {
        title,
        author: "Ö & Co",
        language: "de-AT",
        createdAt: "2026-03-01T10:00:00.000Z",
        nonce: NONCE,
        claim: "2u",
      },
    });
    const facts = await workshop.verify(bytes);
    expect(facts).toMatchObject({
      title: 'Profit & Loss <2026> "Ż" 😀',
      language: "de-AT",
      hasIdentifier: true,
      archivalClaim: "2u",
      faults: [],
    });
    const document = await PDFDocument.load(bytes, { updateMetadata: false });
    expect(document.getAuthor()).toBe("Ö & Co");
    expect(document.getCreationDate()?.toISOString()).toBe("2026-03-01T10:00:00.000Z");
    const text = Buffer.from(bytes).toString("utf8");
    expect(text).toContain("Profit &amp; Loss &lt;2026&gt; &quot;Ż&quot; 😀</rdf:li>");
    expect(text).toMatch(/\/DisplayDocTitle true/);
    expect(text).toMatch(/\/OutputIntents/);
  });

  it("stays about as large as its sources where their pages share fonts and pictures", async () => {
    const first = firstExtra(10);
    const noise = Buffer.from(Array.from({ length: 30_000 }, (_, index) => (index * index * 31) % 251));
    const entries = `/Resources << /XObject << /I ${first} 0 R >> >>`;
    const source = pagesPdf(
      Array.from({ length: 10 }, () => ({ entries, content: "q 100 0 0 100 0 0 cm /I Do Q" })),
      {
        extra: [
          stream(
            noise,
            "/Type /XObject /Subtype /Image /Width 100 /Height 100 /BitsPerComponent 8 /ColorSpace /DeviceRGB",
          ),
        ],
      },
    );
    const { path, bytes: clean } = await workshop.prepare(source);
    expect(clean.length).toBeLessThan(source.length * 1.1);
    const twice = await workshop.file(clean);
    const { bytes } = await workshop.assemble([filePart(1, path, 10), filePart(2, twice, 10)]);
    expect(bytes.length).toBeLessThan(source.length * 1.6);
    expect((await workshop.verify(bytes)).faults).toEqual([]);
  });

  it("a page listed twice is two pages, and looks the same in both places", async () => {
    const listed = pagesPdf([{}]).toString("latin1").replace("/Kids [4 0 R] /Count 1", "/Kids [4 0 R 4 0 R] /Count 2");
    const { path, answer } = await workshop.prepare(Buffer.from(listed, "latin1"));
    expect(answer.pages).toBe(2);
    const { bytes } = await workshop.assemble([filePart(1, path, 2)], { pageNumbers: { style: "x-of-y", from: 9 } });
    expect(difference(await rasterOf(bytes, 1), await rasterOf(bytes, 2))).toBe(0);
    expect((await workshop.verify(bytes)).faults).toEqual([]);
  });
});
