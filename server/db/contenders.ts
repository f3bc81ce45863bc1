import type { Contender } from "@/server/domain/fair-share";
import type { LaneName } from "@/server/domain/lane";
import type { Transaction } from "./client";

/** Makes other workers that choose in this lane wait until the caller's transaction has ended: no two choose the same job. */
export async function lockLane(tx: Transaction, lane: LaneName): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${lane}, 13))`;
}

/**
 * Returns each tenant that has a job due in this lane which nobody holds, with its oldest such job, and what it has of the lane: running
 * now, and begun since `recent`. One index probe per tenant, however many jobs wait.
 */
export async function findContenders(
  tx: Transaction,
  lane: LaneName,
  { now, recent }: { readonly now: Date; readonly recent: Date },
): Promise<Contender[]> {
  return tx.$queryRaw<Contender[]>`
    WITH running AS (
      SELECT "tenant_id", sum("weight")::int AS weight, count(*)::int AS jobs FROM "jobs"
      WHERE "lane" = ${lane} AND "state" IN ('running', 'published') AND "lease_until" >= ${now} GROUP BY 1),
    lately AS (
      SELECT "tenant_id", sum("weight")::int AS weight FROM "jobs"
      WHERE "lane" = ${lane} AND "claimed_at" >= ${recent} GROUP BY 1)
    SELECT t."id" AS "tenantId", w."id" AS "jobId", w."due_at" AS "dueAt", t."running_max" AS "runningMax",
      COALESCE(r.weight, 0) AS "runningWeight", COALESCE(r.jobs, 0) AS "running", COALESCE(l.weight, 0) AS "recentWeight"
    FROM "tenants" t
    CROSS JOIN LATERAL (
      SELECT j."id", j."due_at" FROM "jobs" j
      WHERE j."tenant_id" = t."id" AND j."lane" = ${lane} AND j."state" IN ('queued', 'retry_wait', 'running', 'published')
        AND j."due_at" <= ${now} AND (j."lease_until" IS NULL OR j."lease_until" < ${now})
      ORDER BY j."due_at" LIMIT 1) w
    LEFT JOIN running r ON r."tenant_id" = t."id"
    LEFT JOIN lately l ON l."tenant_id" = t."id"`;
}
