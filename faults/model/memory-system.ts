import { randomBytes } from "node:crypto";
import { admit } from "@/server/domain/admission";
import { redriveDeadline } from "@/server/domain/dead-letter";
import { type FailureCode, PacketFailure } from "@/server/domain/failure";
import { isTerminal, type JobEvent, type JobState, nextState } from "@/server/domain/job";
import { LANE } from "@/server/domain/lane";
import { eraseBy, retainUntil } from "@/server/domain/retention";
import { ATTEMPTS_MAX, afterFailure } from "@/server/domain/retry-policy";
import { sweepVerdict } from "@/server/domain/workspace";
import {
  type Answer,
  INPUT_DAYS,
  NEEDED_AT_HOUR,
  neededOnDay,
  OUTSTANDING_MAX,
  RETENTION_YEARS,
  type SeenJob,
  SWEEP_AGE_MS,
  type System,
  stageOf,
} from "./system";

const DAY_MS = 86_400_000;
const LANE_NAME = "archive";
const WITHOUT_RESULT: readonly JobState[] = ["dead_letter", "cancelled", "validation_failed"];

interface Row {
  readonly id: string;
  readonly content: number;
  readonly acceptedAt: Date;
  readonly finishBy: Date;
  readonly eraseBy: Date;
  readonly input: { isThere: boolean };
  readonly redriveOf: Row | null;
  state: JobState;
  attempt: number;
  dueAt: Date;
  leaseUntil: Date | null;
  /** Its bytes are on their way into the archive: too late to cancel. */
  isPublishing: boolean;
  /** Some attempt wrote down what its bytes are before it committed them. */
  isVerified: boolean;
  /** Attempts that failed, all of them in one stage; those that were lost do not count. */
  stageFailures: number;
  artifact: { readonly digest: number; readonly retainUntil: Date; isDisposed: boolean } | null;
}

