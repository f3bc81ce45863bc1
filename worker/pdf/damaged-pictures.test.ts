import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIMITS, Workshop } from "./testing/workshop";

describe("damaged pictures", () => {
  let workshop: Workshop;
  beforeAll(async () => {
    workshop = await Workshop.open();
  });
  afterAll(() => workshop.close());

  const chunk = (type: string, body: Uint8Array, claimed = body.length): Buffer => {
    const out = Buffer.alloc(12 + body.length);
    out.writeUInt32BE(claimed, 0);
    out.write(type, 4, "latin1");
    Buffer.from(body).copy(out, 8);
    out.writeUInt32BE(crc32(out.subarray(4, 8 + body.length)), 8 + body.length);
    return out;
  };
  const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
  const header = (width: number, height: number) => {
    const body = Buffer.alloc(13);
    body.writeUInt32BE(width, 0);
    body.writeUInt32BE(height, 4);
    body.set([8, 2, 0, 0, 0], 8);
    return chunk("IHDR", body);
  };
  const pixels = chunk("IDAT", deflateSync(Buffer.alloc(4 * 13)));
  const end = chunk("IEND", Buffer.alloc(0));

  it.each([
    [
      "a text chunk that claims 2 GB",
      Buffer.concat([SIGNATURE, header(4, 4), chunk("tEXt", Buffer.from("a\0b"), 0x7ffffff0)]),
    ],
    [
      "picture data that claim 2 GB",
      Buffer.concat([SIGNATURE, header(4, 4), chunk("IDAT", Buffer.alloc(9), 0x7fffffff)]),
    ],
    ["no picture data", Buffer.concat([SIGNATURE, header(4, 4), end])],
    ["no end", Buffer.concat([SIGNATURE, header(4, 4), pixels])],
    ["no area", Buffer.concat([SIGNATURE, header(0, 4), pixels, end])],
    ["too few rows", Buffer.concat([SIGNATURE, header(4, 400), pixels, end])],
    ["a header that comes late", Buffer.concat([SIGNATURE, pixels, header(4, 4), end])],
    [
      "a wrong checksum",
      Buffer.concat([SIGNATURE, header(4, 4), Buffer.from(pixels).fill(0xee, pixels.length - 4), end]),
    ],
  ])("a PNG with %s is malformed, at once [C110,C286]", async (_, bytes) => {
    const started = performance.now();
    expect(await workshop.inspect(bytes)).toEqual({ result: "reject", code: "source_malformed" });
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it("optional chunks that are empty or unknown do no harm", async () => {
    const chunks = ["gAMA", "cHRM", "tEXt", "iCCP", "bKGD", "zzZz"].map((type) => chunk(type, Buffer.alloc(0)));
    const bytes = Buffer.concat([SIGNATURE, header(4, 4), ...chunks, pixels, end]);
    expect(await workshop.inspect(bytes)).toMatchObject({ result: "accept", pages: 1 });
  });

  it("more pixels than allowed are refused before they are decoded", async () => {
    const huge = Buffer.concat([SIGNATURE, header(60_000, 60_000), pixels, end]);
    expect(await workshop.inspect(huge)).toEqual({ result: "reject", code: "source_dimensions" });
    const jpeg = await sharp({ create: { width: 60, height: 40, channels: 3, background: "#c00" } })
      .jpeg()
      .toBuffer();
    const limits = { ...LIMITS, pixelsMax: 2_000 };
    expect(await workshop.inspect(jpeg, { limits })).toEqual({ result: "reject", code: "source_dimensions" });
  });

  it.each([0.3, 0.6, 0.9])(
    "a JPEG cut off at %d of its length is malformed, never half a picture [C286]",
    async (share) => {
      const noise = Buffer.from(Array.from({ length: 200 * 200 * 3 }, (_, at) => (at * at * 31) % 251));
      const jpeg = await sharp(noise, { raw: { width: 200, height: 200, channels: 3 } })
        .jpeg()
        .toBuffer();
      const verdict = await workshop.inspect(jpeg.subarray(0, Math.floor(jpeg.length * share)));
      expect(verdict).toEqual({ result: "reject", code: "source_malformed" });
    },
  );
});
