import { findJobStatus, type JobStatusRow } from "@/server/db/jobs";
import { mayTouch, type TenantActor } from "@/server/domain/access";
import { FAILURES, isFailureCode, PacketFailure } from "@/server/domain/failure";
import type { JobId } from "@/server/domain/ids";
import { isTerminal, type JobState, PUBLIC_STATE, type PublicState } from "@/server/domain/job";
import type { Context } from "../context";

/** What a program is told of a packet: small, and always the same fields. [C358] */
export interface PacketStatus {
  readonly id: string;
  readonly kind: string;
  readonly audience: string;
  readonly fidelity: string;
  readonly state: PublicState;
  /** The stage that is under way; null unless the packet is running. */
  readonly stage: string | null;
  readonly acceptedAt: string;
  readonly settledAt: string | null;
  readonly finishBy: string;
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly artifact: {
    readonly bytes: number;
    readonly pages: number;
    readonly digest: string;
    readonly committedAt: string;
    readonly retainUntil: string;
    readonly erasedAt: string | null;
  } | null;
}

export interface ReadStatus {
  readonly status: PacketStatus;
  /** When to ask again; null once nothing will change. The longer it has waited, the less often. [C355] */
  readonly retryAfterSeconds: number | null;
}

const RETRY_SECONDS_MAX = 15;
const AGE_PER_RETRY = 8;

/** Returns how far a packet is, in one read and without a write. Another tenant's, or one out of reach, is `not_found`. [C334,C336] */
export async function readPacketStatus(context: Context, actor: TenantActor, jobId: JobId): Promise<ReadStatus> {
  const { tenantId } = actor;
  const row = tenantId === null ? null : await context.db.transact(actor, (tx) => findJobStatus(tx, tenantId, jobId));
  if (row === null || !mayTouch(actor, "read", row)) throw new PacketFailure("not_found");
  const waitedSeconds = (context.clock.now().getTime() - row.acceptedAt.getTime()) / 1_000;
  const retryAfterSeconds = Math.max(1, Math.min(RETRY_SECONDS_MAX, Math.round(waitedSeconds / AGE_PER_RETRY)));
  return { status: statusOf(row), retryAfterSeconds: isTerminal(row.state as JobState) ? null : retryAfterSeconds };
}

/** Returns a row as programs see it. */
export function statusOf(row: JobStatusRow): PacketStatus {
  const state = PUBLIC_STATE[row.state as JobState];
  const { artifact } = row;
  return {
    id: row.id,
    kind: row.kind,
    audience: row.audience,
    fidelity: row.fidelity,
    state,
    stage: state === "running" ? row.stage : null,
    acceptedAt: row.acceptedAt.toISOString(),
    settledAt: row.settledAt?.toISOString() ?? null,
    finishBy: row.finishBy.toISOString(),
    failure:
      state === "failed" && isFailureCode(row.failureCode)
        ? { code: row.failureCode, message: FAILURES[row.failureCode].publicMessage }
        : null,
    artifact:
      state !== "succeeded" || artifact === null
        ? null
        : {
            bytes: Number(artifact.bytes),
            pages: artifact.pages,
            digest: artifact.digest,
            committedAt: artifact.committedAt.toISOString(),
            retainUntil: artifact.retainUntil.toISOString(),
            erasedAt: artifact.erasedAt?.toISOString() ?? null,
          },
  };
}
