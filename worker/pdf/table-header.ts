import { parse } from "csv-parse/sync";
import { z } from "zod";
import type { KindTable } from "@/server/packets/kind";

export interface TableFinding {
  readonly row: number;
  readonly column: string;
  readonly code: string;
  readonly message: string;
}

export interface TableHeader {
  readonly delimiter: string;
  /** The row that holds the names, as a spreadsheet numbers it. */
  readonly row: number;
  /** Cells in that row, trailing empty ones aside. */
  readonly width: number;
  /** Place of each field's column, from 0. */
  readonly places: ReadonlyMap<string, number>;
  readonly findings: readonly TableFinding[];
}

const DELIMITERS = [",", ";", "\t", "|"];

/**
 * Finds the names of the columns at the beginning of a table: the delimiter is the one under which most of the kind's columns are
 * found. Returns null where no row holds any of them.
 */
export function readHeader(start: string, table: KindTable): TableHeader | null {
  const headers = DELIMITERS.map((delimiter) => headerUnder(start, delimiter, table)).filter(
    (header) => header !== null,
  );
  const [best] = headers.sort((a, b) => b.places.size - a.places.size);
  return best === undefined || best.places.size === 0 ? null : best;
}

/** The options of every reading of a table: cells are text, quotes are strict, rows may be shorter or longer than the header. */
export function dialectOf(delimiter: string) {
  return {
    delimiter,
    bom: true,
    relax_column_count: true,
    skip_empty_lines: false,
    record_delimiter: ["\r\n", "\n", "\r"],
    max_record_size: 256 * 1024,
  };
}

function headerUnder(start: string, delimiter: string, table: KindTable): TableHeader | null {
  const found = firstNames(start, delimiter);
  if (found === null) return null;
  const { row, cells } = found;
  const places = new Map<string, number>();
  const findings: TableFinding[] = [];
  for (const column of table.columns) {
    const standing = placesOf(column, cells);
    const [first] = standing;
    if (first !== undefined) places.set(column.field, first);
    if (standing.length > 1) {
      findings.push({
        row,
        column: column.title,
        code: "column_twice",
        message: "This column is here twice. Delete one.",
      });
    } else if (first === undefined && isRequired(table, column.field)) {
      findings.push({ row, column: column.title, code: "column_missing", message: "This column is missing. Add it." });
    }
  }
  const width = cells.findLastIndex((cell) => cell.trim() !== "") + 1;
  return { delimiter, row, width, places, findings };
}

const ROWS_BEFORE_MAX = 20;

/** The first row that is not empty. Read row by row, so that what is wrong further down does not matter yet. */
function firstNames(start: string, delimiter: string): { row: number; cells: string[] } | null {
  for (let row = 1; row <= ROWS_BEFORE_MAX; row += 1) {
    const cells = rowOf(start, delimiter, row);
    if (cells === undefined) return null;
    // Some programs write the delimiter into a line of its own first.
    const isDialect = row === 1 && /^sep=.?$/i.test(cells[0] ?? "");
    if (!isDialect && cells.some((cell) => cell.trim() !== "")) return { row, cells };
  }
  return null;
}

function rowOf(start: string, delimiter: string, row: number): string[] | undefined {
  try {
    return z.array(z.array(z.string())).parse(parse(start, { ...dialectOf(delimiter), from: row, to: row }))[0];
  } catch {
    // Quotes do not fit under this delimiter, so it is another.
    return undefined;
  }
}

/** Where the column's own name stands; where it does not, where one of its other names does. */
function placesOf(column: KindTable["columns"][number], cells: readonly string[]): number[] {
  const own = placesNamed([column.title, column.field], cells);
  return own.length > 0 ? own : placesNamed(column.aliases, cells);
}

function placesNamed(names: readonly string[], cells: readonly string[]): number[] {
  const wanted = new Set(names.map(plain));
  return cells.flatMap((cell, place) => (wanted.has(plain(cell)) ? [place] : []));
}

/** Names are the same whatever their case, blanks and punctuation. */
function plain(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

function isRequired(table: KindTable, field: string): boolean {
  if (!(table.row instanceof z.ZodObject)) return true;
  const schema = table.row.shape[field];
  return schema !== undefined && !z.safeParse(schema, undefined).success;
}
