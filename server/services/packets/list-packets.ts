import { listJobs } from "@/server/db/jobs";
import { mayAct, type TenantActor } from "@/server/domain/access";
import { PacketFailure } from "@/server/domain/failure";
import { JOB_STATES, type JobState, PUBLIC_STATE, type PublicState } from "@/server/domain/job";
import { findKind } from "@/server/packets/registry";
import type { Context } from "../context";

export interface ListInput {
  readonly kind?: string | undefined;
  readonly state?: PublicState | undefined;
  readonly text?: string | undefined;
  /** From 1. */
  readonly page: number;
}

export interface PacketRow {
  readonly jobId: string;
  readonly kind: string;
  readonly kindTitle: string;
  readonly subject: string;
  readonly scope: string;
  readonly period: string;
  readonly audience: string;
  readonly state: PublicState;
  readonly isWaitingToRetry: boolean;
  readonly failureCode: string | null;
  readonly stage: string | null;
  readonly revisionNumber: number | null;
  readonly pages: number | null;
  readonly acceptedAt: Date;
  readonly settledAt: Date | null;
}

export const PACKETS_PER_PAGE = 25;

/** Returns one page of the tenant's packets within the reader's reach, newest first, and how many there are in all. */
export async function listPackets(
  context: Context,
  actor: TenantActor,
  input: ListInput,
): Promise<{ rows: PacketRow[]; total: number; perPage: number }> {
  if (!mayAct(actor, "read")) throw new PacketFailure("not_found");
  const states =
    input.state === undefined ? undefined : JOB_STATES.filter((state) => PUBLIC_STATE[state] === input.state);
  const page = { offset: (input.page - 1) * PACKETS_PER_PAGE, most: PACKETS_PER_PAGE };
  const filter = { kind: input.kind, states, text: input.text };
  const { rows, total } = await context.db.transact(actor, (tx) => listJobs(tx, actor, filter, page));
  return {
    total,
    perPage: PACKETS_PER_PAGE,
    rows: rows.map((job) => ({
      jobId: job.id,
      kind: job.kind,
      kindTitle: findKind(job.kind)?.title ?? job.kind,
      subject: job.subject,
      scope: job.scope,
      period: job.period,
      audience: job.audience,
      state: PUBLIC_STATE[job.state as JobState],
      isWaitingToRetry: job.state === "retry_wait",
      failureCode: job.failureCode,
      stage: job.stage,
      revisionNumber: job.revision?.number ?? null,
      pages: job.artifact?.pages ?? null,
      acceptedAt: job.acceptedAt,
      settledAt: job.settledAt,
    })),
  };
}
