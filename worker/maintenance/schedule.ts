import { isAttemptLive, recordSweep } from "@/server/db/attempts";
import type { Database } from "@/server/db/client";
import { isInspectionLive } from "@/server/db/sources";
import { parseId } from "@/server/domain/ids";
import { WORKER } from "../journal";
import { repeat } from "../repeat";
import type { AttemptTools } from "../run-attempt";
import { disposeExpired } from "./dispose-expired";
import { eraseExpiredInputs } from "./erase-expired-inputs";
import { eraseStagedFiles } from "./erase-staged-files";
import { eraseUnrecorded } from "./erase-unrecorded";
import { type RunResult, runRecorder, TASKS, type Task } from "./record-run";
import { rescueLostAttempts } from "./rescue-lost-attempts";
import { sweepWorkspaces } from "./sweep-workspaces";

/** A store whose half-written copies are swept by age. */
interface Sweepable {
  sweepStaging(olderThan: Date): Promise<number>;
}

/** Copies that a killed process left half written go after this long. */
const STORE_AGE_MS = 30 * 60_000;
/** Longer than any lease: a directory younger than this is left alone, whatever its job says. */
const SWEEP_AGE_MS = 15 * 60_000;

type Tools = AttemptTools & { readonly stores: readonly Sweepable[] };

export interface Maintenance {
  /** Resolves once the directories that were there at the start have been seen to. */
  readonly firstSweep: Promise<void>;
  /** Nothing new is begun. */
  stop(): void;
}

/**
 * Starts what this host does on a schedule, each task apart from the others. Directories are swept at once, too: a host that comes back
 * after a restart does not wait to clean up. `every` is who repeats. [C297,C300,C316]
 */
export function startMaintenance(tools: Tools, every: typeof repeat = repeat): Maintenance {
  const { onBug } = tools;
  const record = runRecorder(tools);
  const tasks: Record<Task, [everyMs: number, run: () => Promise<RunResult>]> = {
    rescue: [3_000, async () => ({ done: await rescueLostAttempts(tools), ...CLEAN })],
    erase_inputs: [20_000, () => eraseInputs(tools)],
    erase_staged: [20_000, () => eraseStaged(tools)],
    erase_unrecorded: [5 * 60_000, () => eraseUnrecorded(tools)],
    dispose: [60_000, () => disposeExpired(tools)],
    sweep: [60_000, () => sweepHost(tools)],
    sweep_stores: [STORE_AGE_MS, () => sweepStores(tools)],
  };
  const recorded = async (task: Task) => {
    const { done, failed, lagMsMax } = await record(task, tasks[task][1]);
    if (done > 0) tools.log.info({ event: "maintenance_done", stage: task, count: done, lagMs: lagMsMax });
    if (failed > 0) tools.log.error({ event: "maintenance_failed", stage: task, count: failed });
  };
  const firstSweep = recorded("sweep").catch(onBug);
  const stops = TASKS.map((task) => every(tasks[task][0], onBug, () => recorded(task)));
  return {
    firstSweep,
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}

const CLEAN = { failed: 0, lagMsMax: 0 };

async function eraseInputs(tools: Tools): Promise<RunResult> {
  const { previews, sources, payloads, failed, lagMsMax } = await eraseExpiredInputs(tools);
  return { done: previews + sources + payloads, failed, lagMsMax };
}

async function eraseStaged(tools: Tools): Promise<RunResult> {
  const { count, failed, lagMsMax } = await eraseStagedFiles(tools);
  return { done: count, failed, lagMsMax };
}

/** Sweeps this host's directories and says on the rows of their attempts that they are gone. */
export async function sweepHost({ workspaceDirectory, db, clock, log }: AttemptTools): Promise<RunResult> {
  const { swept, failed, lagMsMax, gone } = await sweepWorkspaces({
    root: workspaceDirectory,
    now: clock.now(),
    thresholdMs: SWEEP_AGE_MS,
    isLive: (id, attempt) => isLive(db, clock.now(), id, attempt),
    log,
  });
  if (gone.length > 0) await db.transact(WORKER, (tx) => recordSweep(tx, gone, clock.now()));
  return { done: swept, failed, lagMsMax };
}

async function sweepStores({ stores, clock }: Tools): Promise<RunResult> {
  const before = new Date(clock.now().getTime() - STORE_AGE_MS);
  let done = 0;
  for (const store of stores) done += await store.sweepStaging(before);
  return { done, ...CLEAN };
}

/** A directory belongs to an attempt at a job, or to the inspection of an upload. */
function isLive(db: Database, now: Date, id: string, attempt: number): Promise<boolean> {
  return db.transact(WORKER, (tx) => {
    const jobId = parseId("job", id);
    if (jobId !== null) return isAttemptLive(tx, { jobId, attempt }, now);
    const sourceId = parseId("source", id);
    return sourceId === null ? Promise.resolve(false) : isInspectionLive(tx, sourceId, attempt);
  });
}
