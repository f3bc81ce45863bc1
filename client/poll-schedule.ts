/** The longest that one read of a status may take. */
export const REQUEST_MS_MAX = 5_000;
/** How long somebody who waits at a screen is willing to. */
export const PATIENCE_MS = 90_000;
/** How long to wait after the first pending reading, the second, and so on; the last one for ever. It never grows past that. */
export const WAITS_MS = [1_000, 2_000, 4_000, 8_000] as const;

const LONGEST_MS = WAITS_MS[WAITS_MS.length - 1] ?? 0;

export interface WaitFacts {
  /** Readings so far that did not end the wait: pending ones, and those that could not be read. From 1. */
  readonly readings: number;
  /** Until the absolute deadline. */
  readonly remainingMs: number;
  /** The server's own hint, where it gave one: not before this long. */
  readonly retryAfterMs: number | null;
  /** Uniform in [0, 1). */
  readonly random: number;
}

/**
 * Returns how long to wait before the next reading: uniform between half and all of the scheduled wait, not earlier than the server asks
 * for, and never past the deadline.
 */
export function waitMs({ readings, remainingMs, retryAfterMs, random }: WaitFacts): number {
  const scheduled = WAITS_MS[Math.max(readings, 1) - 1] ?? LONGEST_MS;
  const within = Math.min(scheduled, Math.max(remainingMs, 0));
  const jittered = within / 2 + (within / 2) * random;
  return Math.min(Math.max(jittered, retryAfterMs ?? 0), Math.max(remainingMs, 0));
}

/** Returns how long the next read may take: five seconds, or what remains where that is less. */
export function requestMs(remainingMs: number): number {
  return Math.min(REQUEST_MS_MAX, Math.max(remainingMs, 0));
}
