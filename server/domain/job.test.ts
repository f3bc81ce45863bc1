import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isTerminal, JOB_STATES, type JobEvent, nextState, PUBLIC_STATE, STAGE_NAMES } from "./job";

const EVENTS: JobEvent[] = ["claim", "publish", "defer", "reject", "give_up", "cancel", "complete"];
const event = fc.constantFrom(...EVENTS);
const state = fc.constantFrom(...JOB_STATES);

describe("the life of a job", () => {
  it("has exactly the states that operators and the database know [C185,C186]", () => {
    expect(JOB_STATES).toEqual([
      "queued",
      "running",
      "retry_wait",
      "published",
      "completed",
      "validation_failed",
      "dead_letter",
      "cancelled",
    ]);
  });

  it("has no way out of a terminal state", () => {
    fc.assert(
      fc.property(state, event, (from, happened) => {
        if (isTerminal(from)) expect(nextState(from, happened)).toBeNull();
      }),
    );
    expect(JOB_STATES.filter(isTerminal)).toEqual(["completed", "validation_failed", "dead_letter", "cancelled"]);
  });

  it("reaches completed through published only, so that succeeded means committed [C253,C254,C263]", () => {
    const into = JOB_STATES.flatMap((from) =>
      EVENTS.filter((happened) => nextState(from, happened) === "completed").map(() => from),
    );
    expect(into).toEqual(["published"]);
  });

  it("cannot undo a publication: it is only claimed again for settling, or completed [C192,C293]", () => {
    const ways = EVENTS.flatMap((happened) => nextState("published", happened) ?? []);
    expect(new Set(ways)).toEqual(new Set(["published", "completed"]));
  });

  it("however events come, a walk visits completed at most once and nothing after it", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let at: (typeof JOB_STATES)[number] = "queued";
        let completed = 0;
        for (const happened of events) {
          const next = nextState(at, happened);
          if (next === null) continue;
          expect(isTerminal(at)).toBe(false);
          at = next;
          if (at === "completed") completed += 1;
        }
        expect(completed).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe("what a client sees", () => {
  it("is one of four words for every internal state, and all four are used [C329,C330,C353]", () => {
    expect(Object.keys(PUBLIC_STATE).sort()).toEqual([...JOB_STATES].sort());
    expect(new Set(Object.values(PUBLIC_STATE))).toEqual(new Set(["queued", "running", "succeeded", "failed"]));
  });

  it("is never succeeded before completion is committed [C253]", () => {
    expect(JOB_STATES.filter((internal) => PUBLIC_STATE[internal] === "succeeded")).toEqual(["completed"]);
  });
});

describe("stages", () => {
  it("stand in the order of the pipeline, erase last [C239]", () => {
    const seven = STAGE_NAMES.filter((name) => name !== "render" && name !== "verify");
    expect(seven).toEqual(["accept", "validate", "fetch", "watermark", "assemble", "publish", "erase"]);
  });
});