/** The pure rules of the domain over rows in memory: what decides is theirs, what is remembered is here. */
export function memorySystem(start: Date): System {
  let elapsed = 0;
  const rows = new Map<string, Row>();
  const keys = new Map<number, { readonly content: number; row: Row }>();
  const objects = new Map<number, number>();
  const directories = new Map<string, { readonly row: Row; readonly attempt: number; readonly touchedAt: Date }>();
  const now = () => new Date(start.getTime() + elapsed);
  const rowOf = (job: string): Row => {
    const row = rows.get(job);
    if (row === undefined) throw new RangeError("There is no such job.");
    return row;
  };
  const neededBy = (content: number) =>
    new Date(start.getTime() - (start.getTime() % DAY_MS) + neededOnDay(content) * DAY_MS + NEEDED_AT_HOUR * 3_600_000);
  const lead = (row: Row, event: JobEvent): boolean => {
    const to = nextState(row.state, event);
    if (to !== null) row.state = to;
    return to !== null;
  };
  const holds = (row: Row, attempt: number, states: readonly JobState[]) =>
    row.attempt === attempt && states.includes(row.state);
  const isLive = (row: Row, attempt: number) =>
    holds(row, attempt, ["running", "published"]) && row.leaseUntil !== null && row.leaseUntil >= now();
  const standing = (content: number) =>
    [...rows.values()].find((row) => row.content === content && !WITHOUT_RESULT.includes(row.state));

  function open(
    content: number,
    redriveOf: Row | null,
    deadlines: Pick<Row, "finishBy" | "eraseBy">,
    input: Row["input"],
  ): Answer<Row> {
    const alive = [...rows.values()].filter((row) => !isTerminal(row.state));
    const waiting = alive.filter((row) => ["queued", "retry_wait"].includes(row.state) && row.dueAt <= now());
    const admission = admit({
      lane: LANE[LANE_NAME],
      outstanding: alive.length,
      outstandingMax: OUTSTANDING_MAX,
      hasRoom: true,
      oldestReadyMs: Math.max(0, ...waiting.map((row) => now().getTime() - row.dueAt.getTime())),
    });
    if (!admission.admitted) return { refused: admission.code };
    const row: Row = {
      id: `job_${randomBytes(8).toString("hex")}`,
      content,
      acceptedAt: now(),
      ...deadlines,
      input,
      redriveOf,
      state: "queued",
      attempt: 0,
      dueAt: now(),
      leaseUntil: null,
      isPublishing: false,
      isVerified: false,
      stageFailures: 0,
      artifact: null,
    };
    rows.set(row.id, row);
    return { ok: row };
  }

  function record(row: Row, digest: number): boolean {
    if (!lead(row, "publish")) return false;
    row.artifact = { digest, retainUntil: retainUntil(now(), RETENTION_YEARS), isDisposed: false };
    return true;
  }

  function sweepOlderThan(thresholdMs: number, isHeld: (row: Row, attempt: number) => boolean): void {
    for (const [name, { row, attempt, touchedAt }] of directories) {
      const marker = { jobId: row.id, attempt, eraseBy: row.eraseBy };
      const seen = { name: "0".repeat(32), isDirectory: true, owner: 1, device: 1, mode: 0o700, touchedAt, marker };
      const verdict = sweepVerdict(seen, { now: now(), thresholdMs, owner: 1, device: 1 });
      if (verdict === "abandoned" && !isHeld(row, attempt)) directories.delete(name);
    }
  }

  return {
    disposes: true,
    now: () => now().getTime(),
    tick: (ms) => {
      elapsed += ms;
    },
    submit: async (key, content) => {
      const bound = keys.get(key);
      if (bound !== undefined && bound.content !== content) return { refused: "idempotency_conflict" };
      const mayOpenAgain = bound === undefined || ["cancelled", "dead_letter"].includes(bound.row.state);
      if (!mayOpenAgain) return { ok: { job: bound.row.id, replayed: true } };
      const existing = standing(content);
      if (existing !== undefined) {
        keys.set(key, { content, row: existing });
        return { ok: { job: existing.id, replayed: true } };
      }
      if (now().getTime() >= neededBy(content).getTime() + (24 - NEEDED_AT_HOUR) * 3_600_000) {
        return { refused: "payload_invalid" };
      }
      if (neededBy(content) <= now()) return { refused: "finish_by_passed" };
      const deadlines = { finishBy: neededBy(content), eraseBy: eraseBy(now(), INPUT_DAYS) };
      const opened = open(content, bound?.row ?? null, deadlines, { isThere: true });
      if ("refused" in opened) return opened;
      for (const [other, { row }] of keys) if (row === bound?.row) keys.set(other, { content, row: opened.ok });
      keys.set(key, { content, row: opened.ok });
      return { ok: { job: opened.ok.id, replayed: false } };
    },
    cancel: async (job) => {
      const row = rowOf(job);
      if (row.isPublishing || !lead(row, "cancel")) return false;
      row.leaseUntil = null;
      return true;
    },
    redrive: async (job) => {
      const dead = rowOf(job);
      const isFollowed = [...rows.values()].some((row) => row.redriveOf === dead);
      if (dead.state !== "dead_letter" || isFollowed || standing(dead.content) !== undefined) {
        return { refused: "not_dead_letter" };
      }
      if (!dead.input.isThere || dead.eraseBy <= now()) return { refused: "source_missing" };
      const finishBy = redriveDeadline(neededBy(dead.content), dead.eraseBy, now());
      const opened = open(dead.content, dead, { finishBy, eraseBy: dead.eraseBy }, dead.input);
      if ("refused" in opened) return opened;
      for (const [key, bound] of keys) if (bound.row === dead) keys.set(key, { ...bound, row: opened.ok });
      return { ok: opened.ok.id };
    },
    claim: async (job) => {
      const row = rowOf(job);
      const isHeld = row.leaseUntil !== null && row.leaseUntil >= now();
      if (row.dueAt > now() || isHeld || !lead(row, "claim")) return null;
      row.attempt += 1;
      row.isPublishing = false;
      row.leaseUntil = new Date(now().getTime() + LANE[LANE_NAME].leaseMs);
      const { attempt } = row;
      if (attempt > 1) sweepOlderThan(0, (other, number) => other !== row || number >= attempt);
      const committed = row.isVerified ? objects.get(row.content) : undefined;
      if (row.state === "running" && committed !== undefined) record(row, committed);
      if (row.state === "running") directories.set(`${job}#${attempt}`, { row, attempt, touchedAt: now() });
      return { attempt, state: row.state === "published" ? "published" : "running" };
    },
    renew: async (job, attempt) => {
      const row = rowOf(job);
      if (!holds(row, attempt, ["running", "published"])) return false;
      row.leaseUntil = new Date(now().getTime() + LANE[LANE_NAME].leaseMs);
      return true;
    },
    publish: async (job, attempt, fate) => {
      const row = rowOf(job);
      if (!holds(row, attempt, ["running"])) return false;
      row.leaseUntil = new Date(now().getTime() + LANE[LANE_NAME].leaseMs);
      row.isPublishing = true;
      row.isVerified = true;
      if (!objects.has(row.content)) objects.set(row.content, row.content);
      return fate === "diesAfterCommit" || record(row, row.content);
    },
    commitOther: async (job, _attempt) => {
      const held = objects.get(rowOf(job).content);
      return held === undefined ? { ok: "committed" } : { refused: "artifact_conflict" };
    },
    settle: async (job, attempt, outcome) => {
      const row = rowOf(job);
      directories.delete(`${job}#${attempt}`);
      if (!holds(row, attempt, [outcome === "completed" ? "published" : "running"])) return null;
      settleRow(row, outcome, now());
      return row.state;
    },
    sweep: async () => sweepOlderThan(SWEEP_AGE_MS, isLive),
    eraseExpired: async () => {
      for (const row of rows.values()) if (row.eraseBy <= now()) row.input.isThere = false;
    },
    dispose: async () => {
      for (const { artifact } of rows.values()) {
        if (artifact !== null && artifact.retainUntil <= now()) artifact.isDisposed = true;
      }
    },
    download: async (job) => {
      const { artifact } = rowOf(job);
      if (artifact === null) return { refused: "not_found" };
      return artifact.retainUntil <= now() ? { refused: "artifact_disposed" } : { ok: "served" };
    },
    look: async () => ({
      jobs: [...rows.values()].map((row) => seen(row, objects)),
      directories: [...directories.keys()].sort(),
    }),
  };

  function settleRow(row: Row, outcome: "completed" | FailureCode, at: Date): void {
    row.leaseUntil = null;
    if (outcome === "completed") return void lead(row, "complete");
    const { attempt, acceptedAt, finishBy } = row;
    if (stageOf(outcome) !== null) row.stageFailures += 1;
    const verdict = afterFailure({
      code: outcome,
      attempt,
      attemptsMax: ATTEMPTS_MAX,
      stageFailures: stageOf(outcome) === null ? 0 : row.stageFailures,
      acceptedAt,
      finishBy,
      now: at,
      random: 0.5,
    });
    if (verdict.outcome === "defer") row.dueAt = verdict.dueAt;
    if (!lead(row, verdict.outcome)) throw new PacketFailure("internal", { detail: "a verdict that leads nowhere" });
  }
}

function seen(row: Row, objects: ReadonlyMap<number, number>): SeenJob {
  const { id, state, attempt, artifact } = row;
  return {
    id,
    state,
    attempt,
    dueAt: row.dueAt.getTime(),
    leaseUntil: row.leaseUntil?.getTime() ?? null,
    finishBy: row.finishBy.getTime(),
    eraseBy: row.eraseBy.getTime(),
    hasInput: row.input.isThere,
    artifacts: artifact === null ? 0 : 1,
    isWhole: artifact === null || artifact.isDisposed || objects.get(row.content) === artifact.digest,
    isDisposed: artifact?.isDisposed ?? false,
  };
}
