import type { Lane } from "./lane";

export interface AdmissionFacts {
  readonly lane: Pick<Lane, "ageMsMax" | "concurrency">;
  /** Jobs of this tenant that are not terminal. */
  readonly outstanding: number;
  readonly outstandingMax: number;
  /** How long the oldest ready job of the lane has waited, in milliseconds; 0 where none waits. */
  readonly oldestReadyMs: number;
  /** False where workers have been seen lately and none of them has room for another working folder. */
  readonly hasRoom: boolean;
}

export type Admission =
  | { readonly admitted: true }
  | {
      readonly admitted: false;
      readonly code: "too_many_outstanding" | "lane_closed" | "workspace_full";
      readonly retryAfterSeconds: number;
    };

const ROOM_AFTER_SECONDS = 15;
const RETRY_SECONDS_MIN = 5;
const RETRY_SECONDS_MAX = 600;

/**
 * May this tenant enqueue into this lane now? An honest refusal says when to ask again: once a slot's share of what is outstanding may be
 * done, or once the lane may be back under its age. [C53,C54,C55,C67]
 */
export function admit(facts: AdmissionFacts): Admission {
  if (facts.outstanding >= facts.outstandingMax) {
    return { admitted: false, code: "too_many_outstanding", retryAfterSeconds: bounded(facts.lane.concurrency * 10) };
  }
  const overdueMs = facts.oldestReadyMs - facts.lane.ageMsMax;
  if (overdueMs > 0) {
    const tenthMs = facts.lane.ageMsMax / 10;
    return { admitted: false, code: "lane_closed", retryAfterSeconds: bounded((overdueMs + tenthMs) / 1_000) };
  }
  if (!facts.hasRoom) return { admitted: false, code: "workspace_full", retryAfterSeconds: ROOM_AFTER_SECONDS };
  return { admitted: true };
}

function bounded(seconds: number): number {
  return Math.min(RETRY_SECONDS_MAX, Math.max(RETRY_SECONDS_MIN, Math.ceil(seconds)));
}
