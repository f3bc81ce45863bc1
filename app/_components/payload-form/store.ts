import type { Path } from "./schema";
import { valueAt, withValueAt } from "./value";

export interface FieldFinding {
  readonly path: Path;
  readonly message: string;
}

/** What is written in a form and what is wrong with it. Fields subscribe to their own place, so that typing redraws one field only. */
export class PayloadStore {
  #value: unknown;
  #findings: readonly FieldFinding[] = [];
  #changes = 0;
  readonly #listeners = new Set<() => void>();

  constructor(value: unknown) {
    this.#value = value;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Counts what people changed since the form was opened. */
  readonly changes = (): number => this.#changes;
  readonly findings = (): readonly FieldFinding[] => this.#findings;
  readonly value = (): unknown => this.#value;

  at(path: Path): unknown {
    return valueAt(this.#value, path);
  }

  problemAt(path: Path): string | null {
    return this.#findings.find((finding) => isSame(finding.path, path))?.message ?? null;
  }

  /** Changes one place; what was wrong there is taken as answered. */
  write(path: Path, value: unknown): void {
    this.#findings = this.#findings.filter((finding) => !isWithin(finding.path, path));
    this.#change(withValueAt(this.#value, path, value));
  }

  insert(list: Path, index: number, ...items: readonly unknown[]): void {
    const before = this.#listAt(list);
    this.#rearrange(list, (at) => (at >= index ? at + items.length : at));
    this.#change(withValueAt(this.#value, list, before.toSpliced(index, 0, ...items)));
  }

  remove(list: Path, index: number): void {
    const before = this.#listAt(list);
    this.#rearrange(list, (at) => (at === index ? null : at > index ? at - 1 : at));
    this.#change(withValueAt(this.#value, list, before.toSpliced(index, 1)));
  }

  move(list: Path, from: number, to: number): void {
    const before = this.#listAt(list);
    if (from === to || to < 0 || to >= before.length) return;
    this.#rearrange(list, (at) => movedIndex(at, from, to));
    this.#change(withValueAt(this.#value, list, before.toSpliced(from, 1).toSpliced(to, 0, before[from])));
  }

  show(findings: readonly FieldFinding[]): void {
    // The first says what to do first; one field is one thing to look at.
    this.#findings = findings.filter(
      (finding, index) => findings.findIndex(({ path }) => isSame(path, finding.path)) === index,
    );
    this.#tell();
  }

  #listAt(path: Path): readonly unknown[] {
    const list = this.at(path);
    return Array.isArray(list) ? list : [];
  }

  /** What was wrong with a row goes where the row goes. What was wrong with the list itself is taken as answered. */
  #rearrange(list: Path, place: (index: number) => number | null): void {
    this.#findings = this.#findings.flatMap((finding) => {
      if (!isWithin(finding.path, list)) return [finding];
      const index = finding.path[list.length];
      if (typeof index !== "number") return [];
      const next = place(index);
      return next === null ? [] : [{ ...finding, path: [...list, next, ...finding.path.slice(list.length + 1)] }];
    });
  }

  #change(value: unknown): void {
    this.#value = value;
    this.#changes += 1;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Returns where the item at `index` stands after the one at `from` was moved to `to`. */
export function movedIndex(index: number, from: number, to: number): number {
  if (index === from) return to;
  if (from < index && index <= to) return index - 1;
  return to <= index && index < from ? index + 1 : index;
}

function isSame(a: Path, b: Path): boolean {
  return a.length === b.length && isWithin(a, b);
}

function isWithin(path: Path, outer: Path): boolean {
  return outer.every((step, index) => path[index] === step);
}
