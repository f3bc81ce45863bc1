import { mkdir } from "node:fs/promises";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { digestOf, type SourceId } from "@/server/domain/ids";
import { Manifest, orderManifest } from "@/server/domain/manifest";
import { renderPart } from "@/worker/pdf/render";
import { type Bench, benchFor, textsOf } from "@/worker/pdf/testing/rendered-sample";
import type { SourceFacts } from "../kind";
import { boardBook } from "./index";
import type { BoardBook } from "./schema";

const { typical } = boardBook.samples;
const book = typical.payload;
const facts = (sourceId: string): SourceFacts => ({
  sourceId: sourceId as SourceId,
  title: "as uploaded",
  mediaType: "application/pdf",
  digest: digestOf(sourceId),
  bytes: 10,
  pages: 3,
  rows: 0,
});
const benches: Bench[] = [];
afterAll(() => Promise.all(benches.map((bench) => bench.close())));

describe("the manifest", () => {
  it("is cover, contents, then each section's divider and files in the order of the agenda [C240]", () => {
    const { parts } = boardBook.manifest(book, "board", facts);
    expect(parts.map((part) => part.title)).toEqual([
      "Cover",
      "Contents",
      ...book.sections.flatMap((section) => [section.title, ...section.sources.map((entry) => entry.title)]),
    ]);
    expect(parts.map((part) => part.position)).toEqual(parts.map((_, index) => index + 1));
  });

  it("names files by id and digest, never by a path [C25]", () => {
    const manifest = Manifest.parse(boardBook.manifest(book, "board", facts));
    const [file] = manifest.parts.filter((part) => part.type === "file");
    expect(file).toMatchObject({
      sourceId: "sample_book_agenda",
      digest: digestOf("sample_book_agenda"),
      section: "Opening",
    });
    expect(JSON.stringify(manifest)).not.toMatch(/path|url|file:/);
  });

  it("a public copy holds no word of what is closed, nor a section that held nothing else", () => {
    const text = JSON.stringify(boardBook.manifest(book, "public", facts));
    for (const word of ["Closed session", "Staff matters", "Legal advice", "sample_book_staff"])
      expect(text).not.toContain(word);
    expect(text).toContain("Public copy");
  });

  it("is a valid manifest for any book, whatever is closed", () => {
    const sections = fc.array(
      fc.record({ title: fc.constant("Section"), closed: fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }) }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(sections, fc.constantFrom("board", "public"), (made, audience) => {
        const payload: BoardBook = {
          ...book,
          sections: made.map((section, index) => ({
            title: section.title,
            sources: section.closed.map((closed, file) => ({
              source: `s${index}_${file}`,
              title: `${index}.${file}`,
              closed,
            })),
          })),
        };
        const open = made.flatMap((section, index) =>
          section.closed.flatMap((closed, file) => (closed && audience === "public" ? [] : [`${index}.${file}`])),
        );
        if (open.length === 0) {
          expect(() => boardBook.manifest(payload, audience, facts)).toThrow(
            expect.objectContaining({ code: "manifest_empty" }),
          );
          return;
        }
        const manifest = boardBook.manifest(payload, audience, facts);
        expect(orderManifest(Manifest.parse(manifest)).parts).toEqual(manifest.parts);
        expect(manifest.parts.flatMap((part) => (part.type === "file" ? [part.title] : []))).toEqual(open);
      }),
    );
  });
});

