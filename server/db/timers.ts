import type { Transaction } from "./client";

export interface TimerRow {
  readonly lane: string;
  readonly timer: string;
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/**
 * Returns each timer of each lane over attempts that began since `since`, in milliseconds: from acceptance to the first attempt, and what
 * the stages took that this attempt ran itself. Each is measured for itself; there is no sum of them. [C372,C403]
 */
export async function readTimerRows(tx: Transaction, since: Date): Promise<TimerRow[]> {
  return tx.$queryRaw<TimerRow[]>`
    SELECT "lane", "timer", count(*)::int AS "count",
      percentile_cont(0.5) WITHIN GROUP (ORDER BY "ms")::float8 AS "p50",
      percentile_cont(0.95) WITHIN GROUP (ORDER BY "ms")::float8 AS "p95",
      percentile_cont(0.99) WITHIN GROUP (ORDER BY "ms")::float8 AS "p99"
    FROM (
      SELECT j."lane", 'enqueue_to_start' AS "timer", extract(epoch FROM a."started_at" - j."accepted_at") * 1000 AS "ms"
      FROM "attempts" a JOIN "jobs" j ON j."id" = a."job_id"
      WHERE a."number" = 1 AND a."started_at" >= ${since}
      UNION ALL
      SELECT j."lane", c."timer", c."ms" FROM (
        SELECT "job_id", "attempt", sum("ms") AS "ms",
          CASE "stage" WHEN 'fetch' THEN 'fetch_duration' WHEN 'render' THEN 'render_duration'
            WHEN 'publish' THEN 'archive_commit_duration' ELSE 'validation_duration' END AS "timer"
        FROM "checkpoints"
        WHERE "started_at" >= ${since} AND "status" = 'passed' AND "stage" IN ('validate', 'fetch', 'render', 'verify', 'publish')
        GROUP BY "job_id", "attempt", "timer"
      ) c JOIN "jobs" j ON j."id" = c."job_id"
    ) measured
    GROUP BY "lane", "timer"`;
}

export interface RetryRow {
  readonly code: string;
  readonly count: number;
}

/** Returns how many attempts since `since` ended so that another had to follow, by why. */
export async function countRetries(tx: Transaction, since: Date): Promise<RetryRow[]> {
  return tx.$queryRaw<RetryRow[]>`
    SELECT COALESCE("failure_code", 'internal') AS "code", count(*)::int AS "count" FROM "attempts"
    WHERE "started_at" >= ${since} AND "outcome" IN ('retry_wait', 'lost') GROUP BY 1 ORDER BY 2 DESC, 1`;
}

/** Returns since when the longest-waiting job is in backoff: the end of its last attempt; null where none waits. [C405] */
export async function oldestBackoffSince(tx: Transaction): Promise<Date | null> {
  const [row] = await tx.$queryRaw<{ since: Date | null }[]>`
    SELECT min(COALESCE(a."ended_at", j."claimed_at", j."accepted_at")) AS "since" FROM "jobs" j
    LEFT JOIN "attempts" a ON a."job_id" = j."id" AND a."number" = j."attempt"
    WHERE j."state" = 'retry_wait'`;
  return row?.since ?? null;
}

/** Returns how many jobs were refused for good since `since`, by why. */
export async function countRejected(tx: Transaction, since: Date): Promise<RetryRow[]> {
  return tx.$queryRaw<RetryRow[]>`
    SELECT COALESCE("failure_code", 'internal') AS "code", count(*)::int AS "count" FROM "jobs"
    WHERE "state" = 'validation_failed' AND "settled_at" >= ${since} GROUP BY 1 ORDER BY 2 DESC, 1`;
}

/** Returns how many jobs began since `since`, by the fidelity that was chosen for them. [C381] */
export async function countFidelities(tx: Transaction, since: Date): Promise<{ fidelity: string; count: number }[]> {
  return tx.$queryRaw<{ fidelity: string; count: number }[]>`
    SELECT j."fidelity", count(*)::int AS "count" FROM "attempts" a JOIN "jobs" j ON j."id" = a."job_id"
    WHERE a."number" = 1 AND a."started_at" >= ${since} GROUP BY 1 ORDER BY 1`;
}

/** Returns how late the latest removal since `since` was, by maintenance task, and how often something could not be removed. */
export async function readDeletionLag(
  tx: Transaction,
  since: Date,
): Promise<{ task: string; lastAt: Date; done: number; failed: number; lagMsMax: number }[]> {
  return tx.$queryRaw<{ task: string; lastAt: Date; done: number; failed: number; lagMsMax: number }[]>`
    SELECT "task", max("at") AS "lastAt", sum("done")::int AS "done", sum("failed")::int AS "failed",
      max("lag_ms_max")::float8 AS "lagMsMax"
    FROM "maintenance_runs" WHERE "at" >= ${since} GROUP BY 1 ORDER BY 1`;
}

/** Returns, for jobs of the record that ended since `since` or are not over, the instants that tell how they moved. At most `most`. */
export async function listFlow(
  tx: Transaction,
  since: Date,
  most: number,
): Promise<{ acceptedAt: Date; claimedAt: Date | null; settledAt: Date | null }[]> {
  return tx.$queryRaw<{ acceptedAt: Date; claimedAt: Date | null; settledAt: Date | null }[]>`
    SELECT "accepted_at" AS "acceptedAt", "claimed_at" AS "claimedAt", "settled_at" AS "settledAt" FROM "jobs"
    WHERE "fidelity" = 'archival' AND ("state" IN ('queued', 'retry_wait', 'running', 'published') OR "settled_at" >= ${since})
    ORDER BY "accepted_at" DESC LIMIT ${most}`;
}
