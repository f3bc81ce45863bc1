import { type FailureCode, policyOf } from "./failure";

export const ATTEMPTS_MAX = 5;
/** Of these so many may fail in one and the same stage: what fails there again and again will not pass by waiting. [C160] */
export const STAGE_ATTEMPTS_MAX = 4;
/** A transient failure is not retried once a job is this old: late is the same as failed. [C130,C144,C195] */
export const RETRY_ELAPSED_MS_MAX = 60 * 60_000;
const BACKOFF_MS_BASE = 1_000;
const BACKOFF_MS_MAX = 8_000;

export type Verdict =
  | { readonly outcome: "defer"; readonly dueAt: Date }
  | { readonly outcome: "reject" }
  | { readonly outcome: "give_up"; readonly code: FailureCode };

export interface FailedAttempt {
  readonly code: FailureCode;
  /** The number of the attempt that failed, from 1. */
  readonly attempt: number;
  readonly attemptsMax: number;
  /** How many attempts have failed in the stage that this one failed in, this one included; 0 where it failed outside of any. */
  readonly stageFailures: number;
  readonly acceptedAt: Date;
  readonly finishBy: Date;
  readonly now: Date;
  /** Uniform in [0, 1). */
  readonly random: number;
}

/**
 * Decides what follows a failed attempt: reject (permanent), defer to an instant, or give up. Attempts, failures of one stage, elapsed
 * time and the absolute deadline each bound it, and none of them ever moves. [C126,C129,C130,C160,C181]
 */
export function afterFailure(failed: FailedAttempt): Verdict {
  const policy = policyOf(failed.code);
  if (failed.code === "deadline_passed") return { outcome: "give_up", code: failed.code };
  if (policy.disposition === "permanent") return { outcome: "reject" };
  const attemptsMax = Math.min(failed.attemptsMax, policy.attemptsMax ?? failed.attemptsMax);
  if (failed.attempt >= attemptsMax) return { outcome: "give_up", code: failed.code };
  if (failed.stageFailures >= STAGE_ATTEMPTS_MAX) return { outcome: "give_up", code: failed.code };
  const dueAt = new Date(failed.now.getTime() + backoffMs(failed.attempt, failed.random));
  const lastStart = Math.min(failed.finishBy.getTime(), failed.acceptedAt.getTime() + RETRY_ELAPSED_MS_MAX);
  if (dueAt.getTime() >= lastStart) return { outcome: "give_up", code: failed.code };
  return { outcome: "defer", dueAt };
}

/** Returns the wait after failed attempt `attempt`: min(2^(n-1), 8) s, jittered uniformly over [w/2, w]. [C128,C161,C162,C196] */
export function backoffMs(attempt: number, random: number): number {
  const full = Math.min(BACKOFF_MS_BASE * 2 ** (attempt - 1), BACKOFF_MS_MAX);
  return Math.round(full * (0.5 + random * 0.5));
}
