import { isDeadLetterWaiting } from "@/server/db/dead-letters";
import { findJobEvidence, findRedriven, isPayloadThere, listEventsAbout } from "@/server/db/job-evidence";
import type { PersonActor } from "@/server/domain/access";
import { PacketFailure } from "@/server/domain/failure";
import type { JobId } from "@/server/domain/ids";
import type { LaneName } from "@/server/domain/lane";
import type { Context } from "../context";
import { reasonWords } from "./list-dead-letters";
import { type AttemptView, viewAttempts } from "./view-attempts";
import { type PhaseView, viewPhases } from "./view-phases";

export interface JobView {
  readonly jobId: string;
  readonly tenantId: string;
  readonly kind: string;
  readonly audience: string;
  readonly fidelity: string;
  readonly lane: string;
  /** What the lane grants one attempt and one job. */
  readonly budget: {
    readonly durationMsMax: number;
    readonly renderMsMax: number;
    readonly leaseMs: number;
    readonly attemptsMax: number;
  };
  readonly state: string;
  readonly stage: string | null;
  readonly correlationId: string;
  readonly createdBy: string | null;
  readonly revision: { readonly id: string; readonly number: number } | null;
  readonly manifestDigest: string;
  readonly parts: number;
  readonly declared: { readonly pages: number; readonly bytes: number; readonly rows: number };
  readonly validationVersion: number;
  readonly templateVersion: number;
  readonly rendererBuild: string | null;
  readonly phases: readonly PhaseView[];
  readonly finishBy: Date;
  readonly eraseBy: Date;
  readonly dueAt: Date;
  readonly lease: { readonly until: Date; readonly workerId: string | null } | null;
  readonly isInputThere: boolean;
  readonly attempts: readonly AttemptView[];
  readonly failure: {
    readonly code: string;
    readonly firstCode: string;
    readonly reason: string;
    readonly stage: string | null;
    readonly position: number | null;
    readonly page: number | null;
    /** Rules that failed, by code, with how often each did. */
    readonly findings: Readonly<Record<string, number>>;
  } | null;
  readonly artifact: {
    readonly id: string;
    readonly digest: string;
    readonly bytes: number;
    readonly pages: number;
    readonly attempt: number;
    readonly committedAt: Date;
    readonly retainUntil: Date;
    readonly erasedAt: Date | null;
  } | null;
  readonly cost: {
    readonly attempts: number;
    /** From the first claim to the outcome, pauses included; null while it runs or where it never began. */
    readonly wallMs: number | null;
    /** What the stages of all attempts took together. */
    readonly workMs: number;
    readonly bytes: number | null;
    readonly pages: number | null;
    readonly retainUntil: Date | null;
  };
  readonly staged: readonly {
    readonly attempt: number;
    readonly stage: string;
    readonly files: number;
    readonly bytes: number;
    readonly isErased: boolean;
  }[];
  readonly redriveOf: string | null;
  readonly redrivenAs: { readonly jobId: string; readonly state: string } | null;
  readonly discarded: { readonly at: Date; readonly by: string | null } | null;
  /** True where an operator can redrive or discard it. */
  readonly isDeadLetter: boolean;
  readonly events: readonly {
    readonly id: string;
    readonly at: Date;
    readonly action: string;
    readonly actorType: string;
    readonly actorId: string | null;
    readonly correlationId: string;
    readonly facts: Readonly<Record<string, string | number | boolean>>;
  }[];
}

const EVENTS_MAX = 100;

/**
 * Returns all that is known of one job in one place: which revision it is, which attempt committed its artifact, why it failed, and
 * whether each attempt's directory is gone. Ids, counts, codes and instants only. [C410,C411,C412,C413,C414,C433]
 */
