import { appendAuditEvent } from "@/server/db/audit-events";
import { cancelJob, findJob } from "@/server/db/jobs";
import { mayTouch, type TenantActor } from "@/server/domain/access";
import { PacketFailure } from "@/server/domain/failure";
import type { JobId } from "@/server/domain/ids";
import type { Context } from "../context";

/** Stops a packet that is not yet published. Returns false where it was too late: it is made, or it is over. */
export async function cancelPacket(
  context: Context,
  actor: TenantActor,
  jobId: JobId,
): Promise<{ cancelled: boolean }> {
  const now = context.clock.now();
  return context.db.transact(actor, async (tx) => {
    if (actor.tenantId === null) throw new PacketFailure("not_found");
    const job = await findJob(tx, actor.tenantId, jobId);
    if (job === null || !mayTouch(actor, "cancel", job)) throw new PacketFailure("not_found");
    const cancelled = await cancelJob(tx, actor.tenantId, jobId, now);
    if (cancelled) {
      await appendAuditEvent(tx, actor, {
        tenantId: actor.tenantId,
        action: "packet.cancelled",
        subjectType: "job",
        subjectId: jobId,
        correlationId: job.correlationId,
        at: now,
      });
    }
    return { cancelled };
  });
}
