import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { digestOf } from "@/server/domain/ids";
import { inspectTable } from "./table";

const HEADER = "Reference,Date,Customer,Destination,Pallets,Weight kg,Value,Status,Exception note";
const ROW = "SH-1,2026-11-04,Søn & Co,Gdańsk,4,812.5,1200,delivered,";

let directory: string;
let outputPath: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "table-"));
  outputPath = join(directory, "rows.jsonl");
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe("accepted", () => {
  it("rows become canonical JSON lines whose number, length and digest are told", async () => {
    const answer = await inspect(`${HEADER}\n${ROW}\n`);
    const text = await readFile(outputPath, "utf8");
    expect(text).toBe(
      '{"customer":"Søn & Co","date":"2026-11-04","destination":"Gdańsk","note":"","pallets":4,"reference":"SH-1","status":"delivered","value":"1200.00","weightKg":"812.5"}\n',
    );
    expect(answer).toEqual({ result: "accept", rows: 1, bytes: Buffer.byteLength(text), digest: digestOf(text) });
  });

  it("the same rows give the same digest whatever the delimiter, line ends, column order and encoding", async () => {
    const semicolons = `${HEADER}\r\n${ROW}\r\n`.replaceAll(",", ";");
    const tabs = `${HEADER}\r${ROW}\r`.replaceAll(",", "\t");
    const bars = `sep=|\n${HEADER}\n${ROW}`.replaceAll(",", "|");
    const turned = [HEADER, ROW].map((line) => line.split(",").reverse().join(",")).join("\n");
    const texts: (string | Buffer)[] = [`${HEADER}\n${ROW}`, semicolons, tabs, bars, turned];
    texts.push(
      `\uFEFF${HEADER}\n${ROW}`,
      wide(`\uFEFF${HEADER}\n${ROW}`),
      wide(`${HEADER}\n${ROW}`),
      swapped(wide(`\uFEFF${HEADER}\n${ROW}`)),
    );
    const digests = new Set<string>();
    for (const text of texts) digests.add(JSON.stringify(await inspect(text)));
    expect([...digests]).toEqual([expect.stringContaining('"result":"accept"')]);
  });

  it("names of columns may be written in other ways, and columns that nobody asked for are passed over [CASE-33]", async () => {
    const header = "\uFEFFREF;ship-date;client;Driver;to;Pallet Count;gross weight (kg);amount;State";
    expect(await inspect(`${header}\nSH-1;2026-11-04;Ada;Bob;Oslo;4;1;2;Delivered`)).toMatchObject({
      result: "accept",
      rows: 1,
    });
  });

  it("a cell may hold line breaks, separators and quotes, and leading zeros stay [CASE-34,CASE-35]", async () => {
    await inspect(`${HEADER}\n0042,2026-11-04,"Say ""hi"", please",Oslo,4,1,2,delivered,""\n`);
    expect(JSON.parse(await readFile(outputPath, "utf8"))).toMatchObject({
      reference: "0042",
      customer: 'Say "hi", please',
    });
  });

  it("empty rows and trailing empty columns are passed over [CASE-36]", async () => {
    const answer = await inspect(`\n${HEADER},,\n\n${ROW},,\n,,,,,,,,,,\n   \n${ROW},\n\n`);
    expect(answer).toMatchObject({ result: "accept", rows: 2 });
  });

  it("a header without rows is a table without rows", async () => {
    expect(await inspect(HEADER)).toEqual({ result: "accept", rows: 0, bytes: 0, digest: digestOf("") });
  });

  it("a Windows-1252 file keeps its letters where they can be told for certain", async () => {
    const cells = "SH-1,2026-11-04,Müller & Söhne,Besançon – Hôtel,4,1,2,delivered,“très” près de l’Étang";
    expect(await inspect(western(`${HEADER}\n${cells}`))).toMatchObject({ result: "accept" });
    expect(JSON.parse(await readFile(outputPath, "utf8"))).toMatchObject({
      customer: "Müller & Söhne",
      destination: "Besançon – Hôtel",
      note: "“très” près de l’Étang",
    });
  });
});

