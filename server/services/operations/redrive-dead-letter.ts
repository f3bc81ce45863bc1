import { appendAuditEvent } from "@/server/db/audit-events";
import type { Transaction } from "@/server/db/client";
import { findForRedrive, isDeadLetterWaiting, moveSubmissions } from "@/server/db/dead-letters";
import { findPayload, lockIdentity } from "@/server/db/revisions";
import type { PersonActor } from "@/server/domain/access";
import { type RedriveReason, redriveDeadline } from "@/server/domain/dead-letter";
import { PacketFailure } from "@/server/domain/failure";
import type { JobId, PayloadId, RevisionId, TenantId, UserId } from "@/server/domain/ids";
import { Manifest } from "@/server/domain/manifest";
import { findKind } from "@/server/packets/registry";
import type { Context } from "../context";
import type { AcceptedRequest } from "../packets/accept-request";
import { openJob } from "../packets/open-job";

/** Who opens another job for a dead letter, and why. */
export interface Redrive {
  readonly reason: RedriveReason;
  readonly correlationId: string;
}

/**
 * Opens a new job for a dead letter and returns its id: same revision, manifest, payload, audience and readers, and the same `eraseBy`; a
 * deadline of its own, attempts from zero, nothing of what the dead job had staged. The keys that stood for the dead job stand for the new
 * one; its delivery is in the same transaction. Two operators at once get one job: the second is told `not_dead_letter`. Throws
 * `source_missing` where the input is erased, `lane_closed` or `too_many_outstanding` where no work is admitted at the moment.
 */
export async function redriveDeadLetter(
  context: Context,
  actor: PersonActor,
  jobId: JobId,
  redrive: Redrive,
): Promise<JobId> {
  if (!actor.isOperator) throw new PacketFailure("not_found");
  const now = context.clock.now();
  return context.db.transact(actor, async (tx) => {
    const dead = await holdDeadLetter(tx, jobId);
    const request = await requestOf(tx, dead, now);
    const newJobId = await openJob(context, tx, actor, request, {
      fidelity: "archival",
      idempotencyKey: dead.idempotencyKey,
      fingerprint: dead.fingerprint,
      payloadId: dead.payloadId as PayloadId,
      revisionId: dead.revisionId as RevisionId | null,
      redriveOf: jobId,
      correlationId: redrive.correlationId,
      finishBy: redriveDeadline(request.kind.finishBy(request.payload, now), dead.eraseBy, now),
      eraseBy: dead.eraseBy,
      readers: dead.readers.map((reader) => reader.userId as UserId),
      createdBy: dead.createdBy,
    });
    await moveSubmissions(tx, jobId, newJobId);
    await appendAuditEvent(tx, actor, {
      tenantId: dead.tenantId,
      action: "packet.redriven",
      subjectType: "job",
      subjectId: jobId,
      correlationId: redrive.correlationId,
      at: now,
      facts: { reason: redrive.reason, code: dead.failureCode, newJobId },
    });
    return newJobId;
  });
}

export type DeadJob = NonNullable<Awaited<ReturnType<typeof findForRedrive>>>;

/**
 * Returns a dead letter that waits, and keeps it so until the transaction ends: whoever submits, redrives or discards the same thing at
 * the same time waits behind the same locks. Throws `not_found` or `not_dead_letter`.
 */
export async function holdDeadLetter(tx: Transaction, jobId: JobId): Promise<DeadJob> {
  const job = await findForRedrive(tx, jobId);
  if (job === null) throw new PacketFailure("not_found");
  const tenantId = job.tenantId as TenantId;
  await lockIdentity(tx, { tenantId, kind: job.kind, businessIdentity: job.businessIdentity });
  await lockIdentity(tx, { tenantId, kind: "", businessIdentity: job.idempotencyKey });
  if (!(await isDeadLetterWaiting(tx, jobId))) throw new PacketFailure("not_dead_letter");
  return job;
}

/** Returns the request as it was accepted then; nothing of it is made or looked up again. */
async function requestOf(tx: Transaction, dead: DeadJob, now: Date): Promise<AcceptedRequest> {
  const kind = findKind(dead.kind);
  if (kind === null) throw new PacketFailure("unknown_kind");
  const payload = await findPayload(tx, dead.payloadId);
  if (payload === null || dead.eraseBy.getTime() <= now.getTime()) throw new PacketFailure("source_missing");
  const manifest = Manifest.parse({ parts: dead.parts.map((row) => row.part), tables: dead.tables });
  const files = manifest.parts.flatMap((part) => (part.type === "file" ? [part.sourceId] : []));
  return {
    tenantId: dead.tenantId as TenantId,
    tenant: dead.tenant,
    kind,
    audience: dead.audience,
    payload: payload.content,
    manifest,
    size: { pages: dead.declaredPages, bytes: Number(dead.declaredBytes), rows: dead.declaredRows },
    sourceIds: [...files, ...manifest.tables.map((table) => table.sourceId)],
  };
}
