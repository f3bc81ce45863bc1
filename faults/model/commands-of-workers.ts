import fc from "fast-check";
import type { FailureCode } from "@/server/domain/failure";
import { LANE } from "@/server/domain/lane";
import { BrokenInvariant } from "./invariants";
import { holds, type Model, type ModelAttempt, type ModelJob, mustEqual } from "./model";
import { type AnyStep, fromNewest, step } from "./step";
import { RETENTION_YEARS, type System } from "./system";

const { leaseMs } = LANE.archive;

/** Failures that an attempt may meet: one for good, one that may pass, and two with few attempts of their own. */
const ATTEMPTS_MAX = { acceptance_failed: 0, renderer_lost: 5, render_deadline: 2, internal: 3 } as const;
type Met = keyof typeof ATTEMPTS_MAX;
const CODES: readonly Met[] = ["acceptance_failed", "renderer_lost", "render_deadline", "internal"];
const JOB_ATTEMPTS_MAX = 5;
const STAGE_ATTEMPTS_MAX = 4;

/** Claim, renew, publish, die, settle: by whichever attempt still runs somewhere, the right one or a zombie. */
export const workerCommands: [AnyStep, ...AnyStep[]] = [
  fc.nat(3).map((back) =>
    step(
      `claim(${back})`,
      (model, system) => claim(model, system, fromNewest(model.jobs, back)),
      ({ jobs }) => jobs.length > 0,
    ),
  ),
  byAttempt("renew", async (_, system, attempt) => {
    const isHeld = holds(attempt, ["running", "published"]);
    mustEqual(await system.renew(attempt.job.id, attempt.number), isHeld);
    if (isHeld) attempt.job.leaseUntil = system.now() + leaseMs;
  }),
  byAttempt("publish", (model, system, attempt) => publish(model, system, attempt, "lives"), isRunning),
  byAttempt(
    "dieAfterCommit",
    (model, system, attempt) => publish(model, system, attempt, "diesAfterCommit"),
    isRunning,
  ),
  byAttempt("die", async (model, _, attempt) => ended(model, attempt)),
  byAttempt("complete", settleCompleted, ({ state }) => state === "published"),
  fc.record({ back: fc.nat(4), code: fc.constantFrom(...CODES) }).map(({ back, code }) =>
    step(
      `fail(${back}, ${code})`,
      (model, system) => fail(model, system, fromNewest(model.attempts.filter(isRunning), back), code),
      ({ attempts }) => attempts.some(isRunning),
    ),
  ),
  byAttempt(
    "commitOther",
    async (_, system, { job, number }) => {
      // What is there is never replaced, whoever asks: the same key means the same bytes.
      mustEqual(await system.commitOther(job.id, number), { refused: "artifact_conflict" });
    },
    () => true,
    (model, { job }) => model.committed.has(job.content),
  ),
];

function byAttempt(
  name: string,
  act: (model: Model, system: System, attempt: ModelAttempt) => Promise<void>,
  mayAct: (attempt: ModelAttempt) => boolean = () => true,
  isPossible: (model: Model, attempt: ModelAttempt) => boolean = () => true,
) {
  const candidates = (model: Model) =>
    model.attempts.filter((attempt) => mayAct(attempt) && isPossible(model, attempt));
  return fc.nat(4).map((back) =>
    step(
      `${name}(${back})`,
      (model, system) => act(model, system, fromNewest(candidates(model), back)),
      (model) => candidates(model).length > 0,
    ),
  );
}

function isRunning({ state }: ModelAttempt): boolean {
  return state === "running";
}

async function claim(model: Model, system: System, job: ModelJob): Promise<void> {
  const now = system.now();
  const isDue = ["queued", "retry_wait", "running", "published"].includes(job.state) && job.dueAt <= now;
  const mayClaim = isDue && (job.leaseUntil === null || job.leaseUntil < now);
  const claimed = await system.claim(job.id);
  if (!mayClaim) return mustEqual(claimed, null);
  job.attempt += 1;
  job.leaseUntil = now + leaseMs;
  job.isPublishing = false;
  if (job.state !== "published") job.state = "running";
  // Whatever earlier attempts left is removed, but for what is only just there.
  for (const [name, { job: other, touchedAt }] of model.directories) {
    if (other === job && touchedAt < now) model.directories.delete(name);
  }
  if (job.state === "running" && job.isVerified && model.committed.has(job.content)) published(job, now);
  mustEqual(claimed, { attempt: job.attempt, state: job.state });
  const attempt: ModelAttempt = {
    job,
    number: job.attempt,
    state: job.state === "published" ? "published" : "running",
  };
  model.attempts.push(attempt);
  if (attempt.state === "published") return;
  model.directories.set(nameOf(attempt), { job, attempt: job.attempt, touchedAt: now });
  if (job.attempt > JOB_ATTEMPTS_MAX) await fail(model, system, attempt, "lease_lost");
  else if (job.finishBy <= now) await fail(model, system, attempt, "deadline_passed");
}

