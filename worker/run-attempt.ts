import { type ClaimedJob, recordErasure, recordSweep } from "@/server/db/attempts";
import { isLockTimeout } from "@/server/db/client";
import { PacketFailure } from "@/server/domain/failure";
import type { JobId } from "@/server/domain/ids";
import type { JobState } from "@/server/domain/job";
import type { LaneName } from "@/server/domain/lane";
import { type Claim, claim, claimByTurn, workOf } from "./begin-attempt";
import { crashPoint } from "./crash-point";
import { type Journal, openJournal, WORKER } from "./journal";
import { sweepWorkspaces } from "./maintenance/sweep-workspaces";
import {
  type ArchiveRecord,
  fenceOf,
  findCommitted,
  type PublishTools,
  publish,
  recordPublication,
  rewriteRecord,
} from "./publish";
import { logStage, runStages, type StageTools, timed } from "./run-stages";
import { type SettleTools, settle } from "./settle";
import { openWorkspace, type Workspace, type WorkspaceBudget } from "./workspace";

export interface AttemptTools extends StageTools, PublishTools, SettleTools {
  readonly workerId: string;
  readonly workspaceDirectory: string;
  readonly workspaceBudget: WorkspaceBudget;
  /** Aborted when the worker must stop now. */
  readonly stop: AbortSignal;
  /** Told of every archived packet: kind and pages, nothing else. */
  onArchived(kind: string, pages: number): void;
  /** Told of what nobody expected, for the operator's eyes: class and place, not content. */
  onBug(error: unknown): void;
}

/**
 * One attempt at the job named: claim, stages in order, publish, settle, erase always. Where it is done, not due or held by somebody else,
 * nothing happens. [C209,C239,C264,C315]
 */
export function runAttempt(jobId: JobId, lane: LaneName, tools: AttemptTools): Promise<void> {
  return attempt(lane, tools, () => claim(tools, jobId, lane));
}

/** One attempt at the job whose turn it is, for a delivery that says that there is work. */
export function runNext(delivered: JobId, lane: LaneName, tools: AttemptTools): Promise<void> {
  return attempt(lane, tools, () => claimByTurn(tools, delivered, lane));
}

async function attempt(lane: LaneName, tools: AttemptTools, claiming: () => Promise<Claim | null>): Promise<void> {
  await crashPoint("before claim");
  const claimed = await claiming().catch((error: unknown) => {
    // Somebody stands still with it: it is delivered again once they have lost it.
    if (isLockTimeout(error)) return null;
    throw error;
  });
  if (claimed === null) return;
  await crashPoint("after claim");
  const { job } = claimed;
  const { leaseMs } = tools.lanes[lane];
  const { durationMsMax } = tools.lanes[job.lane as LaneName];
  const journal = openJournal({ ...tools, fence: fenceOf(job), leaseMs, durationMsMax });
  const held: Held = { workspace: null, state: claimed.state };
  try {
    const pages = await makeAndPublish(claimed, held, journal, tools);
    const state = await settle(tools, job, held.state, journal, { outcome: "completed" });
    if (state === "completed" && job.fidelity === "archival") tools.onArchived(job.kind, pages);
  } catch (error) {
    await settleFailure(error, job, held.state, journal, tools);
  } finally {
    await journal.close();
    await erase(job, held.workspace, tools);
  }
}

/** What the attempt holds while it runs: its directory, and how far its job is. */
interface Held {
  workspace: Workspace | null;
  state: Extract<JobState, "running" | "published">;
}

