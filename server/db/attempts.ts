import type { FailureCode, Finding } from "@/server/domain/failure";
import type { JobId } from "@/server/domain/ids";
import type { JobState, StageName } from "@/server/domain/job";
import type { Transaction } from "./client";
import type { Prisma } from "./generated/client";

/** The fence: every write of an attempt names the attempt it believes to hold. A stale one matches no row. */
export interface Fence {
  readonly jobId: JobId;
  readonly attempt: number;
}

const INPUT = {
  tenant: true,
  revision: true,
  parts: { orderBy: { position: "asc" } },
} as const satisfies Prisma.JobInclude;

export type ClaimedJob = Prisma.JobGetPayload<{ include: typeof INPUT }>;

/**
 * Takes the lease of a job that is due and not held by anybody, and opens its next attempt. Returns the job with all an attempt needs,
 * or null where there is nothing to claim: a delivery is only a wake-up call. [C148]
 */
export async function claimJob(
  tx: Transaction,
  claim: { jobId: JobId; workerId: string; now: Date; leaseUntil: Date },
): Promise<ClaimedJob | null> {
  const { jobId, workerId, now, leaseUntil } = claim;
  const claimed = await tx.$queryRaw<{ attempt: number }[]>`
    UPDATE "jobs" SET
      "state" = CASE WHEN "state" = 'published' THEN 'published' ELSE 'running' END,
      "attempt" = "attempt" + 1, "worker_id" = ${workerId}, "lease_until" = ${leaseUntil},
      "claimed_at" = COALESCE("claimed_at", ${now}), "stage" = NULL
    WHERE "id" = ${jobId} AND "due_at" <= ${now}
      AND "state" IN ('queued', 'retry_wait', 'running', 'published')
      AND ("lease_until" IS NULL OR "lease_until" < ${now})
    RETURNING "attempt"`;
  const attempt = claimed[0]?.attempt;
  if (attempt === undefined) return null;
  // Whoever held the lease before has lost it, and can write nothing any more.
  await tx.attempt.updateMany({
    where: { jobId, endedAt: null },
    data: { endedAt: now, outcome: "lost", failureCode: "lease_lost" },
  });
  await tx.attempt.create({ data: { jobId, number: attempt, workerId, startedAt: now } });
  return tx.job.findUnique({ where: { id: jobId }, include: INPUT });
}

export interface CheckpointRow {
  readonly stage: StageName;
  /** Resumed: an earlier attempt had finished it, and what it left is used again. */
  readonly status: "passed" | "skipped" | "resumed";
  readonly startedAt: Date;
  readonly ms: number;
  readonly evidence: Prisma.InputJsonObject;
}

const PHASE_COLUMN: Partial<Record<StageName, keyof Prisma.JobUpdateManyMutationInput>> = {
  validate: "validatedAt",
  fetch: "fetchedAt",
  render: "renderedAt",
  assemble: "assembledAt",
  verify: "verifiedAt",
};

/** Renews the lease and writes what the attempt has finished since the last time. False where the lease is no longer ours. [C183] */
export async function recordProgress(
  tx: Transaction,
  fence: Fence,
  progress: { stage: StageName; leaseUntil: Date; checkpoints: readonly CheckpointRow[] },
): Promise<boolean> {
  const renewed = await tx.job.updateMany({
    where: { id: fence.jobId, attempt: fence.attempt, state: { in: ["running", "published"] } },
    data: { leaseUntil: progress.leaseUntil, stage: progress.stage, ...phasesOf(progress.checkpoints) },
  });
  if (renewed.count !== 1) return false;
  await insertCheckpoints(tx, fence, progress.checkpoints);
  return true;
}

/** Writes checkpoints of an attempt; a stage that has one keeps it. */
export async function insertCheckpoints(
  tx: Transaction,
  fence: Fence,
  checkpoints: readonly CheckpointRow[],
): Promise<void> {
  if (checkpoints.length === 0) return;
  await tx.checkpoint.createMany({
    data: checkpoints.map((checkpoint) => ({ ...checkpoint, ...fence })),
    skipDuplicates: true,
  });
}

function phasesOf(checkpoints: readonly CheckpointRow[]): Prisma.JobUpdateManyMutationInput {
  const phases: Record<string, Date> = {};
  for (const checkpoint of checkpoints) {
    const column = PHASE_COLUMN[checkpoint.stage];
    if (column !== undefined) phases[column] = new Date(checkpoint.startedAt.getTime() + checkpoint.ms);
  }
  return phases;
}

/** Returns what attempts at this job have finished themselves, oldest attempt first. */
export function findFinished(tx: Transaction, jobId: JobId) {
  return tx.checkpoint.findMany({
    where: { jobId, status: { in: ["passed", "skipped"] } },
    select: { attempt: true, stage: true, status: true, evidence: true },
    orderBy: { attempt: "asc" },
  });
}

