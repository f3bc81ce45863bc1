import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { JOB_STATES } from "@/server/domain/job";
import { TIMERS } from "./read-timers";

const text = readFileSync("docs/runbook.md", "utf8");

describe("the runbook", () => {
  it("names an owner, a way out and a next safe action for every state, and for no other [C424,C425]", () => {
    const rows = [...text.matchAll(/^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)];
    expect(rows.map(([, state]) => state)).toEqual(JOB_STATES);
    for (const [, state, ...cells] of rows)
      for (const cell of cells) expect.soft(cell?.trim().length, state).toBeGreaterThan(3);
  });

  it("names the evidence to attach before a threshold is changed [C426]", () => {
    const section = text.split("\n## ").find((part) => part.startsWith("Before a threshold is changed")) ?? "";
    for (const evidence of [
      "alert's time",
      "phases",
      "p50, p95 and p99",
      "arrivals and completions",
      "retries by code",
    ])
      expect.soft(section).toContain(evidence);
  });

  it("speaks of every timer that the board shows but the wait, which is the alert itself", () => {
    for (const timer of TIMERS) if (timer !== "enqueue_to_start") expect.soft(text).toContain(`\`${timer}\``);
  });
});
