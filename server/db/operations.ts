import type { Transaction } from "./client";

export interface LaneCounts {
  readonly lane: string;
  readonly ready: number;
  readonly running: number;
  readonly retryWait: number;
  readonly oldestReadyAt: Date | null;
}

/** Returns, per lane, what is ready, running and waiting to retry, and since when the oldest ready job waits. */
export async function countLanes(tx: Transaction, now: Date): Promise<LaneCounts[]> {
  return tx.$queryRaw<LaneCounts[]>`
    SELECT "lane",
      count(*) FILTER (WHERE "state" IN ('queued', 'retry_wait') AND "due_at" <= ${now})::int AS "ready",
      count(*) FILTER (WHERE "state" IN ('running', 'published'))::int AS "running",
      count(*) FILTER (WHERE "state" = 'retry_wait' AND "due_at" > ${now})::int AS "retryWait",
      min("due_at") FILTER (WHERE "state" IN ('queued', 'retry_wait') AND "due_at" <= ${now}) AS "oldestReadyAt"
    FROM "jobs" WHERE "state" IN ('queued', 'retry_wait', 'running', 'published') GROUP BY "lane"`;
}

/** Returns the workers seen since `since`. */
export async function listWorkerInstances(tx: Transaction, since: Date) {
  return tx.workerInstance.findMany({ where: { lastSeenAt: { gte: since } }, orderBy: { startedAt: "asc" } });
}

/** Returns how many jobs ended how since `since`. */
export async function countOutcomes(tx: Transaction, since: Date) {
  return tx.job.groupBy({ by: ["state"], where: { settledAt: { gte: since } }, _count: true });
}

/** Returns how much input is past its deletion deadline. It should be nothing. */
export async function countOverdue(tx: Transaction, now: Date): Promise<number> {
  const payloads = await tx.payload.count({ where: { eraseBy: { lt: now } } });
  const sources = await tx.source.count({ where: { eraseBy: { lt: now }, erasedAt: null } });
  return payloads + sources;
}
