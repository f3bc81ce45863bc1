import { describe, expect, it } from "vitest";
import { memorySystem } from "./memory-system";
import { runModel } from "./run-model";

const START = new Date("2026-12-01T09:00:00Z");

describe("the rules of a job", () => {
  it("hold through any sequence of submissions, attempts, deaths, zombies and days [C13]", async () => {
    const outcome = await runModel({
      newSystem: async () => memorySystem(START),
      seed: Number(process.env.MODEL_SEED ?? 20261201),
      sequences: Number(process.env.MODEL_SEQUENCES ?? 1_000),
      mostSteps: 60,
    });
    expect(outcome.failure).toBeNull();
    // Else the sequences led nowhere.
    for (const state of ["completed", "validation_failed", "dead_letter", "cancelled", "retry_wait", "published"]) {
      expect(outcome.ends[state] ?? 0).toBeGreaterThan(10);
    }
  });
});
