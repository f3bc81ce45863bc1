import type { Publication } from "@/server/domain/artifact";
import type { StageName } from "@/server/domain/job";
import type { Pulse, Tools } from "../tools";
import type { Products, Work } from "../work";

/** Facts a stage leaves: counts, bytes, digests. Never content. */
export interface Evidence {
  readonly status: "passed" | "skipped";
  readonly facts: Readonly<Record<string, string | number | boolean | null>>;
  /** What `verify` found, kept so that committed bytes are never rendered again. */
  readonly publication?: Publication;
}

export interface Stage {
  readonly name: Exclude<StageName, "accept" | "publish" | "erase">;
  /** Does the work, fills its product and returns the evidence; throws a coded failure. Safe to run again in a new attempt. [C157] */
  run(work: Work, tools: Tools, pulse: Pulse): Promise<Evidence>;
  /** How its product outlives the workspace. A stage without one is run again by every attempt. */
  readonly output?: Output;
}

/** The files of a product, and what else must be known to have it again: positions, counts and digests, never content. */
export interface Kept {
  readonly paths: readonly string[];
  readonly facts: KeptFacts;
}
export type KeptFacts = Readonly<Record<string, number | readonly object[]>>;

/** How a stage's product is taken out of one workspace and put into another. */
export interface Output {
  keep(products: Products): Kept;
  /** Puts the product together again from these files, in the order in which they were kept. Throws where the facts do not fit them. */
  restore(products: Products, facts: unknown, paths: readonly string[]): void;
}

/** Returns the path of kept file `index`. Throws where there is none. */
export function pathOf(paths: readonly string[], index: number): string {
  const path = paths[index];
  if (path === undefined) throw new RangeError("The facts name a file that was not kept.");
  return path;
}

/** Evidence of a stage that had nothing to do. */
export const SKIPPED: Evidence = { status: "skipped", facts: {} };

/** Returns evidence of a stage that did its work. */
export function passed(facts: Evidence["facts"]): Evidence {
  return { status: "passed", facts };
}
