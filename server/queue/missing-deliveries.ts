import type { Transaction } from "@/server/db/client";
import type { JobId } from "@/server/domain/ids";
import type { LaneName } from "@/server/domain/lane";

export interface MissingDelivery {
  readonly jobId: JobId;
  readonly tenantId: string;
  readonly lane: LaneName;
}

/**
 * Returns jobs that are due, held by nobody, and have no delivery on its way: their worker died, or the queue lost or forgot the
 * delivery. `before` leaves out jobs that only just became due. At most `most`.
 */
export async function findMissingDeliveries(
  tx: Transaction,
  now: Date,
  before: Date,
  most: number,
): Promise<MissingDelivery[]> {
  return tx.$queryRaw<MissingDelivery[]>`
    SELECT j."id" AS "jobId", j."tenant_id" AS "tenantId", j."lane"
    FROM "jobs" j
    WHERE j."state" IN ('queued', 'retry_wait', 'running', 'published') AND j."due_at" <= ${before}
      AND (j."lease_until" IS NULL OR j."lease_until" < ${now})
      AND NOT EXISTS (
        SELECT 1 FROM pgboss.job d
        WHERE d.name = j."lane" AND d.state IN ('created', 'retry') AND d.data ->> 'jobId' = j."id")
    ORDER BY j."due_at" LIMIT ${most}`;
}

/**
 * Returns uploads that wait for an inspection nobody will deliver, or whose inspection was begun before `lostBefore` and is not heard of
 * any more. At most `most`.
 */
export async function findUninspected(
  tx: Transaction,
  { before, lostBefore, most }: { before: Date; lostBefore: Date; most: number },
): Promise<{ sourceId: string }[]> {
  return tx.$queryRaw<{ sourceId: string }[]>`
    SELECT s."id" AS "sourceId" FROM "sources" s
    WHERE s."state" = 'inspecting' AND s."erased_at" IS NULL AND s."created_at" <= ${before}
      AND NOT EXISTS (
        SELECT 1 FROM pgboss.job d
        WHERE d.name = 'inspection' AND d.data ->> 'sourceId' = s."id"
          AND (d.state IN ('created', 'retry') OR (d.state = 'active' AND d.started_on > ${lostBefore})))
    ORDER BY s."created_at" LIMIT ${most}`;
}