describe("what is refused", () => {
  it("an empty book: no section, no file, or nothing left for the public [C100]", () => {
    expect(boardBook.payload.safeParse({ ...book, sections: [] }).success).toBe(false);
    expect(boardBook.payload.safeParse({ ...book, sections: [{ title: "A", sources: [] }] }).success).toBe(false);
    const closed = { ...book, sections: [{ title: "A", sources: [{ source: "s", title: "t", closed: true }] }] };
    expect(() => boardBook.manifest(closed, "public", facts)).toThrow(
      expect.objectContaining({ code: "manifest_empty" }),
    );
  });

  it("more than five hundred files, a file bound twice, a meeting that is over", () => {
    const sources = (count: number, name: string) =>
      Array.from({ length: count }, (_, index) => ({ source: `${name}${index}`, title: "t", closed: false }));
    const rules = (payload: BoardBook) =>
      boardBook.rules(payload, { today: typical.today }).map((finding) => finding.code);
    const two = [
      { title: "A", sources: sources(300, "a") },
      { title: "B", sources: sources(201, "b") },
    ];
    expect(rules({ ...book, sections: two })).toEqual(["too_many_sources"]);
    expect(rules({ ...book, sections: [...book.sections, ...book.sections.slice(0, 1)] })).toContain(
      "duplicate_source",
    );
    expect(rules({ ...book, meeting: { ...book.meeting, date: "2027-01-24" } })).toEqual(["meeting_passed"]);
  });

  it("a file without an id [C103]", () => {
    for (const source of ["", "../../etc/passwd", "a b", undefined, null, 7]) {
      const sections = [{ title: "A", sources: [{ source, title: "t", closed: false }] }];
      expect(boardBook.payload.safeParse({ ...book, sections }).success).toBe(false);
    }
  });
});

describe("watermark and time", () => {
  it("the board copy says so unless other words are given; the public copy says nothing", () => {
    expect(boardBook.watermark(book, "board")).toBe("Board copy");
    expect(boardBook.watermark(book, "public")).toBeNull();
    expect(boardBook.watermark({ ...book, watermark: "Draft" }, "public")).toBe("Draft");
  });

  it("is needed five days before the meeting, or by its day once that has passed", () => {
    const at = (acceptedAt: string) => boardBook.finishBy(book, new Date(acceptedAt)).toISOString();
    expect(at("2027-01-25T10:00:00Z")).toBe("2027-02-13T00:00:00.000Z");
    expect(at("2027-02-16T10:00:00Z")).toBe("2027-02-18T00:00:00.000Z");
  });
});

describe("the pages", () => {
  it("the contents page names every file with its page, and knowing the pages changes no line", async () => {
    const bench = await benchFor(boardBook, typical);
    benches.push(bench);
    const { layout } = await bench.renderAll();
    const outputDirectory = `${bench.folder}/again`;
    await mkdir(outputDirectory);
    const texts = await textsOf(await renderPart(bench.request(2, { layout, outputDirectory }), () => {}));
    for (const part of bench.manifest.parts.slice(2)) {
      const page = layout.find((entry) => entry.position === part.position)?.firstPage;
      expect(texts.join("\n")).toMatch(new RegExp(`${part.title} ${page}(\n|$)`));
    }
  });

  it("a public copy prints nothing of what is closed on any page of ours", async () => {
    const bench = await benchFor(boardBook, typical, { audience: "public" });
    benches.push(bench);
    for (const part of bench.manifest.parts) {
      if (part.type !== "template") continue;
      const text = (await textsOf(await renderPart(bench.request(part.position), () => {}))).join("\n");
      expect(text).not.toMatch(/Closed session|Staff matters|Legal advice/);
    }
  });

  it("five hundred files have contents of many pages, each file once and in order", async () => {
    const sources = Array.from({ length: 500 }, (_, index) => ({
      source: "sample_book_agenda",
      title: `File number ${index + 1}`,
      closed: false,
    }));
    const bench = await benchFor(boardBook, {
      ...typical,
      payload: { ...book, sections: [{ title: "All", sources }] },
    });
    benches.push(bench);
    const texts = await textsOf(await renderPart(bench.request(2), () => {}));
    expect(texts.length).toBeGreaterThan(10);
    const printed = [...texts.join("\n").matchAll(/File number (\d+)/g)].map((match) => Number(match[1]));
    expect(printed).toEqual(sources.map((_, index) => index + 1));
  });
});