async function publish(
  model: Model,
  system: System,
  attempt: ModelAttempt,
  fate: "lives" | "diesAfterCommit",
): Promise<void> {
  const { job, number } = attempt;
  const now = system.now();
  const isHeld = holds(attempt, ["running"]);
  mustEqual(await system.publish(job.id, number, fate), isHeld);
  if (fate === "diesAfterCommit") ended(model, attempt);
  if (!isHeld) return;
  job.leaseUntil = now + leaseMs;
  job.isPublishing = true;
  job.isVerified = true;
  model.committed.add(job.content);
  if (fate === "diesAfterCommit") return;
  published(job, now);
  attempt.state = "published";
}

function published(job: ModelJob, now: number): void {
  const end = new Date(now);
  end.setUTCFullYear(end.getUTCFullYear() + RETENTION_YEARS);
  job.state = "published";
  job.retainUntil = end.getTime();
}

async function settleCompleted(model: Model, system: System, attempt: ModelAttempt): Promise<void> {
  const { job, number } = attempt;
  const isHeld = holds(attempt, ["published"]);
  mustEqual(await system.settle(job.id, number, "completed"), isHeld ? "completed" : null);
  if (isHeld) Object.assign(job, { state: "completed", leaseUntil: null });
  left(model, attempt);
}

async function fail(
  model: Model,
  system: System,
  attempt: ModelAttempt,
  code: Met | "lease_lost" | "deadline_passed",
): Promise<void> {
  const { job, number } = attempt;
  const isHeld = holds(attempt, ["running"]);
  const state = await system.settle(job.id, number, code satisfies FailureCode);
  left(model, attempt);
  if (!isHeld) return mustEqual(state, null);
  if (code !== "lease_lost" && code !== "deadline_passed") job.failures += 1;
  const wait = Math.min(1_000 * 2 ** (number - 1), 8_000);
  const lastStart = Math.min(job.finishBy, job.acceptedAt + 3_600_000);
  const isLate = system.now() + wait >= lastStart;
  const most = code === "lease_lost" || code === "deadline_passed" ? 0 : ATTEMPTS_MAX[code];
  if (code === "acceptance_failed") mustEqual(state, "validation_failed");
  else if (number >= most || job.failures >= STAGE_ATTEMPTS_MAX) mustEqual(state, "dead_letter");
  else if (state !== "retry_wait" && !isLate) mustEqual(state, "retry_wait");
  if (state === null) throw new BrokenInvariant("lost", `a failure of ${job.id}`);
  job.leaseUntil = null;
  job.state = state;
  if (state === "retry_wait") job.dueAt = await deferredTo(system, job, { wait, lastStart });
}

/** The next attempt is due within the jittered wait, and before it would be too late. */
async function deferredTo(
  system: System,
  { id }: ModelJob,
  { wait, lastStart }: { readonly wait: number; readonly lastStart: number },
): Promise<number> {
  const dueAt = (await system.look()).jobs.find((job) => job.id === id)?.dueAt ?? 0;
  const now = system.now();
  if (dueAt < now + wait / 2 || dueAt > now + wait || dueAt >= lastStart) mustEqual(dueAt, { from: now, wait });
  return dueAt;
}

/** The attempt is over, and cleared up after itself. */
function left(model: Model, attempt: ModelAttempt): void {
  model.directories.delete(nameOf(attempt));
  ended(model, attempt);
}

/** Nothing of this attempt acts any more; its directory may be left. */
function ended({ attempts }: Model, attempt: ModelAttempt): void {
  attempts.splice(attempts.indexOf(attempt), 1);
}

function nameOf({ job, number }: ModelAttempt): string {
  return `${job.id}#${number}`;
}
