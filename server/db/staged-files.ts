import type { Digest, JobId, StagedKey } from "@/server/domain/ids";
import type { StageName } from "@/server/domain/job";
import type { Fence } from "./attempts";
import type { Transaction } from "./client";

/** One file of what a stage leaves. Its place in the list is its index. */
export interface StagedFileRow {
  readonly key: StagedKey;
  readonly bytes: number;
  readonly digest: Digest;
}

/**
 * Writes down what a stage is about to leave, before any of its bytes are stored, and renews the lease. The deadline is the job's own,
 * unchanged. False where the attempt is not the current one any more: nothing was written. [C21,C148,C312]
 */
export async function insertStagedFiles(
  tx: Transaction,
  fence: Fence,
  staged: { stage: StageName; at: Date; leaseUntil: Date; files: readonly StagedFileRow[] },
): Promise<boolean> {
  const { stage, at, leaseUntil, files } = staged;
  const renewed = await tx.job.updateManyAndReturn({
    where: { id: fence.jobId, attempt: fence.attempt, state: "running" },
    data: { leaseUntil },
    select: { eraseBy: true },
  });
  const eraseBy = renewed[0]?.eraseBy;
  if (eraseBy === undefined) return false;
  await tx.stagedFile.createMany({
    data: files.map((file, index) => ({ ...fence, stage, index, ...file, createdAt: at, eraseBy })),
  });
  return true;
}

/** Returns what attempts at this job have left and nobody has erased yet, in the order of its files. */
export function findStagedFiles(tx: Transaction, jobId: JobId) {
  return tx.stagedFile.findMany({
    where: { jobId, erasedAt: null },
    orderBy: [{ attempt: "asc" }, { stage: "asc" }, { index: "asc" }],
  });
}

/**
 * Returns what may be erased, longest past first: what is past the deadline of its job, and what a job that is completed, cancelled or
 * refused has no further use for. The latter only where nobody can be storing it still: the attempt has ended, or `abandoned` lies after
 * its row. Leaves out `except`; at most `most`. [C324]
 */
export function listExpiredStagedFiles(
  tx: Transaction,
  { now, abandoned, except, most }: { now: Date; abandoned: Date; except: readonly string[]; most: number },
): Promise<{ key: StagedKey; eraseBy: Date }[]> {
  return tx.$queryRaw<{ key: StagedKey; eraseBy: Date }[]>`
    SELECT s."key", s."erase_by" AS "eraseBy" FROM "staged_files" s
    JOIN "jobs" j ON j."id" = s."job_id"
    LEFT JOIN "attempts" a ON a."job_id" = s."job_id" AND a."number" = s."attempt"
    WHERE s."erased_at" IS NULL AND s."key" <> ALL(${[...except]}::text[]) AND (
      s."erase_by" <= ${now}
      OR (j."state" IN ('completed', 'cancelled', 'validation_failed') AND (
        a."workspace_erased_at" IS NOT NULL
        OR (a."ended_at" IS NOT NULL AND a."outcome" IS DISTINCT FROM 'lost')
        OR s."created_at" <= ${abandoned})))
    ORDER BY s."erase_by", s."key" LIMIT ${most}`;
}

/** Says that the bytes of these staged files are gone. */
export async function markStagedFilesErased(tx: Transaction, keys: readonly string[], erasedAt: Date): Promise<void> {
  await tx.stagedFile.updateMany({ where: { key: { in: [...keys] }, erasedAt: null }, data: { erasedAt } });
}

/** True where one of these is said to be gone: who stores it now must remove it again. */
export async function areStagedFilesErased(tx: Transaction, keys: readonly string[]): Promise<boolean> {
  return (await tx.stagedFile.count({ where: { key: { in: [...keys] }, erasedAt: { not: null } } })) > 0;
}
