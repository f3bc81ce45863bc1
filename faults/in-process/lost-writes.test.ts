import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LostWrites, losePower } from "./lost-writes";
import { seeded } from "./seeded";
import { withoutDirectorySync, withoutFileSync } from "./unsynced-disk";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "bindery-test-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function trials(count: number, callsOf?: Parameters<typeof losePower>[2]): Promise<LostWrites[]> {
  const random = seeded(20261201);
  const met: LostWrites[] = [];
  for (let trial = 0; trial < count; trial += 1) met.push(await losePower(random, directory, callsOf));
  return met;
}

describe("a store that lost its power at any instant", () => {
  it("holds each object whole or not at all, and everything it had reported [C258,C274]", async () => {
    const met = await trials(120);
    expect(met.flatMap(({ faults }) => faults)).toEqual([]);
    // Else nothing was put to the test.
    expect(met.some(({ lost }) => lost > 0)).toBe(true);
    expect(met.some(({ reported }) => reported > 0)).toBe(true);
    expect(met.some(({ leftovers }) => leftovers > 0)).toBe(true);
  });

  it("is seen to hold a torn object where bytes are linked before they last", async () => {
    const met = await trials(60, withoutFileSync);
    expect(met.flatMap(({ faults }) => faults)).toContainEqual({ zero: "corrupt", what: "part of an object" });
  });

  it("is seen to have lost what it reported where the directory was not synced", async () => {
    const met = await trials(60, withoutDirectorySync);
    expect(met.flatMap(({ faults }) => faults)).toContainEqual({ zero: "lost", what: "an object that was reported" });
  });
});
