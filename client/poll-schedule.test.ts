import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { REQUEST_MS_MAX, requestMs, WAITS_MS, waitMs } from "./poll-schedule";

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const readings = fc.integer({ min: 1, max: 10_000 });
const remainingMs = fc.double({ min: 0, max: 3_600_000, noNaN: true });

describe("the wait between two readings", () => {
  it("follows 1, 2, 4, 8, 8 seconds and never grows past eight [C343,C337]", () => {
    const whole = [1, 2, 3, 4, 5, 6, 5_000].map((count) =>
      waitMs({ readings: count, remainingMs: 1e9, retryAfterMs: null, random: 1 }),
    );
    expect(whole).toEqual([1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000]);
  });

  it("lies uniformly between half and all of the scheduled wait [C348]", () => {
    fc.assert(
      fc.property(readings, random, (count, draw) => {
        const scheduled = WAITS_MS[Math.min(count, WAITS_MS.length) - 1] ?? 0;
        const wait = waitMs({ readings: count, remainingMs: 1e9, retryAfterMs: null, random: draw });
        expect(wait).toBeCloseTo(scheduled * (0.5 + draw / 2), 6);
      }),
    );
  });

  it("never goes past the remaining deadline, whatever the server asks for [C345]", () => {
    const retryAfterMs = fc.option(fc.double({ min: 0, max: 1e7, noNaN: true }));
    fc.assert(
      fc.property(readings, remainingMs, retryAfterMs, random, (count, remaining, hint, draw) => {
        const wait = waitMs({ readings: count, remainingMs: remaining, retryAfterMs: hint, random: draw });
        expect(wait).toBeGreaterThanOrEqual(0);
        expect(wait).toBeLessThanOrEqual(remaining);
      }),
    );
  });

  it("is not shorter than the server's hint while the deadline allows it [C355]", () => {
    fc.assert(
      fc.property(readings, fc.integer({ min: 0, max: 600_000 }), random, (count, hint, draw) => {
        const wait = waitMs({ readings: count, remainingMs: 3_600_000, retryAfterMs: hint, random: draw });
        expect(wait).toBeGreaterThanOrEqual(hint);
      }),
    );
  });
});

describe("the time one read may take", () => {
  it("is five seconds, or what remains where that is less [C338,C340,C346]", () => {
    expect(REQUEST_MS_MAX).toBe(5_000);
    fc.assert(
      fc.property(remainingMs, (remaining) => {
        expect(requestMs(remaining)).toBe(Math.min(5_000, remaining));
      }),
    );
  });
});
