import { appendAuditEvent } from "@/server/db/audit-events";
import { markDiscarded } from "@/server/db/dead-letters";
import { idOfActor, type PersonActor } from "@/server/domain/access";
import type { DiscardReason } from "@/server/domain/dead-letter";
import { PacketFailure } from "@/server/domain/failure";
import type { JobId } from "@/server/domain/ids";
import type { Context } from "../context";
import { holdDeadLetter } from "../packets/reopen-packet";

/**
 * Closes a dead letter without another job: it leaves the list, and the reason stands in the audit trail. Its submitter may submit again.
 * Throws `not_found` or `not_dead_letter`.
 */
export async function discardDeadLetter(
  context: Context,
  actor: PersonActor,
  jobId: JobId,
  discard: { readonly reason: DiscardReason; readonly correlationId: string },
): Promise<void> {
  if (!actor.isOperator) throw new PacketFailure("not_found");
  const now = context.clock.now();
  await context.db.transact(actor, async (tx) => {
    const dead = await holdDeadLetter(tx, jobId, () => true);
    if (!(await markDiscarded(tx, jobId, idOfActor(actor), now))) throw new PacketFailure("not_dead_letter");
    await appendAuditEvent(tx, actor, {
      tenantId: dead.tenantId,
      action: "packet.discarded",
      subjectType: "job",
      subjectId: jobId,
      correlationId: discard.correlationId,
      at: now,
      facts: { reason: discard.reason, code: dead.failureCode },
    });
  });
}
