import type { Publication } from "@/server/domain/artifact";
import type { StageName } from "@/server/domain/job";
import type { Pulse, Tools } from "../tools";
import type { Work } from "../work";

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
}

/** Evidence of a stage that had nothing to do. */
export const SKIPPED: Evidence = { status: "skipped", facts: {} };

/** Returns evidence of a stage that did its work. */
export function passed(facts: Evidence["facts"]): Evidence {
  return { status: "passed", facts };
}
