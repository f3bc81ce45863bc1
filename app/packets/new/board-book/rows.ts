import { movedIndex } from "../../../_components/payload-form/store";

export type Upload =
  | { readonly type: "waiting"; readonly file: File }
  | { readonly type: "sending"; readonly file: File; readonly share: number }
  | { readonly type: "broken"; readonly file: File; readonly message: string; readonly mayRetry: boolean }
  | { readonly type: "sent"; readonly sourceId: string };

export interface SectionRow {
  readonly type: "section";
  readonly key: string;
  readonly title: string;
}

export interface FileRow {
  readonly type: "file";
  readonly key: string;
  readonly title: string;
  readonly closed: boolean;
  readonly upload: Upload;
}

/** A book as one list: a section holds the files below it, up to the next section. The first row is always a section. */
export type Row = SectionRow | FileRow;

export type RowsAction =
  | { readonly type: "add-files"; readonly files: readonly File[]; readonly section: string | null }
  | { readonly type: "add-section" }
  | { readonly type: "remove"; readonly key: string }
  | { readonly type: "rename"; readonly key: string; readonly title: string }
  | { readonly type: "close"; readonly key: string; readonly closed: boolean }
  | { readonly type: "upload"; readonly key: string; readonly upload: Upload }
  | { readonly type: "move"; readonly key: string; readonly to: number };

/** Returns the rows after what a person did, or after what became of an upload. */
export function changeRows(rows: readonly Row[], action: RowsAction): readonly Row[] {
  switch (action.type) {
    case "add-files": {
      const at = action.section === null ? rows.length : endOfSection(rows, action.section);
      return rows.toSpliced(at, 0, ...action.files.map(rowOfFile));
    }
    case "add-section":
      return [...rows, newSection("")];
    case "remove":
      return withoutRow(rows, action.key);
    case "rename":
      return changed(rows, action.key, (row) => ({ ...row, title: action.title }));
    case "close":
      return changed(rows, action.key, (row) => (row.type === "file" ? { ...row, closed: action.closed } : row));
    case "upload":
      return changed(rows, action.key, (row) => (row.type === "file" ? { ...row, upload: action.upload } : row));
    case "move":
      return movedRow(rows, action.key, action.to);
  }
}

export function newSection(title: string): SectionRow {
  return { type: "section", key: crypto.randomUUID(), title };
}

/** Returns the book's sections with their files, as the payload has them. */
export function sectionsOf(
  rows: readonly Row[],
): { readonly section: SectionRow; readonly files: readonly FileRow[] }[] {
  const sections: { section: SectionRow; files: FileRow[] }[] = [];
  for (const row of rows) {
    if (row.type === "section") sections.push({ section: row, files: [] });
    else sections.at(-1)?.files.push(row);
  }
  return sections;
}

/** Returns the first index at which this row may stand: a file never before the first section. */
export function firstPlace(row: Row): number {
  return row.type === "file" ? 1 : 0;
}

function endOfSection(rows: readonly Row[], section: string): number {
  const start = rows.findIndex((row) => row.key === section);
  const next = rows.findIndex((row, index) => index > start && row.type === "section");
  return next < 0 ? rows.length : next;
}

function rowOfFile(file: File): FileRow {
  return {
    type: "file",
    key: crypto.randomUUID(),
    title: titleOf(file.name),
    closed: false,
    upload: { type: "waiting", file },
  };
}

/** "2026-11_budget_final.pdf" reads "2026-11 budget final" on a contents page. */
export function titleOf(fileName: string): string {
  const plain = fileName
    .normalize("NFC")
    .replace(/\.[A-Za-z0-9]{1,5}$/, "")
    .replace(/[_\s]+/g, " ")
    .trim()
    .slice(0, 200);
  return plain === "" ? "Untitled" : plain;
}

/** Files of a removed section go to the one before it. The first section stays while there are others' files to hold. */
function withoutRow(rows: readonly Row[], key: string): readonly Row[] {
  const index = rows.findIndex((row) => row.key === key);
  const row = rows[index];
  if (row?.type === "section" && index === 0 && rows[1]?.type === "file") return rows;
  const rest = rows.filter((candidate) => candidate.key !== key);
  return rest.length === 0 ? [newSection("")] : rest;
}

function changed(rows: readonly Row[], key: string, change: (row: Row) => Row): readonly Row[] {
  return rows.map((row) => (row.key === key ? change(row) : row));
}

/** A file moves alone. A section moves with its files, past the whole of its neighbour. */
function movedRow(rows: readonly Row[], key: string, to: number): readonly Row[] {
  const from = rows.findIndex((row) => row.key === key);
  const row = rows[from];
  if (row === undefined) return rows;
  if (row.type === "file") {
    const place = Math.min(Math.max(to, firstPlace(row)), rows.length - 1);
    return rows.toSpliced(from, 1).toSpliced(place, 0, row);
  }
  const sections = sectionsOf(rows);
  const before = sections.findIndex(({ section }) => section.key === key);
  const after = Math.min(Math.max(to < from ? before - 1 : before + 1, 0), sections.length - 1);
  return sections
    .map((section, index) => ({ section, place: movedIndex(index, before, after) }))
    .sort((a, b) => a.place - b.place)
    .flatMap(({ section }) => [section.section, ...section.files]);
}
