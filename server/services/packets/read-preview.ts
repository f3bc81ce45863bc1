import { findJob } from "@/server/db/jobs";
import { idOfActor, type TenantActor } from "@/server/domain/access";
import { FAILURES, type Finding, isFailureCode, PacketFailure } from "@/server/domain/failure";
import type { JobId, PreviewKey } from "@/server/domain/ids";
import { isTerminal, type JobState, PUBLIC_STATE, type PublicState } from "@/server/domain/job";
import type { Context } from "../context";

export interface PreviewView {
  readonly jobId: string;
  readonly state: PublicState;
  readonly isTerminal: boolean;
  readonly pages: number | null;
  readonly expiresAt: Date | null;
  readonly failure: { readonly code: string; readonly message: string; readonly findings: readonly Finding[] } | null;
}

/** Returns how far a preview is. Only the person who asked for it sees it. */
export async function readPreview(context: Context, actor: TenantActor, jobId: JobId): Promise<PreviewView> {
  const job = await findOwnPreview(context, actor, jobId);
  const state = job.state as JobState;
  const preview = finishedPreview(job);
  return {
    jobId: job.id,
    state: PUBLIC_STATE[state],
    isTerminal: isTerminal(state),
    pages: preview?.pages ?? null,
    expiresAt: preview?.expiresAt ?? null,
    failure:
      isFailureCode(job.failureCode) && isTerminal(state)
        ? {
            code: job.failureCode,
            message: FAILURES[job.failureCode].publicMessage,
            findings: job.failureFields as unknown as Finding[],
          }
        : null,
  };
}

/** Returns where a finished preview lies. Throws `preview_expired` once its minutes are over. */
export async function openPreview(
  context: Context,
  actor: TenantActor,
  jobId: JobId,
): Promise<{ key: PreviewKey; bytes: number }> {
  const preview = finishedPreview(await findOwnPreview(context, actor, jobId));
  const isOver =
    preview === null || preview.erasedAt !== null || preview.expiresAt.getTime() <= context.clock.now().getTime();
  if (isOver) throw new PacketFailure("preview_expired");
  return { key: preview.previewKey as PreviewKey, bytes: Number(preview.bytes) };
}

/** The row is there before the bytes are, so that whatever comes of them has a deadline. */
function finishedPreview(job: Awaited<ReturnType<typeof findOwnPreview>>) {
  return job.state === "completed" ? job.preview : null;
}

async function findOwnPreview(context: Context, actor: TenantActor, jobId: JobId) {
  return context.db.transact(actor, async (tx) => {
    const job = actor.tenantId === null ? null : await findJob(tx, actor.tenantId, jobId);
    if (job === null || job.fidelity !== "preview" || job.createdBy !== idOfActor(actor))
      throw new PacketFailure("not_found");
    return job;
  });
}
