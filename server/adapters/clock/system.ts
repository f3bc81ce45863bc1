import type { Clock } from "@/server/ports/clock";

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};
