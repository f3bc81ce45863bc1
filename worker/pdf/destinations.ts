import { catalogOf, type SourcePage } from "./reader/page-tree";
import type { PdfFile } from "./reader/pdf-file";
import { latin1, nameOf, type PdfDict, PdfName, type PdfObject, PdfRef, PdfString } from "./reader/pdf-object";

/** Where a link or bookmark leads inside its own file. */
export interface LocalDestination {
  /** Index of the page in the file, from 0. */
  readonly page: number;
  /** How the page is shown: `/XYZ 0 700 null` and the like; only names, numbers and nulls. */
  readonly view: readonly PdfObject[];
}

/** A destination that the file itself does not know, by its name. */
export interface NamedElsewhere {
  readonly name: string;
}

/** Resolves destinations of one file: explicit ones, and named ones by either of the two tables (ISO 32000-2, 12.3.2). */
export class Destinations {
  private readonly pageOf = new Map<number, number>();
  private names: Map<string, PdfObject> | null = null;

  constructor(
    private readonly file: PdfFile,
    pages: readonly SourcePage[],
  ) {
    pages.forEach(({ ref }, index) => {
      if (ref !== null && !this.pageOf.has(ref.number)) this.pageOf.set(ref.number, index);
    });
    this.pageCount = pages.length;
  }

  private readonly pageCount: number;

  /** Returns where `value` leads, the name where it is not known here, or null where it leads nowhere. */
  find(value: PdfObject | undefined): LocalDestination | NamedElsewhere | null {
    let current = this.file.resolve(value);
    const name = current instanceof PdfString ? latin1(current.bytes) : nameOf(current);
    if (name !== null) {
      this.names ??= readNames(this.file);
      const known = this.names.get(name);
      if (known === undefined) return { name };
      current = this.file.resolve(known);
    }
    if (current instanceof Map) current = this.file.get(current, "D");
    if (!Array.isArray(current)) return null;
    const [target, ...view] = current;
    const page = target instanceof PdfRef ? this.pageOf.get(target.number) : this.file.resolve(target);
    if (typeof page !== "number" || !Number.isInteger(page) || page < 0 || page >= this.pageCount) return null;
    const plain = view
      .slice(0, 5)
      .map((item) => this.file.resolve(item))
      .filter(isPlain);
    return { page, view: plain[0] instanceof PdfName ? plain : [new PdfName("Fit")] };
  }
}

function isPlain(value: PdfObject): boolean {
  return value === null || typeof value === "number" || value instanceof PdfName;
}

function readNames(file: PdfFile): Map<string, PdfObject> {
  const names = new Map<string, PdfObject>();
  const old = file.get(catalogOf(file), "Dests");
  if (old instanceof Map) for (const [name, value] of old) names.set(name, value);
  const tables = file.get(catalogOf(file), "Names");
  const root = tables instanceof Map ? file.get(tables, "Dests") : null;
  const seen = new Set<PdfDict>();
  const pending = root instanceof Map ? [root] : [];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (seen.has(node) || seen.size > NODES_MAX) continue;
    seen.add(node);
    addPairs(file, file.get(node, "Names"), names);
    const kids = file.get(node, "Kids");
    for (const kid of Array.isArray(kids) ? kids : []) {
      const child = file.resolve(kid);
      if (child instanceof Map) pending.push(child);
    }
  }
  return names;
}

const NODES_MAX = 100_000;

function addPairs(file: PdfFile, pairs: PdfObject, names: Map<string, PdfObject>): void {
  if (!Array.isArray(pairs)) return;
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    const name = file.resolve(pairs[i]);
    if (name instanceof PdfString && !names.has(latin1(name.bytes)))
      names.set(latin1(name.bytes), pairs[i + 1] ?? null);
  }
}
