import { isTerminal, type JobState } from "@/server/domain/job";
import type { Zero } from "../zeros";
import type { Seen, SeenJob } from "./system";

/** What must hold whatever was done, between one look and the next. */
export class BrokenInvariant extends Error {
  override readonly name = "BrokenInvariant";
  constructor(
    readonly zero: Zero,
    readonly what: string,
  ) {
    super(`${zero}: ${what}`);
  }
}

const WITHOUT_RESULT: readonly JobState[] = ["dead_letter", "cancelled", "validation_failed"];

/** Throws a BrokenInvariant where `seen` cannot follow `before`, whatever happened in between. `contentOf` says what a job is about. */
export function checkInvariants(before: Seen, seen: Seen, contentOf: (job: string) => number): void {
  const standing = new Set<number>();
  for (const job of seen.jobs) {
    if (job.artifacts > 1) throw new BrokenInvariant("duplicated", `${job.artifacts} artifacts of ${job.id}`);
    if (!job.isWhole) throw new BrokenInvariant("corrupt", job.id);
    const isDone = job.state === "published" || job.state === "completed";
    if (isDone !== (job.artifacts === 1)) throw new BrokenInvariant("lost", `${job.id} is ${job.state}`);
    if (WITHOUT_RESULT.includes(job.state)) continue;
    const content = contentOf(job.id);
    if (standing.has(content)) throw new BrokenInvariant("duplicated", `a second job beside ${job.id}`);
    standing.add(content);
  }
  for (const earlier of before.jobs) {
    const job = seen.jobs.find(({ id }) => id === earlier.id);
    if (job === undefined) throw new BrokenInvariant("lost", earlier.id);
    checkStep(earlier, job);
  }
}

function checkStep(before: SeenJob, job: SeenJob): void {
  if (isTerminal(before.state) && job.state !== before.state) {
    throw new BrokenInvariant("unexpected", `${job.id} went from ${before.state} to ${job.state}`);
  }
  if (job.attempt < before.attempt || job.attempt > before.attempt + 1) {
    throw new BrokenInvariant("unexpected", `attempt ${job.attempt} of ${job.id} follows ${before.attempt}`);
  }
  if (job.finishBy !== before.finishBy || job.eraseBy !== before.eraseBy) {
    throw new BrokenInvariant("clockExtended", job.id);
  }
  if (job.hasInput && !before.hasInput) throw new BrokenInvariant("overdue", `the input of ${job.id} is back`);
}
