import type { JobId, RevisionId, TenantId } from "@/server/domain/ids";
import type { Transaction } from "./client";

/** A job that ended without a result though an attempt may have committed its bytes. */
export interface UnrecordedJob {
  readonly id: JobId;
  readonly tenantId: TenantId;
  readonly kind: string;
  readonly businessIdentity: string;
  readonly revisionId: RevisionId;
  readonly audience: string;
  readonly state: string;
  readonly correlationId: string;
  readonly settledAt: Date;
}

/** The checkpoint that says that a job was seen to belongs to no attempt. */
const AFTERWARDS = 0;

/**
 * Returns jobs that ended without a result before `before`, of which some attempt had verified bytes in hand, and nobody has looked yet
 * whether they lie in the archive. Left out is what may still be wanted: the same revision for the same readers is on record, or another
 * job is making it. Only `jobId` where one is given; leaves out `except`; at most `most`, longest ago first.
 */
export function listUnrecorded(
  tx: Transaction,
  { before, jobId = null, except = [], most }: UnrecordedQuery,
): Promise<UnrecordedJob[]> {
  return tx.$queryRaw<UnrecordedJob[]>`
    SELECT j."id", j."tenant_id" AS "tenantId", j."kind", j."business_identity" AS "businessIdentity", j."revision_id" AS "revisionId",
      j."audience", j."state", j."correlation_id" AS "correlationId", j."settled_at" AS "settledAt"
    FROM "jobs" j
    WHERE j."state" IN ('dead_letter', 'cancelled', 'validation_failed') AND j."settled_at" <= ${before}
      AND j."revision_id" IS NOT NULL AND j."fidelity" = 'archival'
      AND (${jobId}::text IS NULL OR j."id" = ${jobId}) AND j."id" <> ALL(${[...except]}::text[])
      AND EXISTS (SELECT 1 FROM "checkpoints" c WHERE c."job_id" = j."id" AND c."stage" = 'verify' AND c."status" = 'passed')
      AND NOT EXISTS (
        SELECT 1 FROM "checkpoints" c WHERE c."job_id" = j."id" AND c."attempt" = ${AFTERWARDS} AND c."stage" = 'erase')
      AND NOT EXISTS (
        SELECT 1 FROM "artifacts" a WHERE a."revision_id" = j."revision_id" AND a."audience" = j."audience")
      AND NOT EXISTS (
        SELECT 1 FROM "jobs" o WHERE o."revision_id" = j."revision_id" AND o."audience" = j."audience"
          AND o."state" NOT IN ('dead_letter', 'cancelled', 'validation_failed'))
    ORDER BY j."settled_at", j."id" LIMIT ${most}`;
}

interface UnrecordedQuery {
  readonly before: Date;
  readonly jobId?: JobId | null;
  readonly except?: readonly string[];
  readonly most: number;
}

/** Says that a job was seen to, and whether there were bytes of it to remove. */
export async function recordSeenTo(
  tx: Transaction,
  jobId: JobId,
  seen: { readonly wasThere: boolean; readonly at: Date; readonly ms: number },
): Promise<void> {
  await tx.checkpoint.create({
    data: {
      jobId,
      attempt: AFTERWARDS,
      stage: "erase",
      status: seen.wasThere ? "passed" : "skipped",
      startedAt: seen.at,
      ms: seen.ms,
      evidence: { from: "archive" },
    },
  });
}
