import type { JobId } from "@/server/domain/ids";
import type { Transaction } from "./client";

/** Returns a job of any tenant with every row that tells what became of it, or null. For operators: the caller shows no content of it. */
export async function findJobEvidence(tx: Transaction, jobId: JobId) {
  return tx.job.findUnique({
    where: { id: jobId },
    omit: { subject: true, scope: true, period: true, businessIdentity: true, tables: true },
    include: {
      revision: { select: { id: true, number: true } },
      attempts: { orderBy: { number: "asc" } },
      checkpoints: { orderBy: [{ attempt: "asc" }, { startedAt: "asc" }] },
      staged: { orderBy: [{ attempt: "asc" }, { stage: "asc" }, { index: "asc" }], omit: { key: true } },
      artifact: {
        select: {
          id: true,
          digest: true,
          bytes: true,
          pages: true,
          attempt: true,
          committedAt: true,
          retainUntil: true,
          erasedAt: true,
          rendererBuild: true,
        },
      },
      preview: { select: { bytes: true, pages: true, expiresAt: true, erasedAt: true } },
      _count: { select: { parts: true } },
    },
  });
}

/** Returns the job that was opened for this one, or null. */
export async function findRedriven(tx: Transaction, jobId: JobId): Promise<{ id: string; state: string } | null> {
  return tx.job.findUnique({ where: { redriveOf: jobId }, select: { id: true, state: true } });
}

/** Returns whether the payload of a job is still there. */
export async function isPayloadThere(tx: Transaction, payloadId: string): Promise<boolean> {
  return (await tx.payload.count({ where: { id: payloadId } })) > 0;
}

/** Returns the newest events about these things, whatever their tenant, newest first. */
export async function listEventsAbout(tx: Transaction, subjectIds: readonly string[], most: number) {
  return tx.auditEvent.findMany({ where: { subjectId: { in: [...subjectIds] } }, orderBy: { id: "desc" }, take: most });
}
