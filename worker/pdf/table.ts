import { createHash } from "node:crypto";
import { type FileHandle, open, rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { z } from "zod";
import { PacketFailure } from "@/server/domain/failure";
import { canonicalJson } from "@/server/domain/request";
import type { KindTable } from "@/server/packets/kind";
import { readKind } from "@/server/packets/registry";
import type { AnswerOf, RequestOf } from "@/worker/renderer/requests";
import { decodedText, type NotText, type TableEncoding, tableEncodingOf } from "./table-encoding";
import { dialectOf, readHeader, type TableFinding, type TableHeader } from "./table-header";

const FINDINGS_MAX = 200;
const COLUMNS_MAX = 200;
const CELL_MAX = 5_000;
const START_CHARACTERS = 256 * 1024;
const ROWS_PER_PROGRESS = 500;

/**
 * Reads a CSV file against the row schema of a kind's table and writes its rows as canonical JSON lines. Every cell is text to begin
 * with, so leading zeros stay. Rows are numbered as a spreadsheet numbers them: a cell of several lines is in one row, and an empty row
 * counts but is passed over. A file that cannot be used is an answer with findings, not an error.
 */
export async function inspectTable(
  request: RequestOf<"inspect-table">,
  onProgress: () => void,
): Promise<AnswerOf<"inspect-table">> {
  const table = readKind(request.kind).tables.find(({ name }) => name === request.table);
  if (table === undefined) throw new PacketFailure("internal", { detail: "the kind has no table of this name" });
  if ((await stat(request.path)).size === 0) return { result: "reject", code: "source_empty", findings: [] };
  const encoding = await tableEncodingOf(request.path);
  onProgress();
  if (!isEncoding(encoding)) return reject([{ row: 1, column: "", code: encoding, message: NOT_TEXT[encoding] }]);
  const header = readHeader(await startOf(request.path, encoding), table);
  if (header === null) {
    const names = table.columns.map(({ title }) => title).join(", ");
    return reject([{ row: 1, column: "", code: "no_header", message: `Start with a row of column names: ${names}.` }]);
  }
  if (header.findings.length > 0) return reject(header.findings);
  return copyRows({ path: request.path, outputPath: request.outputPath, table, encoding, header, onProgress });
}

const NOT_TEXT: Record<NotText, string> = {
  spreadsheet_file: "This is not a CSV file. Open it in your spreadsheet program and save it as CSV UTF-8.",
  not_text: "This file holds no text. Save the table as CSV UTF-8.",
  encoding: "Some letters of this file cannot be told for certain. Save the table again as CSV UTF-8.",
};

interface Copying {
  readonly path: string;
  readonly outputPath: string;
  readonly table: KindTable;
  readonly encoding: TableEncoding;
  readonly header: TableHeader;
  readonly onProgress: () => void;
}

async function copyRows(copying: Copying): Promise<AnswerOf<"inspect-table">> {
  const output = await open(copying.outputPath, "wx", 0o600);
  const lines = new LineWriter(output);
  const findings: TableFinding[] = [];
  try {
    for await (const { row, findings: found, value } of checkedRows(copying)) {
      findings.push(...found);
      if (findings.length >= FINDINGS_MAX) break;
      if (findings.length === 0) await lines.add(canonicalJson(value));
      if (row % ROWS_PER_PROGRESS === 0) copying.onProgress();
    }
    const { rows, bytes, digest } = await lines.end();
    if (findings.length === 0) return { result: "accept", rows, bytes, digest };
  } finally {
    await output.close();
  }
  await rm(copying.outputPath);
  return reject(findings.slice(0, FINDINGS_MAX));
}

interface CheckedRow {
  readonly row: number;
  readonly findings: readonly TableFinding[];
  readonly value: unknown;
}

/** The rows below the header, each parsed or with what is wrong with it. What makes the rest unreadable is the last. */
async function* checkedRows({ path, table, encoding, header }: Copying): AsyncGenerator<CheckedRow> {
  const parser = parse(dialectOf(header.delimiter));
  const text = Readable.from(decodedText(path, encoding)).on("error", (error) => parser.destroy(error));
  let row = 0;
  let rows = 0;
  try {
    for await (const record of text.pipe(parser)) {
      row += 1;
      const cells = z.array(z.string()).parse(record);
      if (row <= header.row || cells.every((cell) => cell.trim() === "")) continue;
      rows += 1;
      if (rows > table.rowsMax) {
        yield fault(
          row,
          "too_many_rows",
          `A table holds at most ${table.rowsMax.toLocaleString("en")} rows. Split it.`,
        );
        return;
      }
      yield checkedRow(row, cells, table, header);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    yield fault(row + 1, "quotes", QUOTES);
  } finally {
    text.destroy();
    parser.destroy();
  }
}

const QUOTES =
  "The quotation marks in this row do not match, so cells cannot be told apart. Save the table again as CSV.";

function checkedRow(row: number, cells: readonly string[], table: KindTable, header: TableHeader): CheckedRow {
  if (cells.length > COLUMNS_MAX || cells.slice(header.width).some((cell) => cell.trim() !== "")) {
    return fault(
      row,
      "too_many_cells",
      "This row has more cells than there are columns. Put text with a separator in quotes.",
    );
  }
  const long = table.columns.find(({ field }) => (cells[header.places.get(field) ?? -1]?.length ?? 0) > CELL_MAX);
  if (long !== undefined) return fault(row, "cell_too_long", "This text is too long.", long.title);
  const named = [...header.places].map(([field, place]) => [field, cells[place] ?? ""] as const);
  const parsed = table.row.safeParse(Object.fromEntries(named));
  if (parsed.success) return { row, findings: [], value: parsed.data };
  const findings = new Map<string, TableFinding>();
  for (const { path, code, message } of parsed.error.issues) {
    const column = table.columns.find(({ field }) => field === path[0])?.title ?? "";
    // One finding for a cell: the first rule that it breaks says what to do.
    if (!findings.has(column)) findings.set(column, { row, column, code, message });
  }
  return { row, findings: [...findings.values()], value: null };
}

function fault(row: number, code: string, message: string, column = ""): CheckedRow {
  return { row, findings: [{ row, column, code, message }], value: null };
}

/** Writes lines to a file and knows their number, bytes and digest. */
class LineWriter {
  readonly #output: FileHandle;
  readonly #hash = createHash("sha256");
  #waiting = "";
  #rows = 0;
  #bytes = 0;

  constructor(output: FileHandle) {
    this.#output = output;
  }

  async add(line: string): Promise<void> {
    this.#waiting += `${line}\n`;
    this.#rows += 1;
    if (this.#waiting.length > 256 * 1024) await this.#write();
  }

  async end(): Promise<{ rows: number; bytes: number; digest: string }> {
    await this.#write();
    return { rows: this.#rows, bytes: this.#bytes, digest: `sha256:${this.#hash.digest("hex")}` };
  }

  async #write(): Promise<void> {
    const bytes = Buffer.from(this.#waiting);
    this.#waiting = "";
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    await this.#output.writeFile(bytes);
  }
}

/** As much of the text as names of columns can need. */
async function startOf(path: string, encoding: TableEncoding): Promise<string> {
  let start = "";
  for await (const text of decodedText(path, encoding)) {
    start += text;
    if (start.length >= START_CHARACTERS) break;
  }
  return start.slice(0, START_CHARACTERS);
}

function isEncoding(value: TableEncoding | NotText): value is TableEncoding {
  return !Object.hasOwn(NOT_TEXT, value);
}

function reject(findings: readonly TableFinding[]): AnswerOf<"inspect-table"> {
  return { result: "reject", code: "table_invalid", findings: findings.map((finding) => ({ ...finding })) };
}
