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

/** Jobs of these states have no further use for what their stages left. */
const NEEDS_NOTHING = ["completed", "cancelled", "validation_failed"];

/** Returns what is there past the deadline of its job, or though its job is over, longest past first. At most `most`. [C324] */
export function listExpiredStagedFiles(tx: Transaction, now: Date, most: number) {
  return tx.stagedFile.findMany({
    where: { erasedAt: null, OR: [{ eraseBy: { lte: now } }, { job: { state: { in: NEEDS_NOTHING } } }] },
    select: { key: true, eraseBy: true },
    orderBy: { eraseBy: "asc" },
    take: most,
  });
}

/** Says that the bytes of a staged file are gone. */
export async function markStagedFileErased(tx: Transaction, key: string, erasedAt: Date): Promise<void> {
  await tx.stagedFile.updateMany({ where: { key, erasedAt: null }, data: { erasedAt } });
}
