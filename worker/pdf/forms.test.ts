import { PDFDocument } from "pdf-lib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Body, firstExtra, pagesPdf, stream } from "./testing/handmade-pdf";
import { inkShare, rasterOf, textsOf } from "./testing/raster";
import { filePart, Workshop } from "./testing/workshop";

describe("a filled form that becomes plain pages", () => {
  let workshop: Workshop;
  beforeAll(async () => {
    workshop = await Workshop.open();
  });
  afterAll(() => workshop.close());

  /** One page with the given widgets; each is an object from number `firstExtra(1)`. */
  function formPdf(widgets: readonly Body[], form = "", further: readonly Body[] = []): Buffer {
    const first = firstExtra(1);
    const refs = widgets.map((_, index) => `${first + index} 0 R`).join(" ");
    return pagesPdf([{ entries: `/Annots [${refs}]`, content: "" }], {
      catalog: `/AcroForm << /Fields [${refs}] /DA (/Helv 12 Tf 0 g) ${form} >>`,
      extra: [...widgets, ...further],
    });
  }
  const widget = (entries: string, rect = "100 700 400 730") =>
    `<< /Type /Annot /Subtype /Widget /T (f) /Rect [${rect}] /F 4 ${entries} >>`;
  const utf16 = (text: string) => `<FEFF${Buffer.from(text, "utf16le").swap16().toString("hex")}>`;
  const needing = "/NeedAppearances true";

  it("shows the value of a text field in the book, as text and as ink, with no field behind it", async () => {
    const document = await PDFDocument.create();
    const field = document.getForm().createTextField("name");
    field.addToPage(document.addPage([400, 400]), { x: 50, y: 200, width: 300, height: 40 });
    field.setText("Visible value");
    const { path, answer } = await workshop.prepare(await document.save());
    expect(answer.disclosures).toContain("form_flattened");
    const { bytes } = await workshop.assemble([filePart(1, path, 1)], { pageNumbers: { style: "x-of-y", from: 9 } });
    expect((await textsOf(bytes))[0]).toContain("Visible value");
    expect(inkShare(await rasterOf(bytes, 1))).toBeGreaterThan(0.003);
    const facts = await workshop.verify(bytes);
    expect(facts.activeContent).toEqual([]);
    expect(facts.faults).toEqual([]);
  });

  it.each(["Łukasz", "Nguyễn", "Ελένη", "Привет", "Łódź – €5 “quoted”", "e\u0301le\u0300ve"])(
    "draws the value %s with an embedded font where the form leaves that to the viewer",
    async (value) => {
      const { bytes } = await workshop.prepare(formPdf([widget(`/FT /Tx /V ${utf16(value)}`)], needing));
      expect((await textsOf(bytes))[0]?.normalize("NFC")).toContain(value.normalize("NFC"));
      // The page itself brings Helvetica along.
      expect((await workshop.verify(bytes)).fontsNotEmbedded).toEqual(["Helvetica"]);
    },
  );

  it("reads values in PDFDocEncoding and inherited from the field above", async () => {
    const first = firstExtra(1);
    const kid = widget(`/Parent ${first + 1} 0 R`).replace("/T (f)", "");
    const parent = `<< /FT /Tx /T (p) /V (price \\240 9 \\215x\\216) /DA (/Helv 10 Tf) /Kids [${first} 0 R] >>`;
    const { bytes } = await workshop.prepare(formPdf([kid], needing, [parent]));
    expect((await textsOf(bytes))[0]).toContain("price € 9 “x”");
  });

  it("refuses a value that no font here can print, naming the page", async () => {
    const source = formPdf([widget(`/FT /Tx /V ${utf16("王小明")}`)], needing);
    expect(await workshop.inspect(source)).toEqual({ result: "reject", code: "missing_glyphs", page: 1 });
  });

  it("keeps the form's own picture of such a value where it has one", async () => {
    const first = firstExtra(1);
    const shown = stream(
      "BT /F 12 Tf 2 8 Td (own picture) Tj ET",
      "/Subtype /Form /BBox [0 0 300 30] /Resources << /Font << /F 3 0 R >> >>",
    );
    const source = formPdf([widget(`/FT /Tx /V ${utf16("王小明")} /AP << /N ${first + 1} 0 R >>`)], needing, [shown]);
    const { bytes } = await workshop.prepare(source);
    expect((await textsOf(bytes))[0]).toContain("own picture");
  });

  it("draws a value whose picture is empty", async () => {
    const first = firstExtra(1);
    const empty = stream("/Tx BMC EMC", "/Subtype /Form /BBox [0 0 300 30]");
    const source = formPdf([widget(`/FT /Tx /V (Not lost) /AP << /N ${first + 1} 0 R >>`)], "", [empty]);
    expect((await textsOf((await workshop.prepare(source)).bytes))[0]).toContain("Not lost");
  });

  it("wraps long text inside its box, and loses none of it", async () => {
    const sentence = "The quick brown fox jumps over the lazy dog again and again until the box is full. "
      .repeat(4)
      .trim();
    const field = widget(`/FT /Tx /Ff 4096 /V (${sentence})`, "100 600 300 700");
    const { bytes } = await workshop.prepare(formPdf([field], needing));
    const shown = ((await textsOf(bytes))[0] ?? "").replaceAll(/\s+/g, " ");
    expect(shown).toContain(sentence);
    const raster = await rasterOf(bytes, 1, 842);
    const outside = raster.grey.filter((value, at) => {
      const [x, y] = [at % raster.width, Math.floor(at / raster.width)];
      return value < 200 && (x < 99 || x > 301 || y < 141 || y > 243);
    });
    expect(outside).toHaveLength(0);
  });

  it("sets each character of a comb into its cell", async () => {
    const { bytes } = await workshop.prepare(
      formPdf([widget("/FT /Tx /Ff 16777216 /MaxLen 9 /V (123456789)")], needing),
    );
    expect((await textsOf(bytes))[0]?.replaceAll(/\s/g, "")).toBe("123456789");
  });

  it("takes MaxLen 0 for no limit, hides passwords, shows what a choice is called", async () => {
    const fields = [
      widget("/FT /Tx /MaxLen 0 /V (Featherstone)", "50 700 250 720"),
      widget("/FT /Tx /Ff 8192 /V (secret)", "50 660 250 680"),
      widget("/FT /Ch /Ff 131072 /Opt [[(x1) (Full time)] [(x2) (Part time)]] /V (x2)", "50 620 250 640"),
      widget("/FT /Ch /Opt [(red) (green) (blue)] /V (green)", "50 540 250 600"),
    ];
    const { bytes } = await workshop.prepare(formPdf(fields, needing));
    const [text] = await textsOf(bytes);
    expect(text).toContain("Featherstone");
    expect(text).toContain("******");
    expect(text).not.toContain("secret");
    expect(text).toContain("Part time");
    for (const option of ["red", "green", "blue"]) expect(text).toContain(option);
  });

  it.each([
    ["ticked", "/V /Yes /AS /Yes", 0.0002],
    ["not ticked", "/V /Off /AS /Off", 0],
  ])("a check box without any appearance is drawn as it is: %s", async (_, state, ink) => {
    const { bytes } = await workshop.prepare(formPdf([widget(`/FT /Btn ${state}`, "100 700 130 730")]));
    const shown = inkShare(await rasterOf(bytes, 1));
    if (ink === 0) expect(shown).toBe(0);
    else expect(shown).toBeGreaterThan(ink);
  });

  it("does not fall over orphans, rubbish in the list of fields, or an appearance without its normal state", async () => {
    const first = firstExtra(1);
    const source = pagesPdf([{ entries: `/Annots [${first} 0 R 999 0 R null (rubbish) ${first + 2} 0 R]` }], {
      catalog: `/AcroForm << /Fields [${first} 0 R ${first + 1} 0 R 777 0 R 12 /x null] ${needing} >>`,
      extra: [
        widget("/FT /Tx /V (Kept)"),
        widget("/FT /Tx /V (Orphan)"),
        "<< /Type /Annot /Subtype /Widget /FT /Btn /T (c) /Rect [9 9 30 30] /F 4 /V /On /AS /On /AP << /D << /On 3 0 R >> >> >>",
      ],
    });
    const { bytes, answer } = await workshop.prepare(source);
    const [text] = await textsOf(bytes);
    expect(answer.pages).toBe(1);
    expect(text).toContain("Kept");
    expect(text).not.toContain("Orphan");
  });

  it("never shows a hidden field, and says that one was left out", async () => {
    const { bytes, answer } = await workshop.prepare(
      formPdf([widget("/FT /Tx /V (Hidden salary)").replace("/F 4", "/F 2")], needing),
    );
    expect((await textsOf(bytes))[0]).not.toContain("Hidden");
    expect(Buffer.from(bytes).toString("latin1")).not.toContain("salary");
    expect(answer.disclosures).toContain("hidden_annotations_removed");
  });

  it("keeps what a signature looks like, drops the signature, and says so", async () => {
    const first = firstExtra(1);
    const look = stream(
      "BT /F 12 Tf 2 8 Td (Signed by Ann) Tj ET",
      "/Subtype /Form /BBox [0 0 300 30] /Resources << /Font << /F 3 0 R >> >>",
    );
    const value = "<< /Type /Sig /Filter /Adobe.PPKLite /ByteRange [0 1 2 3] /Contents <00> >>";
    const source = formPdf([widget(`/FT /Sig /V ${first + 2} 0 R /AP << /N ${first + 1} 0 R >>`)], "/SigFlags 3", [
      look,
      value,
    ]);
    const { bytes, answer } = await workshop.prepare(source);
    expect(answer.disclosures).toContain("signature_flattened");
    expect((await textsOf(bytes))[0]).toContain("Signed by Ann");
    expect(Buffer.from(bytes).toString("latin1")).not.toMatch(/ByteRange|SigFlags|Widget/);
  });

  it("an XFA form is refused in its own words", async () => {
    const source = formPdf([widget("/FT /Tx")], `/XFA ${firstExtra(1) + 1} 0 R`, [stream("<xdp:xdp/>")]);
    expect(await workshop.inspect(source)).toEqual({ result: "reject", code: "source_unsupported_form" });
  });
});
