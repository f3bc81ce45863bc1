import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seeded } from "./seeded";
import { type SwappingProcess, startSwapping } from "./swapping-process";
import { attackSweeper } from "./sweeper-attacks";
import { ATTACK_NAMES } from "./workspace-attacks";

let swapping: SwappingProcess;
let within: string;
beforeAll(async () => {
  within = await mkdtemp(join(tmpdir(), "bindery-test-"));
  swapping = await startSwapping();
});
afterAll(async () => {
  await swapping.close();
  await rm(within, { recursive: true, force: true });
});

describe("the sweeper under attack", () => {
  it.each(ATTACK_NAMES)("%s: what it must not touch stays, what is left behind goes [C303,C462]", async (attack) => {
    expect((await attackSweeper(seeded(1), { swapping, within }, [attack, "abandoned", "live"])).faults).toEqual([]);
  });

  it("leaves the canaries alone in every company, and while directories are exchanged under it [C301,C303]", async () => {
    const random = seeded(20261201);
    let swaps = 0;
    for (let trial = 0; trial < 120; trial += 1) {
      const attacked = await attackSweeper(random, { swapping, within });
      expect(attacked).toMatchObject({ faults: [] });
      swaps += attacked.swaps;
    }
    expect(swaps).toBeGreaterThan(0);
  });
});
