import { mayTouch, type TenantActor } from "@/server/domain/access";
import type { JobId } from "@/server/domain/ids";
import type { Context } from "../context";
import { holdDeadLetter, reopenPacket } from "./reopen-packet";

/**
 * Lets the tenant's own people try again what died: the same packet under a new job, whose id it returns. Throws `not_found`,
 * `not_dead_letter` where somebody was faster, or `source_missing` where the input is erased.
 */
export async function retryPacket(
  context: Context,
  actor: TenantActor,
  jobId: JobId,
  correlationId: string,
): Promise<{ jobId: JobId }> {
  return context.db.transact(actor, async (tx) => {
    const dead = await holdDeadLetter(tx, jobId, (job) => mayTouch(actor, "submit", job));
    return { jobId: await reopenPacket(context, tx, actor, dead, { reason: "asked_by_submitter", correlationId }) };
  });
}
