import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleForTests, type TestBundle } from "@/worker/test-bundle";
import { benchAdmission } from "./admission";

const PACKETS = 24;
const WARM_PACKETS = 20;

let bundle: TestBundle;
let result: Awaited<ReturnType<typeof benchAdmission>>;

beforeAll(async () => {
  bundle = await bundleForTests();
  const built = { workerPath: bundle.mainPath, childPath: bundle.childPath };
  result = await benchAdmission({ packets: PACKETS, built, say: () => undefined });
}, 180_000);
afterAll(() => bundle.remove());

describe("an import while workers render", () => {
  it("sent three times is made once: as many jobs and artifacts as packets, and nothing was refused [C31,C38,C282]", () => {
    const wanted = WARM_PACKETS + PACKETS + PACKETS / 2;
    expect(result).toMatchObject({ jobs: wanted, artifacts: wanted, refused: 0 });
    // Throughput is counted in what was verified and published, not in what was begun.
    expect(result.packetsPerSecond).toBeGreaterThan(0);
  });

  it("is measured: admission apart from what the packets then wait for [C85]", () => {
    expect(result.admission.count).toBe(PACKETS / 2);
    expect(result.bare.count).toBe(PACKETS / 2);
    expect(result.queueWaitSeconds.last * 1_000).toBeGreaterThan(result.admission.p50);
  });
});
