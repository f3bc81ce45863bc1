import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pagesPdf, words } from "../testing/handmade-pdf";
import { filePart, Workshop } from "../testing/workshop";
import { gateFinished } from "./gate-finished";

describe("the gate that every finished file passes", () => {
  let workshop: Workshop;
  let good: Buffer;
  beforeAll(async () => {
    workshop = await Workshop.open();
    const { path } = await workshop.prepare(pagesPdf([{ content: words("one") }, { content: words("two") }, {}]));
    good = Buffer.from((await workshop.assemble([filePart(1, path, 3)])).bytes);
  });
  afterAll(() => workshop.close());

  const faultsOf = async (bytes: Uint8Array) => (await gateFinished(bytes, () => {})).faults;
  const changed = (find: string | RegExp, by: string) =>
    Buffer.from(good.toString("latin1").replace(find, by), "latin1");

  it("finds nothing in a good book, and neither does the second parser [C283,C284,C285]", async () => {
    expect(await faultsOf(good)).toEqual([]);
    expect(await workshop.verify(good)).toMatchObject({
      bytes: good.length,
      hasSignature: true,
      endsProperly: true,
      pages: 3,
      pagesRead: 3,
      encrypted: false,
      faults: [],
    });
  });

  it("an empty file and a file of another kind have no signature, no pages and no end [C265,C266]", async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from("<html>502 Bad Gateway</html>")]) {
      expect(await workshop.verify(bytes)).toMatchObject({
        bytes: bytes.length,
        hasSignature: false,
        endsProperly: false,
        pages: null,
        pagesRead: 0,
      });
    }
  });

  it("a file cut short anywhere is caught [C286]", async () => {
    for (let cut = 1; cut < good.length; cut += Math.ceil(good.length / 60)) {
      const facts = await gateFinished(good.subarray(0, good.length - cut), () => {});
      expect(facts.faults.length + Number(!facts.endsProperly)).toBeGreaterThan(0);
    }
  });

  it.each([
    ["startxref points elsewhere", () => changed(/startxref\n(\d)/, "startxref\n9$1"), "cross_reference"],
    ["every offset is 7 too large", () => shifted(7), "object_misplaced"],
    ["the word xref is missing", () => changed(/\nxref\n/, "\nxxxx\n"), "cross_reference"],
    ["the table is shorter than it says", () => changed(/0{10} 65535 f \n/, ""), "cross_reference"],
  ])("a broken cross-reference is caught: %s [C287]", async (_, make, fault) => {
    const faults = await faultsOf(make());
    expect(faults.includes(fault) || faults.includes("object_unreadable")).toBe(true);
  });

  function shifted(by: number): Buffer {
    return Buffer.from(
      good
        .toString("latin1")
        .replace(
          /(\d{10}) 00000 n/g,
          (_, offset: string) => `${String(Number(offset) + by).padStart(10, "0")} 00000 n`,
        ),
      "latin1",
    );
  }

  it.each([
    ["one byte of a font flipped", () => flipped(), "stream_damaged"],
    ["a stream longer than it says", () => changed(/\/Length (\d)(\d)\b/, "/Length $11"), "stream_length"],
    ["a reference to nothing", () => changed(/\/Resources/, "/Q 9999 0 R/Resources").subarray(0), "dangling_reference"],
    ["a count that is too small", () => changed("/Count 3", "/Count 2"), "page_count"],
    ["a count that is too large", () => changed("/Count 3", "/Count 4"), "page_count"],
    ["bytes behind the end", () => Buffer.concat([good, Buffer.from("<!-- -->")]), "tail"],
    ["bytes in front", () => Buffer.concat([Buffer.from("\n"), good]), "header"],
    ["a second file behind the first", () => Buffer.concat([good, pagesPdf([{}])]), "object_misplaced"],
    ["encryption", () => changed("/Root", "/Encrypt << >> /Root"), "encrypted"],
  ])("catches %s", async (_, make, fault) => {
    const faults = await faultsOf(make());
    // A change of length also moves what stands behind it, which is a fault of its own.
    expect(faults.length).toBeGreaterThan(0);
    if (["stream_damaged", "page_count", "tail", "header", "encrypted"].includes(fault))
      expect(faults).toContain(fault);
  });

  function flipped(): Buffer {
    const copy = Buffer.from(good);
    const at = copy.indexOf("/FlateDecode");
    const data = copy.indexOf("stream\n", at) + 60;
    copy[data] = (copy[data] ?? 0) ^ 0x55;
    return copy;
  }

  it.each([
    ["a script", "/OpenAction << /S /JavaScript /JS (x) >>", "JS"],
    ["a script behind escapes", "/Open#41ction << /S /J#61vaScript >>", "JavaScript"],
    ["a file", "/Names << /EmbeddedFiles << /Names [] >> >>", "EmbeddedFiles"],
    ["a program", "/OpenAction << /S /Launch /F (x) >>", "Launch"],
    ["a form", "/AcroForm << >>", "AcroForm"],
  ])("names %s that should not be there [C112]", async (_, entry, name) => {
    expect((await gateFinished(pagesPdf([{}], { catalog: entry }), () => {})).activeContent).toContain(name);
  });

  it("names fonts that are not embedded, the standard ones included", async () => {
    expect((await gateFinished(pagesPdf([{}]), () => {})).fontsNotEmbedded).toEqual(["Helvetica"]);
  });

  it("answers with facts, never with an error, whichever byte was changed", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.integer({ min: 0, max: 255 }), async (at, value) => {
        const copy = Buffer.from(good);
        copy[at] = value;
        await gateFinished(copy, () => {});
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});
