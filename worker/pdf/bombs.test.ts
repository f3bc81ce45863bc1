import { deflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { firstExtra, handmadePdf, pagesPdf, stream } from "./testing/handmade-pdf";
import { LIMITS, Workshop } from "./testing/workshop";

const MIB = 1024 * 1024;
/** 256 MiB of spaces in a quarter of a megabyte. */
const BOMB = deflateSync(Buffer.alloc(256 * MIB, " "), { level: 9 });

function page(contents: Uint8Array): Buffer {
  return handmadePdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>",
    contents,
  ]);
}

/** LZW codes of nine bits: clear, then ever longer runs of one letter. */
function lzwBomb(bytes: number): Buffer {
  const bits: string[] = [];
  let produced = 0;
  while (produced < bytes) {
    bits.push((256).toString(2).padStart(produced === 0 ? 9 : 12, "0"), (65).toString(2).padStart(9, "0"));
    for (let code = 258, length = 2; code < 4093; code += 1, length += 1) {
      const size = code + 1 < 512 ? 9 : code + 1 < 1024 ? 10 : code + 1 < 2048 ? 11 : 12;
      bits.push(code.toString(2).padStart(size, "0"));
      produced += length;
    }
  }
  const all = bits.join("");
  return Buffer.from(
    Array.from({ length: Math.floor(all.length / 8) }, (_, i) => parseInt(all.slice(i * 8, i * 8 + 8), 2)),
  );
}

describe("small files that would be huge", () => {
  let workshop: Workshop;
  beforeAll(async () => {
    workshop = await Workshop.open();
  });
  afterAll(() => workshop.close());

  const picture = (entries: string, data: Uint8Array) =>
    pagesPdf(
      [{ entries: `/Resources << /XObject << /I ${firstExtra(1)} 0 R >> >>`, content: "q 9 0 0 9 0 0 cm /I Do Q" }],
      {
        extra: [stream(data, `/Type /XObject /Subtype /Image /ColorSpace /DeviceGray /BitsPerComponent 8 ${entries}`)],
      },
    );

  it.each([
    ["page content", () => page(stream(BOMB, "/Filter /FlateDecode"))],
    ["Flate in Flate", () => page(stream(deflateSync(BOMB), "/Filter [/FlateDecode /FlateDecode]"))],
    ["five filters", () => page(stream(BOMB, "/Filter [/AHx /AHx /AHx /AHx /FlateDecode]"))],
    ["LZW", () => page(stream(lzwBomb(70 * MIB), "/Filter /LZWDecode"))],
    ["run lengths", () => page(stream(Buffer.alloc(1_100_000, Buffer.from([129, 32])), "/Filter /RunLengthDecode"))],
    ["ASCII85 zeros", () => page(stream(Buffer.alloc(17 * MIB, "z"), "/Filter /ASCII85Decode"))],
    ["an object stream", () => objectStreamBomb()],
    ["a cross-reference stream", () => xrefStreamBomb()],
    [
      "metadata",
      () =>
        pagesPdf([{}], { catalog: `/Metadata ${firstExtra(1)} 0 R`, extra: [stream(BOMB, "/Filter /FlateDecode")] }),
    ],
    ["a picture that inflates to more than its size", () => picture("/Width 10 /Height 10 /Filter /FlateDecode", BOMB)],
    ["arrays in arrays", () => pagesPdf([{ entries: `/X ${"[".repeat(100_000)}${"]".repeat(100_000)}` }])],
  ])("%s is refused within its limits, soon and in little memory [C110]", async (_, make) => {
    const bytes = make();
    const before = process.memoryUsage().rss;
    const started = performance.now();
    const verdict = await workshop.inspect(bytes);
    expect(verdict).toMatchObject({ result: "reject", code: "source_exhausts_limits" });
    expect(performance.now() - started).toBeLessThan(8_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * MIB);
  });

  it("a picture of 32,768 pixels a side is too large to print, not too large to hold", async () => {
    const bytes = picture("/Width 32768 /Height 32768 /Filter /FlateDecode", deflateSync(Buffer.alloc(1000)));
    expect(await workshop.inspect(bytes)).toMatchObject({ result: "reject", code: "source_dimensions" });
  });

  it.each([
    ["a tree with a million entries", () => wideTree(), "source_exhausts_limits"],
    ["more pages than allowed", () => pagesPdf(Array.from({ length: 12 }, () => ({}))), "source_too_many_pages"],
    ["a tree that leads into itself", () => loopingTree(), "source_malformed"],
    ["a tree a hundred levels deep", () => deepTree(100), "source_exhausts_limits"],
    [
      "a count of 200 million and no page",
      () => handmadePdf(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] /Count 213804087 >>"]),
      "source_no_pages",
    ],
    [
      "a count that readers disagree on",
      () => pagesPdf([{}]).toString("latin1").replace("/Count 1", "/Count 9"),
      "source_malformed",
    ],
  ])("%s ends as a verdict [C111]", async (_, make, code) => {
    const limits = { ...LIMITS, pagesMax: 10 };
    expect(await workshop.inspect(Buffer.from(make() as string, "latin1"), { limits })).toMatchObject({ code });
  });

  it("a file above the byte limit is not even read", async () => {
    const verdict = await workshop.inspect(pagesPdf([{}]), { limits: { ...LIMITS, bytesMax: 100 } });
    expect(verdict).toEqual({ result: "reject", code: "source_too_large" });
  });

  it("a chain of earlier versions that leads into itself ends", async () => {
    const bytes = pagesPdf([{}]);
    const start = bytes.lastIndexOf("xref\n0");
    const looped = bytes.toString("latin1").replace("/Root 1 0 R", `/Root 1 0 R /Prev ${start}`);
    expect(await workshop.inspect(Buffer.from(looped, "latin1"))).toMatchObject({ result: "accept", pages: 1 });
  });
});

