import fc from "fast-check";
import { LANE } from "@/server/domain/lane";
import { isAlive, type Model, type ModelJob, mustEqual, standingFor } from "./model";
import { type AnyStep, fromNewest, step } from "./step";
import { type Answer, NEEDED_AT_HOUR, neededOnDay, OUTSTANDING_MAX, type System } from "./system";

const DAY_MS = 86_400_000;

/** Submit under a key, cancel, redrive, download. */
export const submitCommands: [AnyStep, ...AnyStep[]] = [
  fc
    .record({ key: fc.nat(3), content: fc.nat(2) })
    .map(({ key, content }) =>
      step(`submit(${key}, ${content})`, (model, system) => submit(model, system, key, content)),
    ),
  fc.nat(3).map((back) =>
    step(
      `cancel(${back})`,
      async (model, system) => {
        const job = fromNewest(model.jobs, back);
        const mayCancel =
          ["queued", "retry_wait"].includes(job.state) || (job.state === "running" && !job.isPublishing);
        mustEqual(await system.cancel(job.id), mayCancel);
        if (mayCancel) Object.assign(job, { state: "cancelled", leaseUntil: null });
      },
      hasJobs,
    ),
  ),
  fc
    .nat(3)
    .map((back) =>
      step(`redrive(${back})`, (model, system) => redrive(model, system, fromNewest(model.jobs, back)), hasJobs),
    ),
  fc.nat(3).map((back) =>
    step(
      `download(${back})`,
      async (model, system) => {
        const job = fromNewest(model.jobs, back);
        // From the end of its retention on nobody is given it, whether or not it was removed already.
        const isOver = job.retainUntil !== null && job.retainUntil <= system.now();
        const refused = isOver ? "artifact_disposed" : "not_found";
        mustEqual(await system.download(job.id), job.retainUntil === null || isOver ? { refused } : { ok: "served" });
      },
      hasJobs,
    ),
  ),
];

function hasJobs({ jobs }: Model): boolean {
  return jobs.length > 0;
}

async function submit(model: Model, system: System, key: number, content: number): Promise<void> {
  const expected = expectedOf(model, system.now(), key, content);
  const answer = await system.submit(key, content);
  if ("refused" in expected) return mustEqual(answer, expected);
  if (expected.ok !== "new") {
    mustEqual(answer, { ok: { job: expected.ok.id, replayed: true } });
    model.keys.set(key, { content, job: expected.ok });
    return;
  }
  if (!("ok" in answer) || answer.ok.replayed) return mustEqual(answer, "a new job");
  const ended = model.keys.get(key)?.job;
  const job = await opened(model, system, answer.ok.job, content, { isThere: true });
  if (ended !== undefined) follow(model, ended, job);
  model.keys.set(key, { content, job });
}

/** What a submission must lead to: a refusal, the job that stands for it, or a new one. [C13] */
function expectedOf(model: Model, now: number, key: number, content: number): Answer<ModelJob | "new"> {
  const firstDay = model.start - (model.start % DAY_MS);
  const neededDay = firstDay + neededOnDay(content) * DAY_MS;
  const bound = model.keys.get(key);
  if (bound !== undefined && bound.content !== content) return { refused: "idempotency_conflict" };
  if (bound !== undefined && !["cancelled", "dead_letter"].includes(bound.job.state)) return { ok: bound.job };
  const standing = standingFor(model, content);
  if (standing !== undefined) return { ok: standing };
  // What stands already is not looked at again; what is new must still fit the rules of its day.
  if (now >= neededDay + DAY_MS) return { refused: "payload_invalid" };
  if (now >= neededDay + NEEDED_AT_HOUR * 3_600_000) return { refused: "finish_by_passed" };
  return admission(model, now) ?? { ok: "new" };
}

function admission({ jobs }: Model, now: number): { readonly refused: "too_many_outstanding" | "lane_closed" } | null {
  if (jobs.filter(isAlive).length >= OUTSTANDING_MAX) return { refused: "too_many_outstanding" };
  const waits = jobs.filter(({ state, dueAt }) => ["queued", "retry_wait"].includes(state) && dueAt <= now);
  return waits.some(({ dueAt }) => now - dueAt > LANE.archive.ageMsMax) ? { refused: "lane_closed" } : null;
}

async function redrive(model: Model, system: System, dead: ModelJob): Promise<void> {
  const now = system.now();
  const answer = await system.redrive(dead.id);
  const isWaiting = dead.state === "dead_letter" && !dead.isFollowed && standingFor(model, dead.content) === undefined;
  if (!isWaiting) return mustEqual(answer, { refused: "not_dead_letter" });
  if (!dead.input.isThere || dead.eraseBy <= now) return mustEqual(answer, { refused: "source_missing" });
  const refused = admission(model, now);
  if (refused !== null) return mustEqual(answer, refused);
  if (!("ok" in answer)) return mustEqual(answer, "a new job");
  const job = await opened(model, system, answer.ok, dead.content, dead.input);
  mustEqual(job.eraseBy, dead.eraseBy);
  follow(model, dead, job);
}

/** Every key that stood for a job without a result stands for the one that follows it. */
function follow(model: Model, ended: ModelJob, job: ModelJob): void {
  ended.isFollowed = true;
  for (const [key, bound] of model.keys) if (bound.job === ended) model.keys.set(key, { ...bound, job });
}

/** Takes a new job into the model. Its deadlines are whatever it was accepted with; from here on they must not move. */
async function opened(
  model: Model,
  system: System,
  id: string,
  content: number,
  input: ModelJob["input"],
): Promise<ModelJob> {
  const now = system.now();
  const seen = (await system.look()).jobs.find((job) => job.id === id);
  if (seen === undefined || seen.finishBy <= now || seen.eraseBy <= now) {
    mustEqual(seen, "a job with deadlines to come");
  }
  const job: ModelJob = {
    id,
    content,
    acceptedAt: now,
    finishBy: seen?.finishBy ?? 0,
    eraseBy: seen?.eraseBy ?? 0,
    input,
    state: "queued",
    attempt: 0,
    dueAt: now,
    leaseUntil: null,
    isPublishing: false,
    isVerified: false,
    failures: 0,
    isFollowed: false,
    retainUntil: null,
    isDisposed: false,
  };
  model.jobs.push(job);
  return job;
}
