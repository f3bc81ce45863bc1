import type { FieldFinding } from "../../../_components/payload-form/store";
import type { Source } from "../../../_components/uploads/use-sources";
import { counted } from "../../../_components/words";
import { newSection, type Row, sectionsOf } from "./rows";

export type Sources = ReadonlyMap<string, Source | null>;

/** Returns the sections as a payload has them. Files that are not up yet have no id and are refused in their place. */
export function payloadSections(rows: readonly Row[]): unknown[] {
  return sectionsOf(rows).map(({ section, files }) => ({
    title: section.title,
    sources: files.map((file) => ({
      source: file.upload.type === "sent" ? file.upload.sourceId : "",
      title: file.title,
      closed: file.closed,
    })),
  }));
}

/** Returns rows for an earlier book's sections. */
export function rowsFrom(payload: unknown): Row[] {
  const rows: Row[] = [];
  for (const section of listIn(payload, "sections")) {
    rows.push(newSection(textIn(section, "title")));
    for (const source of listIn(section, "sources")) {
      rows.push({
        type: "file",
        key: crypto.randomUUID(),
        title: textIn(source, "title"),
        closed: Reflect.get(Object(source), "closed") === true,
        upload: { type: "sent", sourceId: textIn(source, "source") },
      });
    }
  }
  return rows.length === 0 ? [newSection("Papers")] : rows;
}

/** Returns what was found wrong per row: `title`, `source`, or the row as a whole. Findings elsewhere are left out. */
export function problemsByRow(rows: readonly Row[], findings: readonly FieldFinding[]): ReadonlyMap<string, string> {
  const sections = sectionsOf(rows);
  const problems = new Map<string, string>();
  for (const { path, message } of findings) {
    if (path[0] !== "sections") continue;
    const section = sections[Number(path[1])];
    const row = path[2] === "sources" && path[3] !== undefined ? section?.files[Number(path[3])] : section?.section;
    if (row !== undefined) problems.set(row.key, message);
  }
  return problems;
}

export interface Summary {
  readonly files: number;
  readonly pages: number;
  readonly bytes: number;
  /** Why the book cannot be made yet, in plain words. */
  readonly missing: readonly string[];
  /** True while something is on its way or being looked at, and so only waiting helps. */
  readonly isBusy: boolean;
}

/** Counts what is in the book for this audience and says what is missing. */
export function summarise(rows: readonly Row[], sources: Sources, audience: string): Summary {
  const sections = sectionsOf(rows);
  const all = sections.flatMap((section) => section.files);
  const included = all.filter((file) => audience !== "public" || !file.closed);
  const sourceOf = (file: (typeof all)[number]) =>
    file.upload.type === "sent" ? sources.get(file.upload.sourceId) : undefined;
  const count = (is: (file: (typeof all)[number]) => boolean) => all.filter(is).length;
  const onTheWay = count((file) => file.upload.type === "waiting" || file.upload.type === "sending");
  const looking = count(
    (file) =>
      file.upload.type === "sent" &&
      sourceOf(file) !== null &&
      (sourceOf(file)?.state ?? "inspecting") === "inspecting",
  );
  const unusable = count(
    (file) => file.upload.type === "broken" || sourceOf(file) === null || sourceOf(file)?.state === "refused",
  );
  const empty = sections.filter((section) => section.files.length === 0 && sections.length > 1).length;
  const unnamed = sections.filter((section) => section.section.title.trim() === "").length;
  const untitled = count((file) => file.title.trim() === "");
  const missing = [
    all.length === 0 ? "Add files." : null,
    included.length === 0 && all.length > 0 ? "All files are closed: nothing is left for a public copy." : null,
    onTheWay > 0 ? `${counted(onTheWay, "file is", "files are")} still on the way.` : null,
    looking > 0 ? `${counted(looking, "file is", "files are")} being checked.` : null,
    unusable > 0 ? `${counted(unusable, "file", "files")} cannot be used: replace or remove.` : null,
    unnamed > 0 ? `${counted(unnamed, "section needs", "sections need")} a name.` : null,
    empty > 0 ? `${counted(empty, "section has", "sections have")} no files.` : null,
    untitled > 0 ? `${counted(untitled, "file needs", "files need")} a title.` : null,
  ].filter((words) => words !== null);
  return {
    files: included.length,
    pages: included.reduce((sum, file) => sum + (sourceOf(file)?.pages ?? 0), 0),
    bytes: included.reduce((sum, file) => sum + (sourceOf(file)?.bytes ?? fileBytes(file)), 0),
    missing,
    isBusy: onTheWay + looking > 0,
  };
}

function fileBytes(file: Extract<Row, { type: "file" }>): number {
  return file.upload.type === "sent" ? 0 : file.upload.file.size;
}

function listIn(value: unknown, name: string): unknown[] {
  const list: unknown = Reflect.get(Object(value), name);
  return Array.isArray(list) ? list : [];
}

function textIn(value: unknown, name: string): string {
  const text: unknown = Reflect.get(Object(value), name);
  return typeof text === "string" ? text : "";
}
