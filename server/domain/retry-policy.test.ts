import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FAILURES, type FailureCode, policyOf } from "./failure";
import {
  ATTEMPTS_MAX,
  afterFailure,
  backoffMs,
  type FailedAttempt,
  RETRY_ELAPSED_MS_MAX,
  STAGE_ATTEMPTS_MAX,
} from "./retry-policy";

const acceptedAt = new Date("2026-11-30T09:00:00Z");
const codes = Object.keys(FAILURES) as FailureCode[];
const transient = fc.constantFrom(...codes.filter((code) => policyOf(code).disposition === "transient"));
const permanent = fc.constantFrom(
  ...codes.filter((code) => policyOf(code).disposition === "permanent" && code !== "deadline_passed"),
);

const failed = (change: Partial<FailedAttempt>): FailedAttempt => ({
  code: "storage_unavailable",
  attempt: 1,
  attemptsMax: ATTEMPTS_MAX,
  stageFailures: 1,
  acceptedAt,
  finishBy: new Date("2026-12-30T00:00:00Z"),
  now: new Date(acceptedAt.getTime() + 60_000),
  random: 0.5,
  ...change,
});

describe("after a failed attempt", () => {
  it("a permanent failure is rejected at once, whatever is left [C135,C163,C164]", () => {
    fc.assert(
      fc.property(permanent, fc.integer({ min: 1, max: 9 }), (code, attempt) => {
        expect(afterFailure(failed({ code, attempt }))).toEqual({ outcome: "reject" });
      }),
    );
  });

  it("a transient failure waits, and gives up with its own code once the attempts are used up [C129,C143,C175,C176,C193]", () => {
    expect(afterFailure(failed({ attempt: 1 })).outcome).toBe("defer");
    expect(afterFailure(failed({ attempt: ATTEMPTS_MAX }))).toEqual({
      outcome: "give_up",
      code: "storage_unavailable",
    });
  });

  it("the fourth failure of one stage gives up, though the job has an attempt left [C160]", () => {
    const verdicts = [1, 2, 3, 4].map(
      (count) => afterFailure(failed({ attempt: count, stageFailures: count })).outcome,
    );
    expect(verdicts).toEqual(["defer", "defer", "defer", "give_up"]);
    expect(STAGE_ATTEMPTS_MAX).toBe(4);
    expect(ATTEMPTS_MAX).toBe(5);
    expect(afterFailure(failed({ attempt: 4, stageFailures: 3 })).outcome).toBe("defer");
  });

  it("a code with a limit of its own gives up earlier [C127]", () => {
    expect(afterFailure(failed({ code: "render_deadline", attempt: 1 })).outcome).toBe("defer");
    expect(afterFailure(failed({ code: "render_deadline", attempt: 2 })).outcome).toBe("give_up");
  });

  it("nothing is retried past the elapsed limit or the absolute deadline [C130,C144,C195]", () => {
    const late = new Date(acceptedAt.getTime() + RETRY_ELAPSED_MS_MAX);
    expect(afterFailure(failed({ now: late })).outcome).toBe("give_up");
    const finishBy = new Date(acceptedAt.getTime() + 60_500);
    expect(afterFailure(failed({ finishBy, random: 0.99 })).outcome).toBe("give_up");
  });

  it("transient failures never move the absolute deadline: every next attempt starts before it [C181,C471]", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({ code: transient, random: fc.double({ min: 0, max: 0.999, noNaN: true }), took: fc.nat(600_000) }),
          { maxLength: 30 },
        ),
        fc.integer({ min: 1, max: 7_200_000 }),
        (failures, patience) => {
          const finishBy = new Date(acceptedAt.getTime() + patience);
          const deadline = finishBy.getTime();
          let now = acceptedAt;
          for (const [index, { code, random, took }] of failures.entries()) {
            now = new Date(now.getTime() + took);
            const verdict = afterFailure(failed({ code, random, now, finishBy, attempt: index + 1 }));
            expect(finishBy.getTime()).toBe(deadline);
            if (verdict.outcome !== "defer") return;
            expect(verdict.dueAt.getTime()).toBeLessThan(deadline);
            expect(verdict.dueAt.getTime()).toBeGreaterThan(now.getTime());
            now = verdict.dueAt;
          }
        },
      ),
    );
  });

  it("a passed deadline is given up, not retried", () => {
    expect(afterFailure(failed({ code: "deadline_passed" }))).toEqual({ outcome: "give_up", code: "deadline_passed" });
  });
});

describe("backoff", () => {
  it("doubles from one second to a cap of eight [C128,C161]", () => {
    expect([1, 2, 3, 4, 5, 20].map((attempt) => backoffMs(attempt, 1))).toEqual([
      1_000, 2_000, 4_000, 8_000, 8_000, 8_000,
    ]);
  });

  it("stays between half and the whole of its step, and is spread over it [C128,C162,C196]", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, random) => {
          const full = backoffMs(attempt, 1);
          expect(backoffMs(attempt, random)).toBeGreaterThanOrEqual(full / 2);
          expect(backoffMs(attempt, random)).toBeLessThanOrEqual(full);
        },
      ),
    );
    const seconds = Array.from({ length: 600 }, (_, index) => Math.floor(backoffMs(4, index / 600) / 1_000));
    expect(Math.max(...[4, 5, 6, 7].map((second) => seconds.filter((each) => each === second).length))).toBeLessThan(
      200,
    );
  });
});
