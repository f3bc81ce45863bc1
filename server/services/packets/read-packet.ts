import { findReplacement } from "@/server/db/artifacts";
import type { Transaction } from "@/server/db/client";
import { isDeadLetterWaiting } from "@/server/db/dead-letters";
import { findRedriven } from "@/server/db/job-evidence";
import { countAhead, findJob, isCancellable } from "@/server/db/jobs";
import type { Check } from "@/server/domain/acceptance";
import { mayTouch, type TenantActor } from "@/server/domain/access";
import type { PageMapEntry } from "@/server/domain/artifact";
import { FAILURES, type Finding, isFailureCode, PacketFailure } from "@/server/domain/failure";
import type { JobId } from "@/server/domain/ids";
import {
  isTerminal,
  type JobState,
  PUBLIC_STATE,
  type PublicState,
  STAGE_NAMES,
  type StageName,
} from "@/server/domain/job";
import type { Part } from "@/server/domain/manifest";
import { findKind } from "@/server/packets/registry";
import type { Context } from "../context";

export interface StageView {
  readonly name: StageName;
  readonly status: "waiting" | "running" | "passed" | "skipped" | "failed";
  readonly startedAt: Date | null;
  readonly ms: number | null;
  readonly pages: number | null;
  readonly bytes: number | null;
}

export interface FailureView {
  readonly code: string;
  /** What happened and what to do, in plain words. */
  readonly message: string;
  readonly stage: string | null;
  readonly position: number | null;
  /** The title of the part it is about. */
  readonly title: string | null;
  readonly page: number | null;
  readonly findings: readonly Finding[];
}

export interface PartView {
  readonly position: number;
  readonly type: Part["type"];
  readonly title: string;
  readonly section: string | null;
  readonly pages: number | null;
  readonly from: number | null;
  readonly to: number | null;
  readonly disclosures: readonly string[];
}

export interface ArtifactView {
  readonly artifactId: string;
  readonly pages: number;
  readonly bytes: number;
  readonly digest: string;
  readonly committedAt: Date;
  readonly retainUntil: Date;
  readonly rendererBuild: string;
  readonly archivalLevel: string | null;
  readonly attempt: number;
  readonly checks: readonly Check[];
  /** When the bytes were disposed of, where they were. */
  readonly erasedAt: Date | null;
}

export interface PacketView {
  readonly jobId: string;
  readonly kind: string;
  readonly kindTitle: string;
  readonly subject: string;
  readonly scope: string;
  readonly period: string;
  readonly audience: string;
  readonly fidelity: string;
  readonly state: PublicState;
  readonly isTerminal: boolean;
  /** Set while a transient failure waits for its next try. */
  readonly nextTryAt: Date | null;
  readonly attempt: number;
  readonly attemptsMax: number;
  /** How many jobs of the lane are due before this one; null unless it waits. */
  readonly ahead: number | null;
  readonly revisionNumber: number | null;
  readonly replacedBy: { readonly jobId: string; readonly number: number } | null;
  readonly acceptedAt: Date;
  readonly startedAt: Date | null;
  readonly settledAt: Date | null;
  readonly finishBy: Date;
  readonly eraseBy: Date;
  readonly stages: readonly StageView[];
  readonly parts: readonly PartView[];
  readonly failure: FailureView | null;
  readonly artifact: ArtifactView | null;
  readonly mayCancel: boolean;
  /** True where this person may make the next revision. */
  readonly maySubmit: boolean;
  readonly mayDownload: boolean;
  /** True where this person may have the same packet tried again. */
  readonly mayRetry: boolean;
  /** The job in which what died here is tried again. */
  readonly followedBy: string | null;
  /** Changes whenever anything above does. */
  readonly version: string;
}

