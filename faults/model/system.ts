import type { FailureCode } from "@/server/domain/failure";
import type { JobState } from "@/server/domain/job";

/** Jobs of one tenant that may be under way; few, so that sequences reach the limit. */
export const OUTSTANDING_MAX = 4;
/** How long an abandoned directory is left alone. */
export const SWEEP_AGE_MS = 15 * 60_000;
/** The days from the start of a sequence to the day that content `n` is needed by, and the hour of it. */
export const neededOnDay = (content: number) => 36 + content;
export const NEEDED_AT_HOUR = 9;
/** Every attempt that fails here fails in the same stage; one that was lost, or begun too late, in none. */
export const stageOf = (code: "completed" | FailureCode) =>
  code === "lease_lost" || code === "deadline_passed" ? null : ("render" as const);
export const INPUT_DAYS = 30;
export const RETENTION_YEARS = 7;

/** A job as far as the model knows of it. Instants are milliseconds. */
export interface SeenJob {
  readonly id: string;
  readonly state: JobState;
  readonly attempt: number;
  readonly dueAt: number;
  readonly leaseUntil: number | null;
  readonly finishBy: number;
  readonly eraseBy: number;
  readonly hasInput: boolean;
  /** Archive records that name the job, and whether each of their bytes is there with the digest on record. */
  readonly artifacts: number;
  readonly isWhole: boolean;
  readonly isDisposed: boolean;
}

export interface Seen {
  readonly jobs: readonly SeenJob[];
  /** Directories by `job#attempt`. */
  readonly directories: readonly string[];
}

/** What came of asking for something: the answer, or the code that it was refused with. */
export type Answer<Value> = { readonly ok: Value } | { readonly refused: FailureCode };

/** What an attempt found when it had claimed its job. */
export interface Claimed {
  readonly attempt: number;
  /** Published before, or just now because the bytes had been committed: only to be settled. */
  readonly state: "running" | "published";
}

/**
 * Bindery as the model sees it: the acts of web, worker, operator and sweeper, one at a time. The attempts that were ever claimed stay
 * able to act, whatever has become of them since: each is a zombie that may wake up.
 */
export interface System {
  /** True where artifacts are disposed of after their years. */
  readonly disposes: boolean;
  now(): number;
  tick(ms: number): void;
  submit(key: number, content: number): Promise<Answer<{ readonly job: string; readonly replayed: boolean }>>;
  cancel(job: string): Promise<boolean>;
  redrive(job: string): Promise<Answer<string>>;
  claim(job: string): Promise<Claimed | null>;
  renew(job: string, attempt: number): Promise<boolean>;
  /** Commits the bytes and records them. `diesAfterCommit`: the bytes are there, and nothing says so. */
  publish(job: string, attempt: number, fate: "lives" | "diesAfterCommit"): Promise<boolean>;
  /** Commits other bytes than those that are there, as an attempt would that made something else. */
  commitOther(job: string, attempt: number): Promise<Answer<"committed">>;
  /** Settles and removes the attempt's directory; null where another has taken over. */
  settle(job: string, attempt: number, outcome: "completed" | FailureCode): Promise<JobState | null>;
  sweep(): Promise<void>;
  eraseExpired(): Promise<void>;
  dispose(): Promise<void>;
  download(job: string): Promise<Answer<"served">>;
  look(): Promise<Seen>;
}
