import type { Lane } from "./lane";

export interface AdmissionFacts {
  readonly lane: Pick<Lane, "ageMsMax">;
  /** Jobs of this tenant that are not terminal. */
  readonly outstanding: number;
  readonly outstandingMax: number;
  /** How long the oldest ready job of the lane has waited, in milliseconds; 0 where none waits. */
  readonly oldestReadyMs: number;
}

export type Admission =
  | { readonly admitted: true }
  | {
      readonly admitted: false;
      readonly code: "too_many_outstanding" | "lane_closed";
      readonly retryAfterSeconds: number;
    };

/** May this tenant enqueue into this lane now? An honest refusal says when to ask again. [C53,C54,C55] */
export function admit(facts: AdmissionFacts): Admission {
  if (facts.outstanding >= facts.outstandingMax) {
    return { admitted: false, code: "too_many_outstanding", retryAfterSeconds: 30 };
  }
  const { lane } = facts;
  if (facts.oldestReadyMs > lane.ageMsMax) {
    return { admitted: false, code: "lane_closed", retryAfterSeconds: Math.max(5, Math.ceil(lane.ageMsMax / 10_000)) };
  }
  return { admitted: true };
}
