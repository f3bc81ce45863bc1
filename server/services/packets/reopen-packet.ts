import { appendAuditEvent } from "@/server/db/audit-events";
import type { Transaction } from "@/server/db/client";
import { findForRedrive, isDeadLetterWaiting, moveSubmissions } from "@/server/db/dead-letters";
import { findPayload, lockIdentities } from "@/server/db/revisions";
import type { TenantActor } from "@/server/domain/access";
import { type RedriveReason, redriveDeadline } from "@/server/domain/dead-letter";
import { PacketFailure } from "@/server/domain/failure";
import type { JobId, PayloadId, RevisionId, TenantId, UserId } from "@/server/domain/ids";
import { Manifest } from "@/server/domain/manifest";
import { findKind } from "@/server/packets/registry";
import type { Context } from "../context";
import type { AcceptedRequest } from "./accept-request";
import { openJob } from "./open-job";

export type DeadJob = NonNullable<Awaited<ReturnType<typeof findForRedrive>>>;

/**
 * Returns a dead letter that waits, and keeps it so until the transaction ends: whoever submits, redrives or discards the same thing at
 * the same time waits behind the same locks. Throws `not_found` where `isAllowed` says so, or `not_dead_letter`.
 */
export async function holdDeadLetter(
  tx: Transaction,
  jobId: JobId,
  isAllowed: (job: DeadJob) => boolean,
): Promise<DeadJob> {
  const job = await findForRedrive(tx, jobId);
  if (job === null || !isAllowed(job)) throw new PacketFailure("not_found");
  const tenantId = job.tenantId as TenantId;
  await lockIdentities(tx, [{ tenantId, kind: job.kind, businessIdentity: job.businessIdentity }]);
  await lockIdentities(tx, [{ tenantId, kind: "", businessIdentity: job.idempotencyKey }]);
  if (!(await isDeadLetterWaiting(tx, jobId))) throw new PacketFailure("not_dead_letter");
  return job;
}

/**
 * Opens a new job for a dead letter that is held, and returns its id: same revision, manifest, payload, audience and readers, and the same
 * `eraseBy`; a deadline of its own, attempts from zero, nothing of what the dead job had staged. The keys that stood for the dead job stand
 * for the new one. Throws `source_missing` where the input is erased, or what keeps any other job from being admitted.
 */
export async function reopenPacket(
  context: Context,
  tx: Transaction,
  actor: TenantActor,
  dead: DeadJob,
  why: { readonly reason: RedriveReason | "asked_by_submitter"; readonly correlationId: string },
): Promise<JobId> {
  const now = context.clock.now();
  const jobId = dead.id as JobId;
  const request = await requestOf(tx, dead, now);
  const newJobId = await openJob(context, tx, actor, request, {
    fidelity: "archival",
    idempotencyKey: dead.idempotencyKey,
    fingerprint: dead.fingerprint,
    payloadId: dead.payloadId as PayloadId,
    revisionId: dead.revisionId as RevisionId | null,
    redriveOf: jobId,
    correlationId: why.correlationId,
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
    correlationId: why.correlationId,
    at: now,
    facts: { reason: why.reason, code: dead.failureCode, newJobId },
  });
  return newJobId;
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
