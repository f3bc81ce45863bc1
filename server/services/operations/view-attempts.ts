import type { findJobEvidence } from "@/server/db/job-evidence";
import { STAGE_NAMES } from "@/server/domain/job";

export interface CheckpointView {
  readonly stage: string;
  /** Passed, skipped, or resumed from what an earlier attempt had left. */
  readonly status: string;
  readonly startedAt: Date;
  readonly ms: number;
}

export interface AttemptView {
  readonly number: number;
  readonly workerId: string;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  /** The state it led to, or `lost`; null while it runs. */
  readonly outcome: string | null;
  readonly code: string | null;
  readonly stage: string | null;
  readonly checkpoints: readonly CheckpointView[];
  /** True for the one attempt whose bytes stand in the archive. */
  readonly isCommitter: boolean;
  /** When its private directory was removed; null where that is not confirmed. */
  readonly directoryGoneAt: Date | null;
}

const ORDER: readonly string[] = STAGE_NAMES;

/** Returns every attempt at a job with what it finished and whether its directory is gone, oldest first. [C411,C413,C414] */
export function viewAttempts(job: NonNullable<Awaited<ReturnType<typeof findJobEvidence>>>): AttemptView[] {
  return job.attempts.map((attempt) => ({
    number: attempt.number,
    workerId: attempt.workerId,
    startedAt: attempt.startedAt,
    endedAt: attempt.endedAt,
    outcome: attempt.outcome,
    code: attempt.failureCode,
    stage: attempt.failureStage,
    checkpoints: job.checkpoints
      .filter((checkpoint) => checkpoint.attempt === attempt.number)
      .map(({ stage, status, startedAt, ms }) => ({ stage, status, startedAt, ms }))
      .sort((a, b) => ORDER.indexOf(a.stage) - ORDER.indexOf(b.stage)),
    isCommitter: job.artifact?.attempt === attempt.number,
    directoryGoneAt: attempt.workspaceErasedAt,
  }));
}
