import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { openTestContext } from "@/server/services/test-context";
import type { FaultClass, FaultRun } from "../fault-class";
import { memorySystem } from "./memory-system";
import { openPostgresStage, postgresSystem } from "./postgres-system";
import { type ModelRun, runModel } from "./run-model";

const START = new Date("2026-12-01T09:00:00Z");
const MOST_STEPS = 60;

/** Sequences that one call makes: it is asked in between whether to go on. */
const AT_ONCE = 250;

const ENDS = ["completed", "validation_failed", "dead_letter", "cancelled"];

/** Runs sequences in portions, each with a seed of its own. Sequences are no faults, so none is recorded: how they ended is counted. */
async function runSequences(run: FaultRun, name: string, newSystem: ModelRun["newSystem"]): Promise<void> {
  for (let left = run.count; left > 0 && !run.signal.aborted; left -= AT_ONCE) {
    const { failure, ends } = await runModel({
      newSystem,
      seed: Math.floor(run.random() * 2 ** 31),
      sequences: Math.min(left, AT_ONCE),
      mostSteps: MOST_STEPS,
      signal: run.signal,
    });
    for (const end of ENDS) if ((ends[end] ?? 0) > 0) run.sometimes(`${name}: ${end}`);
    if (failure !== null) run.violation(failure.zero, failure.what);
  }
}

const inMemory: FaultClass = {
  name: "model",
  ciCount: 10_000,
  campaignCount: 200_000,
  mustHit: ENDS.map((end) => `rules: ${end}`),
  run: (run) => runSequences(run, "rules", async () => memorySystem(START)),
};

const onPostgres: FaultClass = {
  name: "model-postgres",
  ciCount: 500,
  campaignCount: 5_000,
  mustHit: ENDS.map((end) => `PostgreSQL: ${end}`),
  run: async (run) => {
    const database = await run.newDatabase();
    const context = await openTestContext(database.url());
    const directory = join(run.directory, "workspaces");
    await mkdir(directory, { mode: 0o700 });
    const stage = openPostgresStage(context, directory);
    try {
      await runSequences(run, "PostgreSQL", () => postgresSystem(stage, START));
    } finally {
      await stage.close();
      await context.close();
      await database.drop();
    }
  },
};

/** The model of a job's life against the pure rules, and against the product's own functions on PostgreSQL. */
export const MODEL_CLASSES: readonly FaultClass[] = [inMemory, onPostgres];
