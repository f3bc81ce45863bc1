import type { Database } from "@/server/db/client";
import { deleteOldMaintenanceRuns, insertMaintenanceRun } from "@/server/db/maintenance-runs";
import type { Clock } from "@/server/ports/clock";
import { WORKER } from "../journal";

/** What one run of a task came to. */
export interface RunResult {
  readonly done: number;
  readonly failed: number;
  readonly lagMsMax: number;
}

export const TASKS = [
  "rescue",
  "erase_inputs",
  "erase_staged",
  "erase_unrecorded",
  "dispose",
  "sweep",
  "sweep_stores",
] as const;
export type Task = (typeof TASKS)[number];

/** A task that had nothing to do is still seen this often. */
const SIGN_OF_LIFE_MS = 3_600_000;
const KEPT_MS = 7 * 86_400_000;

const NOTHING: RunResult = { done: 0, failed: 0, lagMsMax: 0 };

/**
 * Returns a function that runs a task and records what it did, how late, and what it could not do: the evidence that deletion keeps its
 * promise. A run without work leaves a row once an hour, so that silence means trouble; one that breaks off counts as a failure, and
 * throws. [C309,C317,C409]
 */
export function runRecorder(tools: { readonly db: Database; readonly clock: Clock; readonly workerId: string }) {
  const { db, clock, workerId } = tools;
  const seenAt = new Map<Task, number>();
  let prunedAt = 0;
  const insert = async (task: Task, fromMs: number, result: RunResult) => {
    const at = clock.now();
    const isPruning = at.getTime() - prunedAt >= SIGN_OF_LIFE_MS;
    const ms = Math.round(clock.monotonicMs() - fromMs);
    await db.transact(WORKER, async (tx) => {
      await insertMaintenanceRun(tx, { task, workerId, at, ms, ...result });
      if (isPruning) await deleteOldMaintenanceRuns(tx, new Date(at.getTime() - KEPT_MS));
    });
    seenAt.set(task, at.getTime());
    if (isPruning) prunedAt = at.getTime();
  };
  return async (task: Task, run: () => Promise<RunResult>): Promise<RunResult> => {
    const fromMs = clock.monotonicMs();
    const result = await run().catch(async (error: unknown) => {
      // What broke it off is what counts, even where it cannot be written down.
      await insert(task, fromMs, { ...NOTHING, failed: 1 }).catch(() => undefined);
      throw error;
    });
    const isDue = clock.now().getTime() - (seenAt.get(task) ?? 0) >= SIGN_OF_LIFE_MS;
    if (result.done > 0 || result.failed > 0 || isDue) await insert(task, fromMs, result);
    return result;
  };
}
