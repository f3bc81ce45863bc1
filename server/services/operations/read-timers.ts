import {
  countFidelities,
  countRejected,
  countRetries,
  listFlow,
  oldestBackoffSince,
  readDeletionLag,
  readTimerRows,
} from "@/server/db/timers";
import type { PersonActor } from "@/server/domain/access";
import { PacketFailure } from "@/server/domain/failure";
import { LANES, type LaneName } from "@/server/domain/lane";
import type { Context } from "../context";
import { type FlowPoint, flowOf } from "./flow";

/**
 * What is timed, each for itself and never merged into one latency. `validation_duration` is the check of the input and the check of the
 * finished file of one attempt together; `archive_commit_duration` is the stage that commits to the archive. [C372,C403]
 */
export const TIMERS = [
  "enqueue_to_start",
  "fetch_duration",
  "validation_duration",
  "render_duration",
  "archive_commit_duration",
] as const;
export type TimerName = (typeof TIMERS)[number];

export const WINDOWS = ["hour", "day"] as const;
export type WindowName = (typeof WINDOWS)[number];
const WINDOW_MS: Record<WindowName, number> = { hour: 3_600_000, day: 86_400_000 };

export interface TimerView {
  readonly timer: TimerName;
  readonly count: number;
  /** In milliseconds; null where nothing was measured. */
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

export interface Coded {
  readonly code: string;
  readonly count: number;
}

export interface TimersView {
  readonly window: WindowName;
  readonly at: Date;
  readonly lanes: readonly { readonly lane: LaneName; readonly timers: readonly TimerView[] }[];
  /** How many jobs waited, were worked on and had ended since it began, at even steps. */
  readonly flow: readonly FlowPoint[];
  /** Attempts that had to be followed by another, by why. */
  readonly retries: readonly Coded[];
  /** Since when the job that has waited longest for its next attempt waits, in milliseconds; 0 where none does. */
  readonly oldestBackoffMs: number;
  /** Jobs refused for good, by why. */
  readonly rejected: readonly Coded[];
  readonly fidelities: Readonly<Record<string, number>>;
  /** What maintenance removed, and how late the latest of it was. */
  readonly deletions: readonly {
    readonly task: string;
    readonly lastAt: Date;
    readonly done: number;
    readonly failed: number;
    readonly lagMsMax: number;
  }[];
}

const FLOW_STEPS = 60;
/** A day with more jobs is shown by its newest. */
const FLOW_JOBS_MAX = 50_000;

/** Returns how long each phase takes by lane, and what is tried again or refused, over the last hour or day. [C372,C390,C404,C405] */
export async function readTimers(context: Context, actor: PersonActor, window: WindowName): Promise<TimersView> {
  if (!actor.isOperator) throw new PacketFailure("not_found");
  const at = context.clock.now();
  const since = new Date(at.getTime() - WINDOW_MS[window]);
  return context.db.transact(actor, async (tx) => {
    const rows = await readTimerRows(tx, since);
    const backoffSince = await oldestBackoffSince(tx);
    return {
      window,
      at,
      lanes: LANES.map((lane) => ({
        lane,
        timers: TIMERS.map((timer): TimerView => {
          const row = rows.find((found) => found.lane === lane && found.timer === timer);
          if (row === undefined) return { timer, count: 0, p50: null, p95: null, p99: null };
          return { timer, count: row.count, p50: row.p50, p95: row.p95, p99: row.p99 };
        }),
      })),
      flow: flowOf(await listFlow(tx, since, FLOW_JOBS_MAX), stepsBetween(since, at)),
      retries: await countRetries(tx, since),
      oldestBackoffMs: backoffSince === null ? 0 : Math.max(0, at.getTime() - backoffSince.getTime()),
      rejected: await countRejected(tx, since),
      fidelities: Object.fromEntries((await countFidelities(tx, since)).map((row) => [row.fidelity, row.count])),
      deletions: await readDeletionLag(tx, since),
    };
  });
}

function stepsBetween(from: Date, to: Date): Date[] {
  const step = (to.getTime() - from.getTime()) / FLOW_STEPS;
  return Array.from({ length: FLOW_STEPS + 1 }, (_, index) => new Date(Math.round(from.getTime() + index * step)));
}
