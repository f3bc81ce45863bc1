import { appendAuditEvent } from "@/server/db/audit-events";
import type { Transaction } from "@/server/db/client";
import { countOutstanding, insertJob, oldestReadyMs } from "@/server/db/jobs";
import { keepSourcesUntil } from "@/server/db/sources";
import { lockTenant } from "@/server/db/tenants";
import { idOfActor, type TenantActor } from "@/server/domain/access";
import { admit } from "@/server/domain/admission";
import { PacketFailure } from "@/server/domain/failure";
import { type JobId, newId, type PayloadId, type RevisionId, type UserId } from "@/server/domain/ids";
import type { Fidelity } from "@/server/domain/job";
import { chooseLane } from "@/server/domain/lane";
import { manifestDigest } from "@/server/domain/manifest";
import { ATTEMPTS_MAX } from "@/server/domain/retry-policy";
import type { Context } from "../context";
import type { AcceptedRequest } from "./accept-request";

export interface Opening {
  readonly fidelity: Fidelity;
  readonly idempotencyKey: string;
  readonly fingerprint: string;
  readonly payloadId: PayloadId;
  readonly revisionId: RevisionId | null;
  readonly redriveOf: JobId | null;
  readonly correlationId: string;
  readonly finishBy: Date;
  readonly eraseBy: Date;
  readonly readers: readonly UserId[];
  /** Who it is made for, where that is not whoever opens it: a redriven packet stays its submitter's. */
  readonly createdBy?: string | null;
}

/** Submissions of one tenant that may be under way at once, in all web processes together. */
const AT_ONCE_MAX = 100;

/**
 * Admits the request into its lane and writes job, delivery and audit event, all in the caller's transaction: none exists without the
 * others. Throws `too_many_outstanding`, `lane_closed` or `source_missing`. [C9,C84,C145]
 */
export async function openJob(
  context: Context,
  tx: Transaction,
  actor: TenantActor,
  request: AcceptedRequest,
  opening: Opening,
): Promise<JobId> {
  const now = context.clock.now();
  const lane = chooseLane(opening.fidelity, request.size);
  const outstanding = await countForAdmission(tx, request);
  const admission = admit({
    lane: context.lanes[lane],
    outstanding,
    outstandingMax: request.tenant.outstandingMax,
    oldestReadyMs: await oldestReadyMs(tx, lane, now),
  });
  if (!admission.admitted) {
    throw new PacketFailure(admission.code, { retryAfterSeconds: admission.retryAfterSeconds });
  }
  const { kind, payload, manifest, size } = request;
  const jobId = newId("job");
  await insertJob(
    tx,
    {
      id: jobId,
      tenantId: request.tenantId,
      kind: kind.name,
      fidelity: opening.fidelity,
      audience: request.audience,
      revisionId: opening.revisionId,
      payloadId: opening.payloadId,
      businessIdentity: kind.businessIdentity(payload),
      scope: kind.scope(payload),
      period: kind.period(payload),
      subject: kind.subject(payload),
      idempotencyKey: opening.idempotencyKey,
      fingerprint: opening.fingerprint,
      manifestDigest: manifestDigest(manifest),
      validationVersion: kind.validationVersion,
      templateVersion: kind.templateVersion,
      lane,
      declaredPages: size.pages,
      declaredBytes: size.bytes,
      declaredRows: size.rows,
      correlationId: opening.correlationId,
      createdBy: opening.createdBy ?? idOfActor(actor),
      redriveOf: opening.redriveOf,
      state: "queued",
      attemptsMax: opening.fidelity === "preview" ? 2 : ATTEMPTS_MAX,
      dueAt: now,
      finishBy: opening.finishBy,
      eraseBy: opening.eraseBy,
      acceptedAt: now,
    },
    manifest,
    opening.readers,
  );
  // Their time may have run out since they were looked at.
  const areKept = await keepSourcesUntil(tx, request.sourceIds, opening.eraseBy);
  if (!areKept) throw new PacketFailure("source_missing");
  await context.enqueue(tx, lane, { jobId }, { dueAt: null, outstanding });
  await appendAuditEvent(tx, actor, {
    tenantId: request.tenantId,
    action: opening.fidelity === "preview" ? "preview.requested" : "packet.submitted",
    subjectType: "job",
    subjectId: jobId,
    correlationId: opening.correlationId,
    at: now,
    facts: { kind: kind.name, lane, pages: size.pages },
  });
  return jobId;
}

/** Near the tenant's limit its submissions are counted one after another, so that no burst gets past it. [C53] */
async function countForAdmission(tx: Transaction, request: AcceptedRequest): Promise<number> {
  const outstanding = await countOutstanding(tx, request.tenantId);
  const { outstandingMax } = request.tenant;
  if (outstanding >= outstandingMax || outstanding + AT_ONCE_MAX < outstandingMax) return outstanding;
  await lockTenant(tx, request.tenantId);
  return countOutstanding(tx, request.tenantId);
}
