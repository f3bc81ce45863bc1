import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FOREIGN_LIMITS, ReadingBudget } from "./budget";
import { decodeStream } from "./filters";
import { PdfName, type PdfObject, PdfStream } from "./pdf-object";

function decode(raw: Uint8Array, filters: string[], parms: Record<string, number> = {}) {
  const dict = new Map<string, PdfObject>([["Filter", filters.map((name) => new PdfName(name))]]);
  if (Object.keys(parms).length > 0) dict.set("DecodeParms", [new Map<string, PdfObject>(Object.entries(parms))]);
  return decodeStream(new PdfStream(dict, raw), (value) => value ?? null, new ReadingBudget(FOREIGN_LIMITS));
}

describe("filters", () => {
  it("give back what was put in, one after another", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (data) => {
        const hex = Buffer.from(`${Buffer.from(deflateSync(data)).toString("hex")}>`);
        expect(Buffer.from(decode(hex, ["ASCIIHexDecode", "FlateDecode"]).bytes).equals(Buffer.from(data))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it("know ASCII85, run lengths, LZW and their short names", () => {
    expect(Buffer.from(decode(Buffer.from('87cURD]i,"Ebo80~>'), ["A85"]).bytes).toString()).toBe("Hello World!");
    expect(Buffer.from(decode(Buffer.from("zz~>"), ["A85"]).bytes)).toEqual(Buffer.alloc(8));
    expect(Buffer.from(decode(Buffer.from([2, 65, 66, 67, 254, 68, 128, 9]), ["RL"]).bytes).toString()).toBe("ABCDDD");
    // The example of ISO 32000-2, 7.4.4.2.
    const lzw = Buffer.from("800b6050220c0c8501", "hex");
    expect([...decode(lzw, ["LZW"]).bytes]).toEqual([45, 45, 45, 45, 45, 65, 45, 45, 45, 66]);
  });

  it("undo the PNG predictors", () => {
    const rows = Buffer.from([1, 10, 1, 1, 2, 1, 1, 1, 4, 1, 1, 1, 3, 2, 2, 2]);
    const { bytes } = decode(deflateSync(rows), ["FlateDecode"], { Predictor: 15, Colors: 1, Columns: 3 });
    expect([...bytes]).toEqual([10, 11, 12, 11, 12, 13, 12, 13, 14, 8, 12, 15]);
  });

  it("say that data are damaged, and forgive only a wrong checksum", () => {
    const good = deflateSync(Buffer.from("some text that is long enough to be cut".repeat(20)));
    expect(decode(good, ["FlateDecode"]).damaged).toBe(false);
    expect(decode(good.subarray(0, good.length - 4), ["FlateDecode"]).damaged).toBe(false);
    expect(decode(good.subarray(0, good.length / 2), ["FlateDecode"]).damaged).toBe(true);
    expect(decode(good, ["FlateDecode"]).isTidy).toBe(true);
    for (const untidy of [Buffer.concat([good, Buffer.from("xx")]), good.subarray(0, good.length - 4)]) {
      expect(decode(untidy, ["FlateDecode"])).toMatchObject({ damaged: false, isTidy: false });
    }
  });

  it("leave pictures to their decoders", () => {
    expect(decode(Buffer.from("ffd8>"), ["AHx", "DCT"])).toMatchObject({ codec: "DCTDecode", damaged: false });
  });
});
