import { countDeadLetters, type DeadLetter, type DeadLetterFilter, listDeadLetterJobs } from "@/server/db/dead-letters";
import type { PersonActor } from "@/server/domain/access";
import { FAILURES, isFailureCode, PacketFailure } from "@/server/domain/failure";
import type { Context } from "../context";

export interface DeadLetterRow {
  readonly jobId: string;
  readonly tenantId: string;
  readonly kind: string;
  readonly lane: string;
  readonly code: string;
  readonly firstCode: string;
  /** What happened, in a plain sentence. */
  readonly reason: string;
  readonly stage: string | null;
  readonly attempts: number;
  readonly attemptsMax: number;
  readonly firstFailedAt: Date | null;
  readonly acceptedAt: Date;
  readonly diedAt: Date | null;
  readonly ageMs: number | null;
  /** Until when the input is there, and with it the chance to redrive; null where it is gone. */
  readonly inputUntil: Date | null;
  /** Attempts whose private directory is not confirmed to be gone. */
  readonly directoriesLeft: number;
  readonly correlationId: string;
}

export interface DeadLetterList {
  readonly rows: readonly DeadLetterRow[];
  /** How many match the filter. */
  readonly total: number;
  readonly perPage: number;
  /** What a filter can be set to, with how many wait in all. */
  readonly choices: Readonly<Record<"code" | "kind" | "stage" | "tenantId", readonly Counted[]>>;
}

export interface Counted {
  readonly value: string;
  readonly count: number;
}

const PER_PAGE = 50;

/** Returns dead letters with their reasons, newest first. Ids, counts and codes only. [C131,C177,C194,C437] */
export async function listDeadLetters(
  context: Context,
  actor: PersonActor,
  input: DeadLetterFilter & { readonly page: number },
): Promise<DeadLetterList> {
  if (!actor.isOperator) throw new PacketFailure("not_found");
  const { page, ...filter } = input;
  const now = context.clock.now();
  const { jobs, groups } = await context.db.transact(actor, async (tx) => ({
    jobs: await listDeadLetterJobs(tx, filter, { now, offset: (page - 1) * PER_PAGE, most: PER_PAGE }),
    groups: await countDeadLetters(tx),
  }));
  const matches = groups.filter(
    (group) =>
      (filter.code ?? group.code) === group.code &&
      (filter.kind ?? group.kind) === group.kind &&
      (filter.stage ?? group.stage) === group.stage &&
      (filter.tenantId ?? group.tenantId) === group.tenantId,
  );
  return {
    rows: jobs.map((job) => rowOf(job, now)),
    total: matches.reduce((sum, group) => sum + group.count, 0),
    perPage: PER_PAGE,
    choices: {
      code: countedBy(groups, "code"),
      kind: countedBy(groups, "kind"),
      stage: countedBy(groups, "stage"),
      tenantId: countedBy(groups, "tenantId"),
    },
  };
}

function rowOf(job: DeadLetter, now: Date): DeadLetterRow {
  const code = job.failureCode ?? "internal";
  return {
    jobId: job.id,
    tenantId: job.tenantId,
    kind: job.kind,
    lane: job.lane,
    code,
    firstCode: job.firstFailureCode ?? code,
    reason: reasonWords(code),
    stage: job.failureStage,
    attempts: job.attempt,
    attemptsMax: job.attemptsMax,
    firstFailedAt: job.firstFailedAt,
    acceptedAt: job.acceptedAt,
    diedAt: job.settledAt,
    ageMs: job.settledAt === null ? null : Math.max(0, now.getTime() - job.settledAt.getTime()),
    inputUntil: job.hasInput ? job.eraseBy : null,
    directoriesLeft: job.directoriesLeft,
    correlationId: job.correlationId,
  };
}

/** Returns what a code says to operators: what is over is not tried again, whatever it says while there are tries left. [C421] */
export function reasonWords(code: string): string {
  return FAILURES[isFailureCode(code) ? code : "internal"].publicMessage.replace(/ We will try again\.$/, "");
}

type Group = Awaited<ReturnType<typeof countDeadLetters>>[number];

function countedBy(groups: readonly Group[], by: "code" | "kind" | "stage" | "tenantId"): Counted[] {
  const counts = new Map<string, number>();
  for (const group of groups) counts.set(group[by], (counts.get(group[by]) ?? 0) + group.count);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || a.value.localeCompare(b.value));
}
