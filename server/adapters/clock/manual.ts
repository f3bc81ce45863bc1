import type { Clock } from "@/server/ports/clock";

export interface ManualClock extends Clock {
  advance(ms: number): void;
}

/** A clock that moves only when told to. */
export function manualClock(start: Date): ManualClock {
  let elapsed = 0;
  return {
    now: () => new Date(start.getTime() + elapsed),
    monotonicMs: () => elapsed,
    advance: (ms) => {
      elapsed += ms;
    },
  };
}
