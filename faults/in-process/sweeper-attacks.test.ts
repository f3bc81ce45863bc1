import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seeded } from "./seeded";
import { type SwappingProcess, startSwapping } from "./swapping-process";
import { attackSweeper } from "./sweeper-attacks";
import { ATTACK_NAMES } from "./workspace-attacks";

let swapping: SwappingProcess;
beforeAll(async () => {
  swapping = await startSwapping();
});
afterAll(() => swapping.close());

describe("the sweeper under attack", () => {
  it.each(ATTACK_NAMES)("%s: what it must not touch stays, what is left behind goes [C303,C462]", async (attack) => {
    expect((await attackSweeper(seeded(1), swapping, [attack, "abandoned", "live"])).faults).toEqual([]);
  });

  it("leaves the canaries alone in every company, and while directories are exchanged under it [C301,C303]", async () => {
    const random = seeded(20261201);
    let swaps = 0;
    for (let trial = 0; trial < 120; trial += 1) {
      const attacked = await attackSweeper(random, swapping);
      expect(attacked).toMatchObject({ faults: [] });
      swaps += attacked.swaps;
    }
    expect(swaps).toBeGreaterThan(0);
  });
});
