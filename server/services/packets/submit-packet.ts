import type { Transaction } from "@/server/db/client";
import { putSubmission } from "@/server/db/jobs";
import { insertPayload, insertRevision } from "@/server/db/revisions";
import { findOrAddRecipient } from "@/server/db/users";
import { idOfActor, type TenantActor } from "@/server/domain/access";
import { PacketFailure } from "@/server/domain/failure";
import type { JobId, UserId } from "@/server/domain/ids";
import { eraseBy } from "@/server/domain/retention";
import type { Context } from "../context";
import { type AcceptedRequest, acceptRequest, type PacketRequest } from "./accept-request";
import { identifyOperation } from "./identify-operation";
import { openJob } from "./open-job";

export interface Submission extends PacketRequest {
  /** The caller's name for this operation. A form leaves it out: one is derived from what it is about and which revision it makes. */
  readonly idempotencyKey?: string | undefined;
  readonly correlationId: string;
}

export interface Submitted {
  readonly jobId: JobId;
  /** True where the same request was accepted before: this is that job. */
  readonly replayed: boolean;
}

/**
 * Accepts a packet: authorise, validate, fingerprint, admit, and write job, delivery and audit event in one transaction. Answers with the
 * job; never renders, never fetches. The same key and content give the job that exists; the same key with other content is
 * `idempotency_conflict`. [C1,C5,C9,C10,C11,C12,C56,C84]
 */
export async function submitPacket(context: Context, actor: TenantActor, submission: Submission): Promise<Submitted> {
  const now = context.clock.now();
  return context.db.transact(actor, async (tx) => {
    const request = await acceptRequest(tx, actor, submission, now);
    const operation = await identifyOperation(tx, request, submission.idempotencyKey, now);
    if (operation.existing !== null) return { jobId: operation.existing, replayed: true };

    const { identity, payloadDigest, idempotencyKey, fingerprint } = operation;
    const finishBy = request.kind.finishBy(request.payload, now);
    if (finishBy.getTime() <= now.getTime()) throw new PacketFailure("finish_by_passed");
    const deadline = eraseBy(now, request.kind.inputDays);
    const payloadId = await insertPayload(tx, {
      tenantId: request.tenantId,
      content: request.payload as object,
      digest: payloadDigest,
      createdAt: now,
      eraseBy: deadline,
    });
    const revision = { ...identity, number: operation.revisionNumber, payloadId, payloadDigest };
    const revisionId =
      operation.revisionId ?? (await insertRevision(tx, { ...revision, createdBy: idOfActor(actor), createdAt: now }));
    const jobId = await openJob(context, tx, actor, request, {
      fidelity: "archival",
      idempotencyKey,
      fingerprint,
      payloadId,
      revisionId,
      redriveOf: operation.endedJob,
      correlationId: submission.correlationId,
      finishBy,
      eraseBy: deadline,
      readers: await readersOf(tx, request, now),
    });
    await putSubmission(tx, { tenantId: request.tenantId, idempotencyKey, fingerprint, jobId, createdAt: now });
    return { jobId, replayed: false };
  });
}

async function readersOf(tx: Transaction, request: AcceptedRequest, now: Date): Promise<UserId[]> {
  const recipient = request.kind.recipient(request.payload);
  if (recipient === null) return [];
  return [await findOrAddRecipient(tx, request.tenantId, recipient, now)];
}
