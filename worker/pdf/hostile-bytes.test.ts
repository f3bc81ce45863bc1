import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isFailureCode, policyOf } from "@/server/domain/failure";
import { handmadePdf, pagesPdf, stream, words } from "./testing/handmade-pdf";
import { textsOf } from "./testing/raster";
import { Workshop } from "./testing/workshop";

describe("bytes that were changed on the way", () => {
  let workshop: Workshop;
  beforeAll(async () => {
    workshop = await Workshop.open();
  });
  afterAll(() => workshop.close());

  const source = pagesPdf([{ content: words("one") }, { entries: "/Rotate 90" }, {}], {
    catalog: "/Outlines << /First 10 0 R >> /Dests << /a [4 0 R /Fit] >>",
    extra: ["<< /Title (x) /Dest /a >>"],
  });

  it("end in a permanent verdict or in a copy that passes the gate, never in an error of ours [C106,C135]", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(source.length - 1), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 8 }),
        async (changes) => {
          const bytes = Buffer.from(source);
          for (const [at, value] of changes) bytes[at] = value;
          const verdict = await workshop.inspect(bytes);
          if (verdict.result === "accept") {
            const { bytes: clean } = await workshop.prepare(bytes);
            expect(await workshop.verify(clean)).toMatchObject({ pages: verdict.pages, activeContent: [], faults: [] });
            return;
          }
          expect(isFailureCode(verdict.code) && policyOf(verdict.code).disposition).toBe("permanent");
        },
      ),
      { numRuns: 250, seed: 11 },
    );
  });

  it.each([
    ["bytes behind the compressed data", (data: Buffer) => Buffer.concat([data, Buffer.from("\r\n\0")])],
    ["a wrong checksum", (data: Buffer) => Buffer.concat([data.subarray(0, -4), Buffer.from([1, 2, 3, 4])])],
    ["no checksum", (data: Buffer) => data.subarray(0, -4)],
  ])("are written anew where a page has %s", async (_, change) => {
    const content = stream(change(deflateSync(words("Careless but whole"))), "/Filter /FlateDecode");
    const bytes = handmadePdf([
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
      content,
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]);
    const { bytes: clean } = await workshop.prepare(bytes);
    expect((await textsOf(clean))[0]).toContain("Careless but whole");
    expect((await workshop.verify(clean)).faults).toEqual([]);
  });

  it("are refused with the page where its content breaks off", async () => {
    const half = deflateSync(words("x").repeat(400));
    const broken = handmadePdf([
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R 5 0 R] /Count 2 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>",
      stream(deflateSync("0 0 9 9 re f"), "/Filter /FlateDecode"),
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 6 0 R >>",
      stream(half.subarray(0, half.length / 2), "/Filter /FlateDecode"),
    ]);
    expect(await workshop.inspect(broken)).toEqual({ result: "reject", code: "source_malformed", page: 2 });
  });

  it("cut short at any place, they are refused or whole [C286]", async () => {
    for (let length = 1; length < source.length; length += 37) {
      const verdict = await workshop.inspect(source.subarray(0, length));
      if (verdict.result === "accept") expect(verdict.pages).toBe(3);
    }
  });
});