/** Returns the newest evidence that some attempt left for this stage, or null. */
export async function findEvidence(tx: Transaction, jobId: JobId, stage: StageName): Promise<unknown> {
  const checkpoint = await tx.checkpoint.findFirst({
    where: { jobId, stage, status: "passed" },
    orderBy: { attempt: "desc" },
  });
  return checkpoint?.evidence ?? null;
}

/** Marks a running job as published: its bytes are durable. False where the lease is no longer ours. [C293] */
export async function markPublished(
  tx: Transaction,
  fence: Fence,
  published: { at: Date; rendererBuild: string; checkpoints: readonly CheckpointRow[] },
): Promise<boolean> {
  const marked = await tx.job.updateMany({
    where: { id: fence.jobId, attempt: fence.attempt, state: "running" },
    data: {
      state: "published",
      stage: "publish",
      publishedAt: published.at,
      rendererBuild: published.rendererBuild,
      ...phasesOf(published.checkpoints),
    },
  });
  if (marked.count !== 1) return false;
  await insertCheckpoints(tx, fence, published.checkpoints);
  return true;
}

/** Returns how many attempts before this one failed in this stage. */
export function countStageFailures(tx: Transaction, fence: Fence, stage: StageName): Promise<number> {
  return tx.attempt.count({ where: { jobId: fence.jobId, number: { lt: fence.attempt }, failureStage: stage } });
}

export interface SettledFailure {
  readonly code: FailureCode;
  readonly stage: StageName | null;
  readonly position: number | null;
  readonly page: number | null;
  readonly fields: readonly Finding[];
}

export interface Settlement {
  readonly from: JobState;
  readonly to: JobState;
  readonly at: Date;
  /** When the next attempt may begin, where there will be one. */
  readonly dueAt: Date | null;
  readonly failure: SettledFailure | null;
  readonly checkpoints: readonly CheckpointRow[];
}

/** Writes what became of an attempt, if it still is the attempt. False where a newer one has taken over: nothing was changed. */
export async function settleJob(tx: Transaction, fence: Fence, settlement: Settlement): Promise<boolean> {
  const { failure, at, to } = settlement;
  const failed = failure && {
    failureCode: failure.code,
    failureStage: failure.stage,
    failurePosition: failure.position,
    failurePage: failure.page,
    failureFields: failure.fields as unknown as Prisma.InputJsonArray,
  };
  const settled = await tx.job.updateMany({
    where: { id: fence.jobId, attempt: fence.attempt, state: settlement.from },
    data: {
      state: to,
      leaseUntil: null,
      ...(settlement.dueAt === null ? { settledAt: at } : { dueAt: settlement.dueAt }),
      ...(to === "completed" ? { failureCode: null, failureStage: null } : {}),
      ...failed,
      ...phasesOf(settlement.checkpoints),
    },
  });
  if (settled.count !== 1) return false;
  if (failure !== null) {
    await tx.job.updateMany({
      where: { id: fence.jobId, firstFailureCode: null },
      data: { firstFailureCode: failure.code },
    });
  }
  await insertCheckpoints(tx, fence, settlement.checkpoints);
  await tx.attempt.updateMany({
    where: { jobId: fence.jobId, number: fence.attempt },
    data: { endedAt: at, outcome: to, failureCode: failure?.code ?? null, failureStage: failure?.stage ?? null },
  });
  return true;
}

/** Records that the attempt's private directory is gone. */
export async function recordErasure(tx: Transaction, fence: Fence, at: Date, ms: number): Promise<void> {
  await tx.attempt.updateMany({
    where: { jobId: fence.jobId, number: fence.attempt },
    data: { workspaceErasedAt: at },
  });
  await tx.job.updateMany({ where: { id: fence.jobId, attempt: fence.attempt }, data: { erasedAt: at } });
  await insertCheckpoints(tx, fence, [{ stage: "erase", status: "passed", startedAt: at, ms, evidence: {} }]);
}

/** True where this attempt holds a live lease: its directory must not be touched. */
export async function isAttemptLive(tx: Transaction, fence: Fence, now: Date): Promise<boolean> {
  const live = await tx.job.count({
    where: {
      id: fence.jobId,
      attempt: fence.attempt,
      state: { in: ["running", "published"] },
      leaseUntil: { gte: now },
    },
  });
  return live > 0;
}

/** Records that directories which attempts had left were swept: an operator can tell that they are gone. [C413] */
export async function recordSweep(
  tx: Transaction,
  swept: readonly { readonly id: string; readonly attempt: number }[],
  at: Date,
): Promise<void> {
  for (const { id, attempt } of swept) {
    await tx.attempt.updateMany({
      where: { jobId: id, number: attempt, workspaceErasedAt: null },
      data: { workspaceErasedAt: at },
    });
    await tx.job.updateMany({ where: { id, attempt, erasedAt: null }, data: { erasedAt: at } });
  }
}
