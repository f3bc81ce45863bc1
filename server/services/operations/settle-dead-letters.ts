import { chooseDeadLetters, type DeadLetterFilter } from "@/server/db/dead-letters";
import type { PersonActor } from "@/server/domain/access";
import { DEAD_LETTERS_AT_ONCE_MAX, type DiscardReason, type RedriveReason } from "@/server/domain/dead-letter";
import { type FailureCode, PacketFailure } from "@/server/domain/failure";
import type { JobId } from "@/server/domain/ids";
import type { Context } from "../context";
import { discardDeadLetter } from "./discard-dead-letter";
import { redriveDeadLetter } from "./redrive-dead-letter";

/** Which dead letters: these, or all that match. */
export type Choice = { readonly jobIds: readonly JobId[] } | { readonly filter: DeadLetterFilter };

export interface Settled {
  readonly done: readonly { readonly jobId: JobId; readonly newJobId: JobId | null }[];
  /** What was not touched, each with the code that says why. */
  readonly refused: readonly { readonly jobId: JobId; readonly code: FailureCode }[];
  /** How many more match and wait for the next call. */
  readonly left: number;
}

interface Order<Reason> {
  readonly choice: Choice;
  readonly reason: Reason;
  readonly correlationId: string;
}

/** Redrives the chosen dead letters, each in a transaction of its own; of a filter only those whose input is still there, oldest first. */
export function redriveDeadLetters(context: Context, actor: PersonActor, order: Order<RedriveReason>) {
  return settleEach(context, actor, order.choice, true, (jobId) => redriveDeadLetter(context, actor, jobId, order));
}

/** Discards the chosen dead letters, each in a transaction of its own. */
export function discardDeadLetters(context: Context, actor: PersonActor, order: Order<DiscardReason>) {
  return settleEach(context, actor, order.choice, false, async (jobId) => {
    await discardDeadLetter(context, actor, jobId, order);
    return null;
  });
}

async function settleEach(
  context: Context,
  actor: PersonActor,
  choice: Choice,
  withInput: boolean,
  settleOne: (jobId: JobId) => Promise<JobId | null>,
): Promise<Settled> {
  if (!actor.isOperator) throw new PacketFailure("not_found");
  const chosen = await idsOf(context, actor, choice, withInput);
  const done: { jobId: JobId; newJobId: JobId | null }[] = [];
  const refused: { jobId: JobId; code: FailureCode }[] = [];
  for (const jobId of chosen.ids) {
    try {
      done.push({ jobId, newJobId: await settleOne(jobId) });
    } catch (error) {
      if (!(error instanceof PacketFailure)) throw error;
      refused.push({ jobId, code: error.code });
    }
  }
  return { done, refused, left: chosen.total - chosen.ids.length };
}

async function idsOf(
  context: Context,
  actor: PersonActor,
  choice: Choice,
  withInput: boolean,
): Promise<{ ids: readonly JobId[]; total: number }> {
  if ("jobIds" in choice) {
    const ids = [...new Set(choice.jobIds)];
    return { ids: ids.slice(0, DEAD_LETTERS_AT_ONCE_MAX), total: ids.length };
  }
  const now = context.clock.now();
  return context.db.transact(actor, (tx) =>
    chooseDeadLetters(tx, choice.filter, { now, most: DEAD_LETTERS_AT_ONCE_MAX, withInput }),
  );
}
