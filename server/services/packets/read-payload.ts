import { findJob } from "@/server/db/jobs";
import { findPayload } from "@/server/db/revisions";
import { mayTouch, type TenantActor } from "@/server/domain/access";
import { PacketFailure } from "@/server/domain/failure";
import type { JobId } from "@/server/domain/ids";
import type { Context } from "../context";

/** Returns what was submitted, to start the next revision from; null once the input has been erased. */
export async function readPayload(
  context: Context,
  actor: TenantActor,
  jobId: JobId,
): Promise<{ kind: string; audience: string; payload: unknown } | null> {
  return context.db.transact(actor, async (tx) => {
    if (actor.tenantId === null) throw new PacketFailure("not_found");
    const job = await findJob(tx, actor.tenantId, jobId);
    if (job === null || !mayTouch(actor, "submit", job)) throw new PacketFailure("not_found");
    const payload = await findPayload(tx, job.payloadId);
    return payload === null ? null : { kind: job.kind, audience: job.audience, payload: payload.content };
  });
}
