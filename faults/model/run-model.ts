import fc from "fast-check";
import type { Zero } from "../zeros";
import { sequences } from "./commands";
import { BrokenInvariant } from "./invariants";
import { newModel } from "./model";
import type { System } from "./system";

export interface ModelRun {
  /** Begins a sequence on a system of its own. */
  newSystem(): Promise<System>;
  readonly seed: number;
  readonly sequences: number;
  readonly mostSteps: number;
  /** Where a failing run is to begin again: the path that was printed with its seed. */
  readonly path?: string;
  readonly signal?: AbortSignal;
}

/** The shortest sequence found to fail, and how to see it again. */
export interface ModelFailure {
  readonly zero: Zero;
  readonly what: string;
}

/** What the sequences brought about: each kind of step, by how often the end of a sequence showed it. */
export interface ModelOutcome {
  readonly sequences: number;
  readonly failure: ModelFailure | null;
  readonly ends: Readonly<Record<string, number>>;
}

/** Runs sequences of commands against a system and the model; a failing one is made short and told with its seed and path. */
export async function runModel(run: ModelRun): Promise<ModelOutcome> {
  const ends: Record<string, number> = {};
  let done = 0;
  const property = fc.asyncProperty(sequences(run.mostSteps), async (commands) => {
    if (run.signal?.aborted) return;
    const system = await run.newSystem();
    const model = newModel(system);
    await fc.asyncModelRun(() => ({ model, real: system }), commands);
    done += 1;
    for (const { state } of model.jobs) ends[state] = (ends[state] ?? 0) + 1;
  });
  const { seed, path } = run;
  const result = await fc.check(property, {
    seed,
    numRuns: run.sequences,
    ...(path === undefined ? {} : { path, endOnFailure: true }),
  });
  if (!result.failed) return { sequences: done, failure: null, ends };
  const { errorInstance, counterexample, counterexamplePath } = result;
  const zero = errorInstance instanceof BrokenInvariant ? errorInstance.zero : "unexpected";
  const why = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  const what = `seed ${result.seed}, path ${counterexamplePath}: ${String(counterexample?.[0])}: ${why}`;
  return { sequences: done, failure: { zero, what }, ends };
}
