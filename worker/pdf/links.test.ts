import { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, PDFRef } from "pdf-lib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Body, firstExtra, pagesPdf, words } from "./testing/handmade-pdf";
import { filePart, Workshop } from "./testing/workshop";

describe("links and bookmarks", () => {
  let workshop: Workshop;
  beforeAll(async () => {
    workshop = await Workshop.open();
  });
  afterAll(() => workshop.close());

  const FIRST = firstExtra(3);
  const link = (target: string) => `/Annots [<< /Type /Annot /Subtype /Link /Rect [9 9 99 99] ${target} >>]`;
  const bookmarks: Body[] = [
    `<< /First ${FIRST + 1} 0 R /Last ${FIRST + 1} 0 R /Count 1 >>`,
    `<< /Title (Own chapter) /Parent ${FIRST} 0 R /Dest [6 0 R /XYZ 0 500 null] >>`,
  ];
  const catalog = `/Outlines ${FIRST} 0 R /Dests << /there [8 0 R /FitH 300] >>`;

  /** Index of the page that the first link of page `page` leads to. */
  async function linkTarget(bytes: Uint8Array, page: number): Promise<number> {
    const document = await PDFDocument.load(bytes, { updateMetadata: false });
    const annotation = document
      .getPage(page - 1)
      .node.Annots()
      ?.lookup(0, PDFDict);
    const target = annotation?.lookup(PDFName.of("Dest"), PDFArray).get(0);
    return document.getPages().findIndex(({ ref }) => ref === target) + 1;
  }

  it.each([
    ["an explicit one", "/Dest [8 0 R /Fit]"],
    ["by an action", "/A << /S /GoTo /D [8 0 R /XYZ 0 0 0] >>"],
    ["by name in the old table", "/Dest /there"],
    ["by name in the new table", "/A << /S /GoTo /D (here) >>"],
  ])("a link inside a source reaches the right page of the book: %s", async (_, target) => {
    const names = `/Names << /Dests << /Names [(here) [8 0 R /Fit]] >> >>`;
    const source = pagesPdf([{ entries: link(target) }, {}, {}], {
      catalog: `${catalog} ${names}`,
      extra: bookmarks,
    });
    const { path } = await workshop.prepare(source);
    const before = await workshop.file(pagesPdf([{}, {}]));
    const { bytes } = await workshop.assemble([filePart(1, before, 2), filePart(2, path, 3)]);
    expect(await linkTarget(bytes, 3)).toBe(5);
  });

  it("web links stay links", async () => {
    const { path } = await workshop.prepare(
      pagesPdf([{ entries: link("/A << /S /URI /URI (https://example.org/a?b=1) >>") }]),
    );
    const { bytes } = await workshop.assemble([filePart(1, path, 1)]);
    expect(Buffer.from(bytes).toString("latin1")).toContain(Buffer.from("https://example.org/a?b=1").toString("hex"));
  });

  it("a link to a page that was left out is no link any more, and drags nothing along", async () => {
    const source = pagesPdf([{ entries: link("/Dest [8 0 R /Fit]") }, {}, { content: words("Closed session") }]);
    const { path } = await workshop.prepare(source);
    const { bytes } = await workshop.assemble([{ ...filePart(1, path, 1), chunks: [{ path, from: 1, pages: 2 }] }]);
    const document = await PDFDocument.load(bytes, { updateMetadata: false });
    expect(document.getPage(0).node.Annots()).toBeUndefined();
    expect(Buffer.from(bytes).toString("latin1")).not.toContain("Closed session");
  });

  it("a contents page links to parts by position, and no name is left", async () => {
    const contents = await workshop.file(pagesPdf([{ entries: link("/A << /S /GoTo /D (part-3) >>") }]));
    const { path } = await workshop.prepare(pagesPdf([{}, {}]));
    const front = { ...filePart(1, contents, 1), origin: "template" as const };
    const { bytes } = await workshop.assemble([front, filePart(2, path, 2), filePart(3, path, 2)]);
    expect(await linkTarget(bytes, 1)).toBe(4);
    expect(Buffer.from(bytes).toString("latin1")).not.toContain("part-3");
  });

  it("a foreign file cannot link to a part by that name", async () => {
    const { path } = await workshop.prepare(pagesPdf([{ entries: link("/A << /S /GoTo /D (part-2) >>") }]));
    const { bytes } = await workshop.assemble([filePart(1, path, 1), filePart(2, path, 1)]);
    const document = await PDFDocument.load(bytes, { updateMetadata: false });
    expect(document.getPage(0).node.Annots()).toBeUndefined();
  });

  it("the outline has an entry for each part, its level under the nearest, and a source's own bookmarks below it", async () => {
    const { path } = await workshop.prepare(pagesPdf([{}, {}, {}], { catalog, extra: bookmarks }));
    const level = (position: number, title: string, is: 1 | 2) => ({
      ...filePart(position, path, 3, title),
      outline: { title, level: is },
    });
    const silent = { ...filePart(4, path, 3), outline: null };
    const { bytes } = await workshop.assemble([
      level(1, "Finance", 1),
      level(2, "Accounts é", 2),
      level(3, "Estates", 1),
      silent,
    ]);
    expect(await outlineOf(bytes)).toEqual([
      "1 Finance @1",
      "2 Own chapter @2",
      "2 Accounts é @4",
      "3 Own chapter @5",
      "1 Estates @7",
      "2 Own chapter @8",
    ]);
  });
});

/** The outline as lines: level, title, page. */
async function outlineOf(bytes: Uint8Array): Promise<string[]> {
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  const lines: string[] = [];
  const visit = (holder: PDFDict, level: number): void => {
    let item = holder.lookupMaybe(PDFName.of("First"), PDFDict);
    while (item !== undefined) {
      const title = item.lookup(PDFName.of("Title"), PDFHexString).decodeText();
      const target = item.lookupMaybe(PDFName.of("Dest"), PDFArray)?.get(0);
      const page = document.getPages().findIndex(({ ref }) => target instanceof PDFRef && ref === target) + 1;
      lines.push(`${level} ${title} @${page}`);
      visit(item, level + 1);
      item = item.lookupMaybe(PDFName.of("Next"), PDFDict);
    }
  };
  visit(document.catalog.lookup(PDFName.of("Outlines"), PDFDict), 1);
  return lines;
}
