import type { TenantActor } from "@/server/domain/access";
import type { JobId } from "@/server/domain/ids";
import type { Context } from "../context";
import type { PacketRequest } from "./accept-request";
import { submitBatch } from "./submit-batch";

export interface Submission extends PacketRequest {
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
 * `idempotency_conflict`. It is a batch of one. [C1,C5,C9,C10,C11,C12,C56,C84]
 */
export async function submitPacket(context: Context, actor: TenantActor, submission: Submission): Promise<Submitted> {
  const { correlationId, ...item } = submission;
  const [result] = await submitBatch(context, actor, { items: [item], correlationId });
  if (result === undefined) throw new RangeError("A batch of one has one result.");
  if (result.status === "refused") throw result.failure;
  return { jobId: result.jobId, replayed: result.status === "replayed" };
}