/** Runs whatever is left to do, and returns the pages of what is now durable. A published job is only settled, never made again. [C192] */
async function makeAndPublish(claimed: Claim, held: Held, journal: Journal, tools: AttemptTools): Promise<number> {
  const { job } = claimed;
  if (job.attempt > 1) await eraseSuperseded(job, tools);
  if (held.state === "published") return rewriteRecord(tools, job);
  const committed = await findCommitted(tools, job);
  if (committed !== null) {
    const record = await recordPublication(tools, job, journal, committed);
    held.state = "published";
    await writeRecord(record, tools);
    return committed.pages;
  }
  if (job.attempt > job.attemptsMax) throw new PacketFailure("lease_lost");
  if (job.finishBy.getTime() <= tools.clock.now().getTime()) throw new PacketFailure("deadline_passed");
  held.workspace = await openWorkspace({
    root: tools.workspaceDirectory,
    marker: { jobId: job.id, attempt: job.attempt, eraseBy: job.eraseBy },
    budget: tools.workspaceBudget,
  });
  const { msLeft } = journal;
  const running = { job, journal, tools };
  const work = workOf(claimed, { workspace: held.workspace, now: tools.clock.now(), lanes: tools.lanes, msLeft });
  await runStages(work, running);
  const { assembled, verified } = work.products;
  if (assembled === null || verified === null) throw new PacketFailure("internal", { detail: "stages left nothing" });
  await timed("publish", running, {
    run: async () => {
      const record = await publish(tools, job, journal, { path: assembled.path, publication: verified });
      held.state = "published";
      if (record !== null) await writeRecord(record, tools);
      const budgetMs = tools.lanes[work.lane].durationMsMax;
      const attemptMs = Math.round(budgetMs - msLeft());
      return { status: "passed", evidence: { bytes: verified.bytes, pages: verified.pages, attemptMs, budgetMs } };
    },
  });
  return verified.pages;
}

async function writeRecord(record: ArchiveRecord, tools: AttemptTools): Promise<void> {
  await crashPoint("before record");
  await tools.records.write(record.archiveKey, record);
  await crashPoint("after record");
}

/** Removes directories that lost attempts of this job left on this host. Their leases have lapsed and their writes are fenced. [C296] */
async function eraseSuperseded(job: ClaimedJob, tools: AttemptTools): Promise<void> {
  const { gone } = await sweepWorkspaces({
    root: tools.workspaceDirectory,
    now: tools.clock.now(),
    thresholdMs: 0,
    isLive: async (jobId, attempt) => jobId !== job.id || attempt >= job.attempt,
    log: tools.log,
  });
  if (gone.length > 0) await tools.db.transact(WORKER, (tx) => recordSweep(tx, gone, tools.clock.now()));
}

async function settleFailure(
  error: unknown,
  job: ClaimedJob,
  state: Held["state"],
  journal: Journal,
  tools: AttemptTools,
): Promise<void> {
  const { signal } = journal.pulse;
  // Aborted work fails in many ways; what counts is why it was aborted.
  const cause = signal.aborted ? signal.reason : error;
  const code = cause instanceof PacketFailure ? cause.code : "internal";
  if (journal.msLeft() <= 0) {
    const ms = Math.round(tools.lanes[job.lane as LaneName].durationMsMax - journal.msLeft());
    tools.log.warn({ event: "attempt_over_budget", jobId: job.id, attempt: job.attempt, lane: job.lane, ms });
  }
  tools.log.warn({
    event: "attempt_failed",
    jobId: job.id,
    attempt: job.attempt,
    lane: job.lane,
    code,
    ...(journal.stage === null ? {} : { stage: journal.stage }),
  });
  // Nothing can undo a commit: the job stays published, and whoever claims it once the lease has lapsed settles it.
  const settled =
    state === "published" ||
    (await settle(tools, job, state, journal, { outcome: "failed", error: cause, stage: journal.stage })) !== null;
  // What goes wrong for an attempt that lost its lease, and perhaps its directory, is nobody's fault.
  if (settled && code === "internal") tools.onBug(cause);
}

/** Removes the private directory and says so on the record; a directory that will not go is left to the sweeper. [C211,C222] */
async function erase(job: ClaimedJob, workspace: Workspace | null, tools: AttemptTools): Promise<void> {
  if (workspace === null) return;
  await crashPoint("before erase");
  const at = tools.clock.now();
  const from = tools.clock.monotonicMs();
  try {
    await workspace.erase();
  } catch {
    tools.log.error({ event: "workspace_left_behind", jobId: job.id, attempt: job.attempt });
    return;
  }
  const ms = Math.round(tools.clock.monotonicMs() - from);
  await tools.db.transact(WORKER, (tx) => recordErasure(tx, fenceOf(job), at, ms));
  logStage("erase", { job, tools }, { ms, outcome: "passed" });
  await crashPoint("after erase");
}