export async function readJob(context: Context, actor: PersonActor, jobId: JobId): Promise<JobView> {
  if (!actor.isOperator) throw new PacketFailure("not_found");
  return context.db.transact(actor, async (tx) => {
    const job = await findJobEvidence(tx, jobId);
    if (job === null) throw new PacketFailure("not_found");
    const redriven = await findRedriven(tx, jobId);
    const events = await listEventsAbout(tx, job.artifact === null ? [jobId] : [jobId, job.artifact.id], EVENTS_MAX);
    const { durationMsMax, renderMsMax, leaseMs } = context.lanes[job.lane as LaneName];
    const made = job.artifact ?? job.preview;
    return {
      jobId: job.id,
      tenantId: job.tenantId,
      kind: job.kind,
      audience: job.audience,
      fidelity: job.fidelity,
      lane: job.lane,
      budget: { durationMsMax, renderMsMax, leaseMs, attemptsMax: job.attemptsMax },
      state: job.state,
      stage: job.stage,
      correlationId: job.correlationId,
      createdBy: job.createdBy,
      revision: job.revision,
      manifestDigest: job.manifestDigest,
      parts: job._count.parts,
      declared: { pages: job.declaredPages, bytes: Number(job.declaredBytes), rows: job.declaredRows },
      validationVersion: job.validationVersion,
      templateVersion: job.templateVersion,
      rendererBuild: job.rendererBuild,
      phases: viewPhases(job),
      finishBy: job.finishBy,
      eraseBy: job.eraseBy,
      dueAt: job.dueAt,
      lease: job.leaseUntil === null ? null : { until: job.leaseUntil, workerId: job.workerId },
      isInputThere: job.eraseBy > context.clock.now() && (await isPayloadThere(tx, job.payloadId)),
      attempts: viewAttempts(job),
      failure: viewFailure(job),
      artifact: job.artifact === null ? null : { ...job.artifact, bytes: Number(job.artifact.bytes) },
      cost: {
        attempts: job.attempts.length,
        wallMs: job.claimedAt === null || job.settledAt === null ? null : +job.settledAt - +job.claimedAt,
        workMs: job.checkpoints.reduce((sum, { ms, status }) => sum + (status === "resumed" ? 0 : ms), 0),
        bytes: made === null ? null : Number(made.bytes),
        pages: made?.pages ?? null,
        retainUntil: job.artifact?.retainUntil ?? null,
      },
      staged: viewStaged(job.staged),
      redriveOf: job.redriveOf,
      redrivenAs: redriven === null ? null : { jobId: redriven.id, state: redriven.state },
      discarded: job.discardedAt === null ? null : { at: job.discardedAt, by: job.discardedBy },
      isDeadLetter: await isDeadLetterWaiting(tx, jobId),
      events: events.map(({ id, at, action, actorType, actorId, correlationId, facts }) => ({
        ...{ id: String(id), at, action, actorType, actorId, correlationId },
        facts: factsOf(facts),
      })),
    };
  });
}

type FullJob = NonNullable<Awaited<ReturnType<typeof findJobEvidence>>>;

function viewFailure(job: FullJob): JobView["failure"] {
  if (job.failureCode === null) return null;
  const findings: Record<string, number> = {};
  for (const finding of Array.isArray(job.failureFields) ? job.failureFields : []) {
    // Only the rule's code: its place and its words may tell content.
    const code = String(Reflect.get(Object(finding), "code"));
    findings[code] = (findings[code] ?? 0) + 1;
  }
  return {
    code: job.failureCode,
    firstCode: job.firstFailureCode ?? job.failureCode,
    reason: reasonWords(job.failureCode),
    stage: job.failureStage,
    position: job.failurePosition,
    page: job.failurePage,
    findings,
  };
}

function viewStaged(files: FullJob["staged"]): JobView["staged"] {
  const groups = new Map<string, JobView["staged"][number]>();
  for (const { attempt, stage, bytes, erasedAt } of files) {
    const isErased = erasedAt !== null;
    const key = `${attempt} ${stage} ${isErased}`;
    const group = groups.get(key) ?? { attempt, stage, files: 0, bytes: 0, isErased };
    groups.set(key, { ...group, files: group.files + 1, bytes: group.bytes + Number(bytes) });
  }
  return [...groups.values()];
}

function factsOf(facts: unknown): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(Object(facts)).filter(
      (fact): fact is [string, string | number | boolean] =>
        typeof fact[1] === "string" || typeof fact[1] === "number" || typeof fact[1] === "boolean",
    ),
  );
}
