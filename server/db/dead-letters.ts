import type { JobId } from "@/server/domain/ids";
import type { Transaction } from "./client";
import { Prisma } from "./generated/client";

/** What a list of dead letters is narrowed to. The stage `none` stands for those that died before any. */
export interface DeadLetterFilter {
  readonly code?: string | undefined;
  readonly kind?: string | undefined;
  readonly stage?: string | undefined;
  readonly tenantId?: string | undefined;
}

export interface DeadLetter {
  readonly id: JobId;
  readonly tenantId: string;
  readonly kind: string;
  readonly lane: string;
  readonly attempt: number;
  readonly attemptsMax: number;
  readonly failureCode: string | null;
  readonly firstFailureCode: string | null;
  readonly failureStage: string | null;
  readonly firstFailedAt: Date | null;
  readonly acceptedAt: Date;
  readonly settledAt: Date | null;
  readonly eraseBy: Date;
  readonly hasInput: boolean;
  readonly directoriesLeft: number;
  readonly correlationId: string;
}

/**
 * A dead letter waits for an operator while it is not discarded, no other job was opened for it, and none is making or has made the same
 * revision. A preview that failed waits for nobody: whoever wanted it has gone on.
 */
const WAITS = Prisma.sql`
  j."state" = 'dead_letter' AND j."discarded_at" IS NULL AND j."fidelity" = 'archival'
  AND NOT EXISTS (SELECT 1 FROM "jobs" n WHERE n."redrive_of" = j."id")
  AND NOT EXISTS (
    SELECT 1 FROM "jobs" o WHERE o."revision_id" = j."revision_id" AND o."audience" = j."audience"
      AND o."state" NOT IN ('dead_letter', 'cancelled', 'validation_failed'))`;

/** True while the payload is there and its time has not run out; the files of a packet are kept as long. */
const hasInput = (now: Date) => Prisma.sql`
  (j."erase_by" > ${now} AND EXISTS (SELECT 1 FROM "payloads" p WHERE p."id" = j."payload_id"))`;

function matching({ code, kind, stage, tenantId }: DeadLetterFilter): Prisma.Sql {
  return Prisma.join(
    [
      WAITS,
      ...(code === undefined ? [] : [Prisma.sql`COALESCE(j."failure_code", 'internal') = ${code}`]),
      ...(kind === undefined ? [] : [Prisma.sql`j."kind" = ${kind}`]),
      ...(stage === undefined ? [] : [Prisma.sql`COALESCE(j."failure_stage", 'none') = ${stage}`]),
      ...(tenantId === undefined ? [] : [Prisma.sql`j."tenant_id" = ${tenantId}`]),
    ],
    " AND ",
  );
}

/** Returns a page of the dead letters that wait for an operator, newest first, without anything of their content. */
export async function listDeadLetterJobs(
  tx: Transaction,
  filter: DeadLetterFilter,
  page: { now: Date; offset: number; most: number },
): Promise<DeadLetter[]> {
  return tx.$queryRaw<DeadLetter[]>`
    SELECT j."id", j."tenant_id" AS "tenantId", j."kind", j."lane", j."attempt", j."attempts_max" AS "attemptsMax",
      j."failure_code" AS "failureCode", j."first_failure_code" AS "firstFailureCode", j."failure_stage" AS "failureStage",
      j."accepted_at" AS "acceptedAt", j."settled_at" AS "settledAt", j."erase_by" AS "eraseBy", ${hasInput(page.now)} AS "hasInput",
      j."correlation_id" AS "correlationId",
      (SELECT min(a."ended_at") FROM "attempts" a WHERE a."job_id" = j."id" AND a."failure_code" IS NOT NULL) AS "firstFailedAt",
      (SELECT count(*)::int FROM "attempts" a WHERE a."job_id" = j."id" AND a."workspace_erased_at" IS NULL) AS "directoriesLeft"
    FROM "jobs" j WHERE ${matching(filter)}
    ORDER BY j."settled_at" DESC NULLS LAST, j."id" LIMIT ${page.most} OFFSET ${page.offset}`;
}

export interface DeadLetterGroup {
  readonly code: string;
  readonly kind: string;
  readonly stage: string;
  readonly tenantId: string;
  readonly count: number;
}

/** Returns how many dead letters wait, for each code, kind, stage and tenant that occurs. */
export async function countDeadLetters(tx: Transaction): Promise<DeadLetterGroup[]> {
  return tx.$queryRaw<DeadLetterGroup[]>`
    SELECT COALESCE(j."failure_code", 'internal') AS "code", j."kind", COALESCE(j."failure_stage", 'none') AS "stage",
      j."tenant_id" AS "tenantId", count(*)::int AS "count"
    FROM "jobs" j WHERE ${WAITS} GROUP BY 1, 2, 3, 4`;
}

/** Returns the ids of matching dead letters, oldest first, and how many there are in all; with `withInput` only those that can be redriven. */
export async function chooseDeadLetters(
  tx: Transaction,
  filter: DeadLetterFilter,
  choice: { now: Date; most: number; withInput: boolean },
): Promise<{ ids: JobId[]; total: number }> {
  const where = choice.withInput ? Prisma.sql`${matching(filter)} AND ${hasInput(choice.now)}` : matching(filter);
  const rows = await tx.$queryRaw<{ id: JobId; total: number }[]>`
    SELECT j."id", (count(*) OVER ())::int AS "total" FROM "jobs" j WHERE ${where}
    ORDER BY j."settled_at", j."id" LIMIT ${choice.most}`;
  return { ids: rows.map((row) => row.id), total: rows[0]?.total ?? 0 };
}

/** Returns whether this job is a dead letter that waits for an operator. */
export async function isDeadLetterWaiting(tx: Transaction, jobId: JobId): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`SELECT 1 FROM "jobs" j WHERE j."id" = ${jobId} AND ${WAITS}`;
  return rows.length > 0;
}

/** Returns a job with the frozen input that another job for the same revision is opened from, or null. */
export async function findForRedrive(tx: Transaction, jobId: JobId) {
  return tx.job.findUnique({
    where: { id: jobId },
    include: {
      tenant: true,
      parts: { orderBy: { position: "asc" } },
      readers: { where: { withdrawn: null }, select: { userId: true } },
    },
  });
}

/** Lets every key that stands for one job stand for another. */
export async function moveSubmissions(tx: Transaction, from: JobId, to: JobId): Promise<void> {
  await tx.submission.updateMany({ where: { jobId: from }, data: { jobId: to } });
}

/** Closes a dead letter without another job. False where it waits for nobody any more. */
export async function markDiscarded(tx: Transaction, jobId: JobId, by: string, at: Date): Promise<boolean> {
  const marked = await tx.job.updateMany({
    where: { id: jobId, state: "dead_letter", discardedAt: null },
    data: { discardedAt: at, discardedBy: by },
  });
  return marked.count === 1;
}
