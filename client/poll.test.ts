import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PollEnd, poll, type Reading } from "./poll";
import { PATIENCE_MS } from "./poll-schedule";

type State = "queued" | "running" | "succeeded" | "failed";

const pending = (state: State = "queued"): Reading<State> => ({
  type: "read",
  status: state,
  isTerminal: false,
  retryAfterMs: null,
});
const ended = (state: State): Reading<State> => ({ ...pending(state), isTerminal: true }) as Reading<State>;
const unreadable: Reading<State> = { type: "unreadable", retryAfterMs: null };

interface Run {
  readonly end: PollEnd<State>;
  readonly sleeps: readonly number[];
  readonly timeouts: readonly number[];
  readonly endedAt: number;
}

/** Polls against a script of readings, each of which takes `takesMs`; the last one repeats. Time passes only here. */
async function run(
  script: readonly Reading<State>[],
  options: { patienceMs?: number; takesMs?: number; random?: number } = {},
): Promise<Run> {
  const { patienceMs = PATIENCE_MS, takesMs = 10, random = 1 } = options;
  let now = 5_000;
  const sleeps: number[] = [];
  const timeouts: number[] = [];
  let read = 0;
  const end = await poll<State>({
    patienceMs,
    signal: new AbortController().signal,
    waiting: {
      now: () => now,
      random: () => random,
      sleep: async (ms) => {
        sleeps.push(ms);
        now += ms;
      },
    },
    read: async (timeoutMs) => {
      timeouts.push(timeoutMs);
      now += Math.min(takesMs, timeoutMs);
      const reading = script[Math.min(read, script.length - 1)];
      read += 1;
      return reading ?? unreadable;
    },
  });
  return { end, sleeps, timeouts, endedAt: now - 5_000 };
}

describe("polling a status", () => {
  it("waits longer only while the state is pending, and stops at a terminal one [C342,C337]", async () => {
    const { end, sleeps } = await run([pending(), pending(), pending("running"), ended("succeeded")]);
    expect(end).toEqual({ type: "terminal", status: "succeeded" });
    expect(sleeps).toEqual([1_000, 2_000, 4_000]);
  });

  it("tells a failed job apart from a status that cannot be read [C344]", async () => {
    const failed = await run([unreadable, ended("failed")]);
    expect(failed.end).toEqual({ type: "terminal", status: "failed" });
    const silent = await run([unreadable]);
    expect(silent.end).toEqual({ type: "deadline", lastStatus: null });
  });

  it("asks again after reads that failed until the deadline, and then ends with the deadline [C352,C339]", async () => {
    const { end, timeouts, endedAt } = await run([pending("running"), unreadable]);
    expect(end).toEqual({ type: "deadline", lastStatus: "running" });
    expect(timeouts.length).toBeGreaterThan(10);
    expect(endedAt).toBe(PATIENCE_MS);
  });

  it("gives a person at a screen ninety seconds [C341]", () => expect(PATIENCE_MS).toBe(90_000));

  it("stops at once where the server says there is nothing to wait for", async () => {
    const { end, sleeps } = await run([{ type: "refused", error: "not_found" }]);
    expect(end).toEqual({ type: "refused", error: "not_found" });
    expect(sleeps).toEqual([]);
  });

  it("never ends later than the deadline, and no read may outlive it [C339,C345,C346]", async () => {
    const kinds = fc.array(fc.constantFrom(pending(), pending("running"), unreadable), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(
        kinds,
        fc.integer({ min: 1, max: 200_000 }),
        fc.integer({ min: 0, max: 20_000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        async (script, patienceMs, takesMs, random) => {
          const { end, endedAt, timeouts } = await run(script, { patienceMs, takesMs, random });
          expect(end.type).toBe("deadline");
          expect(endedAt).toBeLessThanOrEqual(patienceMs + 1e-6);
          expect(Math.max(...timeouts)).toBeLessThanOrEqual(5_000);
        },
      ),
    );
  });

  it("counts by the clock it is given, so that a jump of the clock on the wall changes nothing [C347]", async () => {
    const wall = Date.now;
    Date.now = () => wall() + 86_400_000 * Math.random();
    try {
      const { endedAt } = await run([pending()], { patienceMs: 30_000 });
      expect(endedAt).toBe(30_000);
    } finally {
      Date.now = wall;
    }
  });

  it("ends with the caller's abort and reads no more", async () => {
    const stop = new AbortController();
    let reads = 0;
    const polling = poll<State>({
      patienceMs: 90_000,
      signal: stop.signal,
      waiting: { now: () => 0, random: () => 0, sleep: async (_ms, signal) => signal.throwIfAborted() },
      read: async () => {
        reads += 1;
        if (reads === 3) stop.abort(new Error("left the page"));
        return pending();
      },
    });
    await expect(polling).rejects.toThrow("left the page");
    expect(reads).toBe(3);
  });
});
