import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { firstExtra, pagesPdf, words } from "./testing/handmade-pdf";
import { difference, inkShare, rasterOf } from "./testing/raster";
import { filePart, Workshop } from "./testing/workshop";

describe("layers of a source", () => {
  let workshop: Workshop;
  beforeAll(async () => {
    workshop = await Workshop.open();
  });
  afterAll(() => workshop.close());

  /** A page with a shown word on layer A and another on layer B. */
  function layered(config: string): Buffer {
    const [a, b] = [firstExtra(1), firstExtra(1) + 1];
    const content = `/OC /A BDC ${words("Layer A", 72, 700)} EMC /OC /B BDC ${words("Layer B", 72, 300)} EMC`;
    const entries = `/Resources << /Font << /F 3 0 R >> /Properties << /A ${a} 0 R /B ${b} 0 R >> >>`;
    return pagesPdf([{ entries, content }], {
      catalog: `/OCProperties << /OCGs [${a} 0 R ${b} 0 R] /D << ${config.replace("first", `${a} 0 R`).replace("second", `${b} 0 R`)} >> >>`,
      extra: ["<< /Type /OCG /Name (A) >>", "<< /Type /OCG /Name (B) /Usage << /View << /ViewState /OFF >> >> >>"],
    });
  }
  const never = { pageNumbers: { style: "x-of-y", from: 99 } } as const;

  it.each([
    ["all shown", "/BaseState /ON"],
    ["one hidden", "/OFF [second]"],
    ["all hidden but one", "/BaseState /OFF /ON [first]"],
    ["all hidden", "/BaseState /OFF"],
    ["one hidden for viewing", "/AS [<< /Event /View /Category [/View] /OCGs [second] >>]"],
  ])("are shown and hidden in a book as in their own file: %s", async (_, config) => {
    const source = layered(config);
    const { path } = await workshop.prepare(source);
    const other = await workshop.prepare(layered("/BaseState /OFF /ON [first]"));
    const { bytes } = await workshop.assemble([filePart(1, other.path, 1), filePart(2, path, 1)], never);
    expect(difference(await rasterOf(source, 1), await rasterOf(bytes, 2))).toBeLessThan(0.0005);
    expect((await workshop.verify(bytes)).faults).toEqual([]);
  });

  it("a form field on a hidden layer stays hidden", async () => {
    const [layer, field] = [firstExtra(1), firstExtra(1) + 1];
    const source = pagesPdf([{ entries: `/Annots [${field} 0 R]`, content: "" }], {
      catalog: `/AcroForm << /Fields [${field} 0 R] /NeedAppearances true >> /OCProperties << /OCGs [${layer} 0 R] /D << /OFF [${layer} 0 R] >> >>`,
      extra: [
        "<< /Type /OCG /Name (A) >>",
        `<< /Type /Annot /Subtype /Widget /FT /Tx /T (f) /V (Unseen) /Rect [100 600 400 640] /OC ${layer} 0 R >>`,
      ],
    });
    const { path } = await workshop.prepare(source);
    const { bytes } = await workshop.assemble([filePart(1, path, 1)], never);
    expect(inkShare(await rasterOf(bytes, 1))).toBe(0);
  });

  it("a hidden layer never becomes visible", async () => {
    const { path } = await workshop.prepare(layered("/BaseState /OFF"));
    const { bytes } = await workshop.assemble([filePart(1, path, 1)], never);
    expect(inkShare(await rasterOf(bytes, 1))).toBe(0);
  });
});
