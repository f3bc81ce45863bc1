import { type CheckpointRow, type Fence, recordProgress } from "@/server/db/attempts";
import type { Database } from "@/server/db/client";
import type { Actor } from "@/server/domain/access";
import { PacketFailure } from "@/server/domain/failure";
import type { StageName } from "@/server/domain/job";
import type { Clock } from "@/server/ports/clock";
import { crashPoint } from "./crash-point";
import type { Pulse } from "./tools";

export const WORKER: Actor = { type: "system", name: "worker" };

/** People watch the stages: one that is still under way this long after the last write is shown. */
const SHOW_STAGE_MS = 400;

export interface Journal {
  readonly pulse: Pulse;
  /** The stage now running, for a failure's phase. [C197] */
  readonly stage: StageName | null;
  /** Throws why the attempt must stop: lease lost, budget used up, worker stopped. */
  begin(stage: StageName): void;
  finish(checkpoint: CheckpointRow): void;
  /** Checkpoints not yet written; they ride on the caller's transaction. */
  takePending(): readonly CheckpointRow[];
  /** Writes what is pending. Throws `lease_lost` where the lease is no longer ours. */
  flush(): Promise<void>;
  /** What is left of the attempt's budget; below 0 once it is used up. */
  msLeft(): number;
  /** Waits for a write that is under way. */
  close(): Promise<void>;
}

export interface JournalOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly fence: Fence;
  readonly leaseMs: number;
  /** The budget of the whole attempt, whatever it has to show. [C270] */
  readonly durationMsMax: number;
  /** Aborted when the worker must stop. */
  readonly stop: AbortSignal;
}

/**
 * The attempt's record of itself. The lease is renewed only because something was done, and a renewal that finds the lease gone stops the
 * attempt and its children; so does the end of the attempt's budget. [C172,C183,C270]
 */
export function openJournal({ db, clock, fence, leaseMs, durationMsMax, stop }: JournalOptions): Journal {
  const lost = new AbortController();
  const over = new AbortController();
  const signal = AbortSignal.any([lost.signal, over.signal, stop]);
  const startedAt = clock.monotonicMs();
  let stage: StageName | null = null;
  let pending: CheckpointRow[] = [];
  let shown: StageName | null = null;
  let writtenAt = clock.monotonicMs();
  let writing: Promise<void> | null = null;

  const write = async (): Promise<void> => {
    const checkpoints = pending;
    pending = [];
    writtenAt = clock.monotonicMs();
    shown = stage;
    const leaseUntil = new Date(clock.now().getTime() + leaseMs);
    const held = await db
      .transact(WORKER, (tx) => recordProgress(tx, fence, { stage: stage ?? "validate", leaseUntil, checkpoints }))
      .catch((error: unknown) => {
        // Not written: they ride on the next transaction, before those that came meanwhile.
        pending = [...checkpoints, ...pending];
        throw error;
      });
    if (!held) lost.abort(new PacketFailure("lease_lost"));
  };
  const writeSoon = (): void => {
    writing ??= write()
      // A database that does not answer costs the lease in time; the attempt finds out when it is renewed or settled.
      .catch(() => undefined)
      .finally(() => {
        writing = null;
      });
  };
  const msLeft = () => durationMsMax - (clock.monotonicMs() - startedAt);
  const spend = () => {
    if (msLeft() <= 0) over.abort(new PacketFailure("render_deadline", { detail: "the attempt's budget is used up" }));
  };
  const sinceWrite = () => clock.monotonicMs() - writtenAt;
  const isNews = () => stage !== shown && sinceWrite() > SHOW_STAGE_MS;

  return {
    pulse: {
      signal,
      progress: () => {
        spend();
        if (isNews() || sinceWrite() > leaseMs / 4) writeSoon();
      },
    },
    get stage() {
      return stage;
    },
    begin: (next) => {
      stage = next;
      spend();
      signal.throwIfAborted();
      if (isNews()) writeSoon();
    },
    finish: (checkpoint) => {
      pending.push(checkpoint);
    },
    takePending: () => {
      const taken = pending;
      pending = [];
      return taken;
    },
    flush: async () => {
      await writing;
      await crashPoint("before checkpoint");
      await write();
      lost.signal.throwIfAborted();
      await crashPoint("after checkpoint");
    },
    msLeft,
    close: async () => {
      await writing;
    },
  };
}