describe("refused with the row and column", () => {
  it("cells that break a rule, numbered as a spreadsheet numbers rows", async () => {
    const answer = await inspect(
      `${HEADER}\n"SH\n1",2026-11-04,A,B,4,1,2,delivered,\n\n${ROW}\nSH-2,2026-02-30,A,B,4.5,1,2,lost,`,
    );
    expect(findingsOf(answer).map(({ row, column }) => [row, column])).toEqual([
      [2, "Reference"],
      [5, "Date"],
      [5, "Pallets"],
    ]);
    expect(await readdir(directory)).toEqual(["table.csv"]);
  });

  it("a required column that is missing, and one that is here twice", async () => {
    const header = HEADER.replace("Customer", "Kunde").replace("Status", "Value").replace(",Exception note", "");
    expect(findingsOf(await inspect(`${header}\n`)).map(({ row, column, code }) => [row, column, code])).toEqual([
      [1, "Customer", "column_missing"],
      [1, "Value", "column_twice"],
      [1, "Status", "column_missing"],
    ]);
  });

  it("a row with more cells than columns, since its cells are not where they seem", async () => {
    const answer = await inspect(`${HEADER}\nSH-1,2026-11-04,Ada, Ltd,Oslo,4,1,2,delivered,late,x`);
    expect(findingsOf(answer)).toMatchObject([{ row: 2, code: "too_many_cells" }]);
  });

  it.each(["\uD800", "a\u0000b", "\u202Egnp"])("a cell with a character that no page can show (%j)", async (text) => {
    const answer = await inspect(wide(`\uFEFF${HEADER}\n${ROW.replace("Søn", text)}`));
    expect(answer).toMatchObject({ result: "reject", code: "table_invalid" });
    expect(findingsOf(answer)).toHaveLength(1);
  });

  it("quotes that do not match, at the row where they begin", async () => {
    const answer = await inspect(`${HEADER}\n${ROW}\nSH-2,2026-11-04,"Ada,Oslo,4,1,2,delivered,\n${ROW}\n`);
    expect(findingsOf(answer)).toMatchObject([{ row: 3, code: "quotes" }]);
  });

  it("no more than 200 findings", async () => {
    const answer = await inspect(`${HEADER}\n${"SH-1,x,A,B,4,1,2,delivered,\n".repeat(1_000)}`);
    expect(findingsOf(answer)).toHaveLength(200);
  });

  it("a cell and a row without end", async () => {
    const long = "x".repeat(6_000);
    expect(findingsOf(await inspect(`${HEADER}\n${ROW}${long}`))).toMatchObject([{ row: 2, code: "cell_too_long" }]);
    const endless = `${HEADER}\n"${"x".repeat(400_000)}`;
    expect(findingsOf(await inspect(endless))).toMatchObject([{ row: 2, code: "quotes" }]);
    const wideRow = `${HEADER}\n${ROW}${",".repeat(300)}`;
    expect(findingsOf(await inspect(wideRow))).toMatchObject([{ row: 2, code: "too_many_cells" }]);
  });

  it("more rows than the kind takes", async () => {
    const answer = await inspect(`${HEADER}\n${`${ROW}\n`.repeat(100_001)}`);
    expect(findingsOf(answer)).toMatchObject([{ row: 100_002, code: "too_many_rows" }]);
  });
});

describe("refused as a whole", () => {
  it("an empty file", async () => {
    expect(await inspect("")).toMatchObject({ result: "reject", code: "source_empty" });
  });

  it.each<[string, string | Buffer, string]>([
    ["a workbook", Buffer.from("504b030414000600", "hex"), "spreadsheet_file"],
    ["an older workbook", Buffer.from("d0cf11e0a1b11ae1", "hex"), "spreadsheet_file"],
    ["a PDF", "%PDF-1.7\n", "spreadsheet_file"],
    ["bytes", Buffer.from([1, 2, 0, 0, 0, 7, 8]), "not_text"],
    ["text without names of columns", "a letter\nto nobody\n", "no_header"],
    ["only separators", ",,,\n,,,\n", "no_header"],
  ])("%s", async (_, bytes, code) => {
    expect(findingsOf(await inspect(bytes))).toMatchObject([{ row: 1, code }]);
  });

  it.each([
    ["Polish in Windows-1250", "Łódź", "A3F3649F"],
    ["Czech in Windows-1250", "Dvořák", "44766FF8E16B"],
    ["Hungarian in Windows-1250", "Győr", "4779F572"],
    ["Romanian in Windows-1250", "Braşov", "427261BA6F76"],
    ["Russian in Windows-1251", "Москва", "CCEEF1EAE2E0"],
    ["Greek in Windows-1253", "Αθήνα", "C1E8DEEDE1"],
    ["Japanese in Shift_JIS", "東京", "938C8B9E"],
    ["UTF-8 that was cut", "ø", "C3"],
    ["UTF-8 with a damaged place", "Müller ø", "4DC3BC6C6C6572C3"],
  ])("a file whose letters cannot be told: %s (%s)", async (_language, _word, hex) => {
    const [before = "", after = ""] = `${HEADER}\n${ROW.replace("Gdańsk", "Oslo").replace("Søn", "#")}`.split("#");
    const bytes = Buffer.concat([Buffer.from(before), Buffer.from(hex, "hex"), Buffer.from(after)]);
    expect(findingsOf(await inspect(bytes))).toMatchObject([{ row: 1, code: "encoding" }]);
  });
});

it("a table of 100,000 rows shows progress on its way and stays within seconds", async () => {
  const lines = Array.from({ length: 100_000 }, (_, index) => ROW.replace("SH-1", `SH-${index}`));
  let progress = 0;
  const answer = await inspect(`${HEADER}\n${lines.join("\n")}\n`, () => {
    progress += 1;
  });
  expect(answer).toMatchObject({ result: "accept", rows: 100_000 });
  expect(progress).toBeGreaterThanOrEqual(200);
});

type Answer = Awaited<ReturnType<typeof inspectTable>>;

async function inspect(content: string | Buffer, onProgress: () => void = () => undefined): Promise<Answer> {
  const path = join(directory, "table.csv");
  await writeFile(path, content);
  await rm(outputPath, { force: true });
  const request = { op: "inspect-table", path, kind: "depot-report", table: "shipments", outputPath } as const;
  return inspectTable(request, onProgress);
}

function findingsOf(answer: Answer) {
  return answer.result === "reject" ? answer.findings : [];
}

function wide(text: string): Buffer {
  return Buffer.from(text, "utf16le");
}

function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes).swap16();
}

/** The text in Windows-1252, as far as these tests need it. */
function western(text: string): Buffer {
  const signs: Record<string, number> = { "–": 0x96, "“": 0x93, "”": 0x94, "’": 0x92 };
  return Buffer.from([...text].map((character) => signs[character] ?? character.charCodeAt(0)));
}
