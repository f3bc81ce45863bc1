import type { JobState } from "@/server/domain/job";
import { BrokenInvariant, checkInvariants } from "./invariants";
import type { Seen, System } from "./system";

/** A job as the model remembers it: what was done to it, and nothing of how. */
export interface ModelJob {
  readonly id: string;
  readonly content: number;
  readonly acceptedAt: number;
  readonly finishBy: number;
  readonly eraseBy: number;
  /** Jobs that share an input lose it together. */
  readonly input: { isThere: boolean };
  state: JobState;
  attempt: number;
  /** Attempts that failed in the one stage that fails here. */
  failures: number;
  dueAt: number;
  leaseUntil: number | null;
  isPublishing: boolean;
  isVerified: boolean;
  isFollowed: boolean;
  retainUntil: number | null;
  isDisposed: boolean;
}

/** A worker's attempt that still runs somewhere, whether or not anybody knows: it may act at any time. */
export interface ModelAttempt {
  readonly job: ModelJob;
  readonly number: number;
  /** What it believes. */
  state: "running" | "published";
}

export interface Model {
  readonly start: number;
  readonly disposes: boolean;
  readonly jobs: ModelJob[];
  readonly keys: Map<number, { readonly content: number; job: ModelJob }>;
  readonly attempts: ModelAttempt[];
  /** Contents whose bytes are in the archive. */
  readonly committed: Set<number>;
  readonly directories: Map<string, { readonly job: ModelJob; readonly attempt: number; readonly touchedAt: number }>;
  seen: Seen;
}

/** A model of nothing having happened yet. */
export function newModel(system: System): Model {
  return {
    start: system.now(),
    disposes: system.disposes,
    jobs: [],
    keys: new Map(),
    attempts: [],
    committed: new Set(),
    directories: new Map(),
    seen: { jobs: [], directories: [] },
  };
}

const ALIVE: readonly JobState[] = ["queued", "running", "retry_wait", "published"];
const WITHOUT_RESULT: readonly JobState[] = ["dead_letter", "cancelled", "validation_failed"];

export const isAlive = (job: ModelJob) => ALIVE.includes(job.state);

/** The job that stands for this content: under way or done. */
export function standingFor(model: Model, content: number): ModelJob | undefined {
  return model.jobs.find((job) => job.content === content && !WITHOUT_RESULT.includes(job.state));
}

/** True where this attempt is the one that the job goes by. */
export function holds({ job, number }: ModelAttempt, states: readonly JobState[]): boolean {
  return job.attempt === number && states.includes(job.state);
}

/** Throws where the system does not look as the model says, or where it broke what must always hold. */
export async function compare(model: Model, system: System): Promise<void> {
  const seen = await system.look();
  const contents = new Map(model.jobs.map((job) => [job.id, job.content]));
  checkInvariants(model.seen, seen, (job) => contents.get(job) ?? -1);
  model.seen = seen;
  const expected = model.jobs.map((job) => ({
    id: job.id,
    state: job.state,
    attempt: job.attempt,
    dueAt: job.dueAt,
    leaseUntil: job.leaseUntil,
    finishBy: job.finishBy,
    eraseBy: job.eraseBy,
    hasInput: job.input.isThere,
    artifacts: job.retainUntil === null ? 0 : 1,
    isWhole: true,
    isDisposed: job.isDisposed,
  }));
  const byId = <Job extends { readonly id: string }>(jobs: readonly Job[]) =>
    [...jobs].sort((left, right) => (left.id < right.id ? -1 : 1));
  mustEqual(byId(seen.jobs), byId(expected));
  mustEqual([...seen.directories], [...model.directories.keys()].sort());
}

/** Throws where an answer is not the one that the model gives. */
export function mustEqual(given: unknown, expected: unknown): void {
  if (JSON.stringify(given) === JSON.stringify(expected)) return;
  throw new BrokenInvariant("unexpected", `${JSON.stringify(given)} instead of ${JSON.stringify(expected)}`);
}
