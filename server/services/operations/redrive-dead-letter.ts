import type { PersonActor } from "@/server/domain/access";
import type { RedriveReason } from "@/server/domain/dead-letter";
import { PacketFailure } from "@/server/domain/failure";
import type { JobId } from "@/server/domain/ids";
import type { Context } from "../context";
import { holdDeadLetter, reopenPacket } from "../packets/reopen-packet";

/** Why an operator opens another job for a dead letter. */
export interface Redrive {
  readonly reason: RedriveReason;
  readonly correlationId: string;
}

/**
 * Opens a new job for a dead letter and returns its id; its delivery is in the same transaction. Two operators at once get one job: the
 * second is told `not_dead_letter`. Throws `source_missing` where the input is erased, `lane_closed`, `workspace_full` or
 * `too_many_outstanding` where no work is admitted at the moment.
 */
export async function redriveDeadLetter(
  context: Context,
  actor: PersonActor,
  jobId: JobId,
  redrive: Redrive,
): Promise<JobId> {
  if (!actor.isOperator) throw new PacketFailure("not_found");
  return context.db.transact(actor, async (tx) => {
    const dead = await holdDeadLetter(tx, jobId, () => true);
    return reopenPacket(context, tx, actor, dead, redrive);
  });
}