function objectStreamBomb(): Buffer {
  const body = Buffer.concat([Buffer.from("7 0 << /Length 1 >>"), Buffer.alloc(256 * MIB, " ")]);
  const packed = stream(deflateSync(body), "/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources 7 0 R >>",
    packed,
  ];
  const rows: number[][] = [[0, 0, 0]];
  let bytes = Buffer.from("%PDF-1.7\n");
  objects.forEach((object, index) => {
    rows.push([1, bytes.length, 0]);
    bytes = Buffer.concat([bytes, Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from("\nendobj\n")]);
  });
  rows.push([1, bytes.length, 0], [0, 0, 0], [2, 4, 0]);
  return withXrefStream(bytes, rows);
}

function withXrefStream(bytes: Buffer, rows: number[][]): Buffer {
  const table = Buffer.from(rows.flatMap(([kind = 0, a = 0, b = 0]) => [kind, a >> 16, (a >> 8) & 255, a & 255, b]));
  const xref = stream(table, `/Type /XRef /W [1 3 1] /Size ${rows.length} /Root 1 0 R`);
  return Buffer.concat([
    bytes,
    Buffer.from("5 0 obj\n"),
    xref,
    Buffer.from(`\nendobj\nstartxref\n${bytes.length}\n%%EOF\n`),
  ]);
}

function xrefStreamBomb(): Buffer {
  const bytes = pagesPdf([{}]);
  const xref = stream(BOMB, "/Type /XRef /W [1 3 1] /Size 10 /Root 1 0 R /Filter /FlateDecode");
  const tail = Buffer.from(`\nendobj\nstartxref\n${bytes.length}\n%%EOF\n`);
  return Buffer.concat([bytes, Buffer.from("99 0 obj\n"), xref, tail]);
}

function wideTree(): Buffer {
  const kids = "3 0 R ".repeat(1_000_000);
  return handmadePdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count 1000000 >>`,
    "<< /Type /Page /Parent 2 0 R >>",
  ]);
}

function loopingTree(): Buffer {
  return handmadePdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Pages /Parent 2 0 R /Kids [2 0 R] /Count 1 >>",
  ]);
}

function deepTree(depth: number): Buffer {
  const nodes = Array.from({ length: depth }, (_, index) => `<< /Type /Pages /Kids [${index + 3} 0 R] /Count 1 >>`);
  return handmadePdf(["<< /Type /Catalog /Pages 2 0 R >>", ...nodes, "<< /Type /Page /MediaBox [0 0 9 9] >>"]);
}
