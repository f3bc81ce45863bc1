import { listDeadLetterJobs } from "@/server/db/operations";
import type { PersonActor } from "@/server/domain/access";
import { FAILURES, isFailureCode, PacketFailure } from "@/server/domain/failure";
import type { Context } from "../context";

export interface DeadLetterRow {
  readonly jobId: string;
  readonly tenantId: string;
  readonly kind: string;
  readonly lane: string;
  readonly code: string;
  readonly firstCode: string;
  readonly reason: string;
  readonly stage: string | null;
  readonly attempts: number;
  readonly attemptsMax: number;
  readonly acceptedAt: Date;
  readonly diedAt: Date | null;
  /** When its working folder was removed; null where that is not known yet. */
  readonly erasedAt: Date | null;
  readonly correlationId: string;
}

const PER_PAGE = 50;

/** Returns dead letters with their reasons, newest first. Ids, counts and codes only. [C131,C177,C194,C437] */
export async function listDeadLetters(
  context: Context,
  actor: PersonActor,
  input: { readonly page: number },
): Promise<{ rows: DeadLetterRow[]; total: number; perPage: number }> {
  if (!actor.isOperator) throw new PacketFailure("not_found");
  const page = { offset: (input.page - 1) * PER_PAGE, most: PER_PAGE };
  const { rows, total } = await context.db.transact(actor, (tx) => listDeadLetterJobs(tx, page));
  return {
    total,
    perPage: PER_PAGE,
    rows: rows.map((job) => ({
      jobId: job.id,
      tenantId: job.tenantId,
      kind: job.kind,
      lane: job.lane,
      code: job.failureCode ?? "internal",
      firstCode: job.firstFailureCode ?? job.failureCode ?? "internal",
      reason: FAILURES[isFailureCode(job.failureCode) ? job.failureCode : "internal"].publicMessage,
      stage: job.failureStage,
      attempts: job.attempt,
      attemptsMax: job.attemptsMax,
      acceptedAt: job.acceptedAt,
      diedAt: job.settledAt,
      erasedAt: job.erasedAt,
      correlationId: job.correlationId,
    })),
  };
}
