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
import { type RunResult, runRecorder, type Task } from "./record-run";
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

/**
 * Starts what this host does on a schedule, each task apart from the others, and returns what stops it. Directories are swept at once, too:
 * a host that comes back after a restart does not wait to clean up. [C297,C300,C316]
 */
export function startMaintenance(tools: Tools): () => void {
  const { onBug, log } = tools;
  const record = runRecorder(tools);
  const recorded = (task: Task, run: () => Promise<RunResult>) => async () => {
    const { done, failed, lagMsMax } = await record(task, run);
    if (done > 0) log.info({ event: "maintenance_done", stage: task, count: done, lagMs: lagMsMax });
    if (failed > 0) log.error({ event: "maintenance_failed", stage: task, count: failed });
  };
  const sweep = recorded("sweep", () => sweepHost(tools));
  void sweep().catch(onBug);
  const stops = [
    repeat(
      3_000,
      onBug,
      recorded("rescue", async () => ({ done: await rescueLostAttempts(tools), ...CLEAN })),
    ),
    repeat(
      20_000,
      onBug,
      recorded("erase_inputs", () => eraseInputs(tools)),
    ),
    repeat(
      20_000,
      onBug,
      recorded("erase_staged", () => eraseStaged(tools)),
    ),
    repeat(
      60_000,
      onBug,
      recorded("dispose", () => disposeExpired(tools)),
    ),
    repeat(60_000, onBug, sweep),
    repeat(
      STORE_AGE_MS,
      onBug,
      recorded("sweep_stores", () => sweepStores(tools)),
    ),
  ];
  return () => {
    for (const stop of stops) stop();
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
