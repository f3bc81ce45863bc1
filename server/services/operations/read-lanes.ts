import { countLanes, countOutcomes, countOverdue, listWorkerInstances } from "@/server/db/operations";
import type { PersonActor } from "@/server/domain/access";
import { PacketFailure } from "@/server/domain/failure";
import { LANES, type LaneName } from "@/server/domain/lane";
import type { Context } from "../context";

export interface LaneView {
  readonly lane: LaneName;
  readonly oldestReadyMs: number;
  /** The lane's objective: nothing new is admitted past this age. */
  readonly ageMsMax: number;
  readonly ready: number;
  readonly running: number;
  readonly retryWait: number;
  /** Jobs of the lane that the workers now seen can make at once. */
  readonly concurrency: number;
  /** Slots that nothing uses at the moment: what it costs to keep them. [C51] */
  readonly idle: number;
}

export interface OperationsView {
  readonly at: Date;
  readonly lanes: readonly LaneView[];
  readonly workers: readonly {
    readonly workerId: string;
    readonly startedAt: Date;
    readonly lastSeenAt: Date;
    readonly rendererBuild: string;
    readonly rssBytes: number;
    readonly workspaceBytes: number;
    readonly running: number;
  }[];
  /** How jobs ended in the last 24 hours. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Inputs past their deletion deadline. */
  readonly overdue: number;
}

const WORKER_SILENCE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Returns what an operator needs first: how long work waits, per lane. Ids, counts and codes only. [C377,C378,C406,C423] */
export async function readLanes(context: Context, actor: PersonActor): Promise<OperationsView> {
  if (!actor.isOperator) throw new PacketFailure("not_found");
  const now = context.clock.now();
  return context.db.transact(actor, async (tx) => {
    const counts = new Map((await countLanes(tx, now)).map((row) => [row.lane, row]));
    const workers = await listWorkerInstances(tx, new Date(now.getTime() - WORKER_SILENCE_MS));
    const outcomes = await countOutcomes(tx, new Date(now.getTime() - DAY_MS));
    return {
      at: now,
      lanes: LANES.map((lane) => {
        const count = counts.get(lane);
        const oldest = count?.oldestReadyAt ?? null;
        const concurrency = context.lanes[lane].concurrency * workers.length;
        return {
          lane,
          oldestReadyMs: oldest === null ? 0 : Math.max(0, now.getTime() - oldest.getTime()),
          ageMsMax: context.lanes[lane].ageMsMax,
          ready: count?.ready ?? 0,
          running: count?.running ?? 0,
          retryWait: count?.retryWait ?? 0,
          concurrency,
          idle: Math.max(0, concurrency - (count?.running ?? 0)),
        };
      }),
      workers: workers.map((worker) => ({
        workerId: worker.id,
        startedAt: worker.startedAt,
        lastSeenAt: worker.lastSeenAt,
        rendererBuild: worker.rendererBuild,
        rssBytes: Number(worker.rssBytes),
        workspaceBytes: Number(worker.workspaceBytes),
        running: worker.running,
      })),
      outcomes: Object.fromEntries(outcomes.map((row) => [row.state, row._count])),
      overdue: await countOverdue(tx, now),
    };
  });
}
