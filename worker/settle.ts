import { type ClaimedJob, countStageFailures, type Settlement, settleJob } from "@/server/db/attempts";
import { appendAuditEvent } from "@/server/db/audit-events";
import type { Database, Transaction } from "@/server/db/client";
import { countOutstanding } from "@/server/db/jobs";
import { type FailureCode, PacketFailure } from "@/server/domain/failure";
import type { TenantId } from "@/server/domain/ids";
import { type JobState, nextState, type StageName } from "@/server/domain/job";
import type { LaneName } from "@/server/domain/lane";
import { afterFailure, type Verdict } from "@/server/domain/retry-policy";
import type { Clock } from "@/server/ports/clock";
import type { Enqueue } from "@/server/queue/enqueue";
import type { Log } from "@/server/telemetry/log";
import { crashPoint } from "./crash-point";
import { type Journal, WORKER } from "./journal";
import { fenceOf } from "./publish";

export interface SettleTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly enqueue: Enqueue;
  readonly log: Log;
  /** Uniform in [0, 1). */
  random(): number;
}

export type Happened =
  | { readonly outcome: "completed" }
  | { readonly outcome: "failed"; readonly error: unknown; readonly stage: StageName | null };

/**
 * The one place that turns what happened into a state: completed, rejected, deferred with its next delivery, or given up, in one
 * transaction with the audit event. Returns the new state, or null where a newer attempt has taken over and nothing was changed.
 * [C131,C193,C194]
 */
export async function settle(
  tools: SettleTools,
  job: ClaimedJob,
  from: Extract<JobState, "running" | "published">,
  journal: Journal,
  happened: Happened,
): Promise<JobState | null> {
  const at = tools.clock.now();
  const checkpoints = journal.takePending();
  await crashPoint("before settle");
  const state = await tools.db.transact(WORKER, async (tx) => {
    const settlement: Settlement =
      happened.outcome === "completed"
        ? { from, to: mustLead(from, "complete"), at, dueAt: null, failure: null, checkpoints }
        : failed(
            tools,
            job,
            { from, at, checkpoints, stageFailures: await countFailures(tx, job, happened) },
            happened,
          );
    const settled = await settleJob(tx, fenceOf(job), settlement);
    if (!settled) {
      tools.log.warn({ event: "attempt_fenced", jobId: job.id, attempt: job.attempt });
      return null;
    }
    if (settlement.dueAt !== null) {
      const outstanding = await countOutstanding(tx, job.tenantId as TenantId);
      const delivery = { jobId: job.id };
      await tools.enqueue(tx, job.lane as LaneName, delivery, { dueAt: settlement.dueAt, outstanding });
    }
    await appendAuditEvent(tx, WORKER, {
      tenantId: job.tenantId,
      action: `${job.fidelity === "preview" ? "preview" : "packet"}.${settlement.to}`,
      subjectType: "job",
      subjectId: job.id,
      correlationId: job.correlationId,
      at,
      facts: { attempt: job.attempt, code: settlement.failure?.code ?? null },
    });
    return settlement.to;
  });
  await crashPoint("after settle");
  return state;
}

type Failed = Extract<Happened, { outcome: "failed" }>;

/** This attempt's failure and those of earlier ones in the same stage. Attempts that were lost failed in no stage that anybody knows. */
async function countFailures(tx: Transaction, job: ClaimedJob, { stage }: Failed): Promise<number> {
  return stage === null ? 0 : 1 + (await countStageFailures(tx, fenceOf(job), stage));
}

function failed(
  tools: SettleTools,
  job: ClaimedJob,
  facts: Pick<Settlement, "at" | "checkpoints"> & {
    readonly from: Extract<JobState, "running" | "published">;
    readonly stageFailures: number;
  },
  happened: Failed,
): Settlement {
  const { from, at, checkpoints, stageFailures } = facts;
  const known = happened.error instanceof PacketFailure ? happened.error : null;
  const code: FailureCode = known?.code ?? "internal";
  const verdict = afterFailure({
    code,
    attempt: job.attempt,
    attemptsMax: job.attemptsMax,
    stageFailures,
    acceptedAt: job.acceptedAt,
    finishBy: job.finishBy,
    now: at,
    random: tools.random(),
  });
  return {
    from,
    to: mustLead(from, eventOf(verdict)),
    at,
    dueAt: verdict.outcome === "defer" ? verdict.dueAt : null,
    checkpoints,
    failure: {
      code,
      stage: happened.stage,
      position: known?.position ?? null,
      page: known?.page ?? null,
      fields: known?.findings.slice(0, 50) ?? [],
    },
  };
}

function eventOf(verdict: Verdict): "defer" | "reject" | "give_up" {
  return verdict.outcome;
}

function mustLead(from: JobState, event: Parameters<typeof nextState>[1]): JobState {
  const to = nextState(from, event);
  if (to === null) throw new Error(`No ${event} from ${from}.`);
  return to;
}
