/** Where a job is. `queued` to `published` are alive; the other four are terminal. [C185] */
export const JOB_STATES = [
  "queued",
  "running",
  "retry_wait",
  "published",
  "completed",
  "validation_failed",
  "dead_letter",
  "cancelled",
] as const;
export type JobState = (typeof JOB_STATES)[number];
export type JobEvent = "claim" | "publish" | "defer" | "reject" | "give_up" | "cancel" | "complete";
export type PublicState = "queued" | "running" | "succeeded" | "failed";

/** The life of a job. Terminal states stay terminal: a redrive opens a new job. */
const TRANSITIONS = {
  queued: { claim: "running", give_up: "dead_letter", cancel: "cancelled" },
  // A claim while running means that the lease was lost and a new attempt begins.
  running: {
    claim: "running",
    publish: "published",
    defer: "retry_wait",
    reject: "validation_failed",
    give_up: "dead_letter",
    cancel: "cancelled",
  },
  retry_wait: { claim: "running", give_up: "dead_letter", cancel: "cancelled" },
  // Nothing can undo a commit: a new attempt may claim it, for settling only.
  published: { claim: "published", complete: "completed" },
  completed: {},
  validation_failed: {},
  dead_letter: {},
  cancelled: {},
} as const satisfies Record<JobState, Partial<Record<JobEvent, JobState>>>;

/** Returns the state that `event` leads to, or null where the event is not allowed. */
export function nextState(from: JobState, event: JobEvent): JobState | null {
  const allowed: Partial<Record<JobEvent, JobState>> = TRANSITIONS[from];
  return allowed[event] ?? null;
}

/** True where no event leads on. */
export function isTerminal(state: JobState): boolean {
  return Object.keys(TRANSITIONS[state]).length === 0;
}

/** What a client may see. Stages, attempts and dead letters are operators' words. [C329,C330] */
export const PUBLIC_STATE = {
  queued: "queued",
  running: "running",
  retry_wait: "queued",
  published: "running",
  completed: "succeeded",
  validation_failed: "failed",
  dead_letter: "failed",
  cancelled: "failed",
} as const satisfies Record<JobState, PublicState>;

/** The stages of every attempt, in running order, whatever the kind. [C239] */
export const STAGE_NAMES = [
  "accept",
  "validate",
  "fetch",
  "render",
  "watermark",
  "assemble",
  "verify",
  "publish",
  "erase",
] as const;
export type StageName = (typeof STAGE_NAMES)[number];

export const FIDELITIES = ["preview", "archival"] as const;
/** A preview is reduced and short-lived; it is never the record. [C4,C47] */
export type Fidelity = (typeof FIDELITIES)[number];
