import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Source } from "../../../_components/uploads/use-sources";
import { payloadSections, problemsByRow, rowsFrom, summarise } from "./book";
import { changeRows, type FileRow, newSection, type Row, type RowsAction, sectionsOf, titleOf } from "./rows";

const section = (key: string): Row => ({ type: "section", key, title: key });
const file = (key: string, more: Partial<FileRow> = {}): Row => ({
  type: "file",
  key,
  title: key,
  closed: false,
  upload: { type: "sent", sourceId: `src_${key}` },
  ...more,
});
const keys = (rows: readonly Row[]) => rows.map((row) => row.key).join(" ");
const BOOK = [section("A"), file("1"), file("2"), section("B"), file("3")];
const source = (key: string, more: Partial<Source> = {}): [string, Source] => [
  `src_${key}`,
  {
    sourceId: `src_${key}`,
    title: key,
    state: "accepted",
    mediaType: "application/pdf",
    bytes: 1_000,
    digest: `sha256:${key}`,
    pages: 10,
    rows: 0,
    disclosures: [],
    refusal: null,
    findings: [],
    ...more,
  },
];

describe("the order of a book", () => {
  it("moves a file into the section it is put down in", () => {
    const rows = changeRows(BOOK, { type: "move", key: "2", to: 3 });
    expect(keys(rows)).toBe("A 1 B 2 3");
  });

  it("never lets a file stand before the first section", () => {
    expect(keys(changeRows(BOOK, { type: "move", key: "3", to: 0 }))).toBe("A 3 1 2 B");
  });

  it("moves a section with its files past the whole of its neighbour", () => {
    expect(keys(changeRows(BOOK, { type: "move", key: "B", to: 2 }))).toBe("B 3 A 1 2");
    expect(keys(changeRows(BOOK, { type: "move", key: "A", to: 1 }))).toBe("B 3 A 1 2");
  });

  it("gives the files of a removed section to the one before it", () => {
    expect(keys(changeRows(BOOK, { type: "remove", key: "B" }))).toBe("A 1 2 3");
    expect(keys(changeRows(BOOK, { type: "remove", key: "A" }))).toBe(keys(BOOK));
  });

  it("loses and doubles nothing, and begins with a section, whatever is moved where", () => {
    const action = fc.record({
      type: fc.constant("move" as const),
      key: fc.constantFrom("A", "B", "1", "2", "3"),
      to: fc.integer({ min: -2, max: 7 }),
    });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 20 }), (actions) => {
        const rows = actions.reduce<readonly Row[]>((before, next: RowsAction) => changeRows(before, next), BOOK);
        expect(rows.map((row) => row.key).sort()).toEqual(["1", "2", "3", "A", "B"]);
        expect(rows[0]?.type).toBe("section");
      }),
    );
  });

  it("is what is sent, section by section", () => {
    expect(payloadSections(BOOK)).toEqual([
      {
        title: "A",
        sources: [
          { source: "src_1", title: "1", closed: false },
          { source: "src_2", title: "2", closed: false },
        ],
      },
      { title: "B", sources: [{ source: "src_3", title: "3", closed: false }] },
    ]);
    expect(sectionsOf(rowsFrom({ sections: payloadSections(BOOK) })).map(({ files }) => files.length)).toEqual([2, 1]);
  });
});

describe("a book's summary", () => {
  const sources = new Map([source("1"), source("2"), source("3")]);

  it("counts pages and bytes of what goes into this copy", () => {
    const closed = [section("A"), file("1"), file("2", { closed: true })];
    expect(summarise(closed, sources, "board")).toMatchObject({ files: 2, pages: 20, bytes: 2_000, missing: [] });
    expect(summarise(closed, sources, "public")).toMatchObject({ files: 1, pages: 10, bytes: 1_000, missing: [] });
  });

  it("says what is missing in words, and whether waiting helps", () => {
    const looking = new Map([source("1", { state: "inspecting" }), source("2", { state: "refused" })]);
    const summary = summarise([section("A"), file("1"), file("2"), newSection("")], looking, "board");
    expect(summary.isBusy).toBe(true);
    expect(summary.missing).toEqual([
      "1 file is being checked.",
      "1 file cannot be used: replace or remove.",
      "1 section needs a name.",
      "1 section has no files.",
    ]);
    expect(summarise([section("A")], sources, "board").missing).toEqual(["Add files."]);
  });

  it("puts a finding at the row it is about", () => {
    const problems = problemsByRow(BOOK, [
      { path: ["sections", 1, "sources", 0, "source"], message: "gone" },
      { path: ["sections", 0, "title"], message: "name it" },
      { path: ["meeting", "ref"], message: "elsewhere" },
    ]);
    expect([...problems]).toEqual([
      ["3", "gone"],
      ["A", "name it"],
    ]);
  });

  it("reads a title out of the name of a file", () => {
    expect(titleOf("2026-11_budget_final.PDF")).toBe("2026-11 budget final");
    expect(titleOf(".pdf")).toBe("Untitled");
  });
});