/** Returns everything a packet's page shows. Another tenant's packet, or one outside the reader's reach, is `not_found`. Reads only. [C334] */
export async function readPacket(context: Context, actor: TenantActor, jobId: JobId): Promise<PacketView> {
  return context.db.transact(actor, async (tx) => {
    if (actor.tenantId === null) throw new PacketFailure("not_found");
    const job = await findJob(tx, actor.tenantId, jobId);
    if (job === null || !mayTouch(actor, "read", job)) throw new PacketFailure("not_found");
    const state = job.state as JobState;
    const parts = viewParts(job);
    const { artifact } = job;
    const redriven = isTerminal(state) ? await findRedriven(tx, jobId) : null;
    return {
      jobId: job.id,
      kind: job.kind,
      kindTitle: findKind(job.kind)?.title ?? job.kind,
      subject: job.subject,
      scope: job.scope,
      period: job.period,
      audience: job.audience,
      fidelity: job.fidelity,
      state: PUBLIC_STATE[state],
      isTerminal: isTerminal(state),
      nextTryAt: state === "retry_wait" ? job.dueAt : null,
      attempt: job.attempt,
      attemptsMax: job.attemptsMax,
      ahead: state === "queued" ? await countAhead(tx, job) : null,
      revisionNumber: job.revision?.number ?? null,
      replacedBy: await viewReplacement(tx, job),
      acceptedAt: job.acceptedAt,
      startedAt: job.claimedAt,
      settledAt: job.settledAt,
      finishBy: job.finishBy,
      eraseBy: job.eraseBy,
      stages: viewStages(job),
      parts,
      failure: viewFailure(job, parts),
      artifact:
        artifact === null
          ? null
          : {
              artifactId: artifact.id,
              pages: artifact.pages,
              bytes: Number(artifact.bytes),
              digest: artifact.digest,
              committedAt: artifact.committedAt,
              retainUntil: artifact.retainUntil,
              rendererBuild: artifact.rendererBuild,
              archivalLevel: artifact.archivalLevel,
              attempt: artifact.attempt,
              checks: artifact.validation as unknown as Check[],
              erasedAt: artifact.erasedAt,
            },
      mayCancel: mayTouch(actor, "cancel", job) && isCancellable(job),
      maySubmit: mayTouch(actor, "submit", job),
      mayDownload:
        state === "completed" && artifact !== null && artifact.erasedAt === null && mayTouch(actor, "download", job),
      mayRetry: mayTouch(actor, "submit", job) && (await isDeadLetterWaiting(tx, jobId)),
      followedBy: redriven?.id ?? null,
      version: [state, job.stage, job.attempt, job.checkpoints.length, job.settledAt?.getTime(), redriven?.id].join(
        "-",
      ),
    };
  });
}

type FullJob = NonNullable<Awaited<ReturnType<typeof findJob>>>;

async function viewReplacement(tx: Transaction, job: FullJob): Promise<PacketView["replacedBy"]> {
  if (job.revision === null) return null;
  const replacement = await findReplacement(tx, { ...job, number: job.revision.number });
  if (replacement === null) return null;
  return { jobId: replacement.id, number: replacement.revision?.number ?? 0 };
}

function viewStages(job: FullJob): StageView[] {
  const state = job.state as JobState;
  const running = state === "running" || state === "published" ? job.stage : null;
  return STAGE_NAMES.map((name): StageView => {
    if (name === "accept")
      return { name, status: "passed", startedAt: job.acceptedAt, ms: 0, pages: null, bytes: null };
    const checkpoint = job.checkpoints.findLast((entry) => entry.stage === name && entry.attempt === job.attempt);
    if (checkpoint === undefined) {
      const status =
        running === name ? "running" : job.failureStage === name && isTerminal(state) ? "failed" : "waiting";
      return { name, status, startedAt: null, ms: null, pages: null, bytes: null };
    }
    const evidence = checkpoint.evidence as { pages?: number; bytes?: number };
    return {
      name,
      status: checkpoint.status === "skipped" ? "skipped" : "passed",
      startedAt: checkpoint.startedAt,
      ms: checkpoint.ms,
      pages: evidence.pages ?? null,
      bytes: evidence.bytes ?? null,
    };
  });
}

function viewParts(job: FullJob): PartView[] {
  const pageMap = new Map(
    ((job.artifact?.pageMap ?? []) as unknown as PageMapEntry[]).map((entry) => [entry.position, entry]),
  );
  return job.parts.map((row) => {
    const part = row.part as unknown as Part;
    const entry = pageMap.get(part.position);
    return {
      position: part.position,
      type: part.type,
      title: part.title,
      section: part.type === "file" ? (part.section ?? null) : null,
      pages: part.type === "file" ? part.pages : null,
      from: entry?.from ?? null,
      to: entry?.to ?? null,
      disclosures: entry?.disclosures ?? [],
    };
  });
}

/** Returns why a job failed, or why it waits, in plain words; null where nothing went wrong. [C177,C351] */
function viewFailure(job: FullJob, parts: readonly PartView[]): FailureView | null {
  const code = job.failureCode;
  if (code === null || !isFailureCode(code) || job.state === "completed") return null;
  return {
    code,
    message: FAILURES[code].publicMessage,
    stage: job.failureStage,
    position: job.failurePosition,
    title: parts.find((part) => part.position === job.failurePosition)?.title ?? null,
    page: job.failurePage,
    findings: job.failureFields as unknown as Finding[],
  };
}
