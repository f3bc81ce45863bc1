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
  it("sent three times is made once: as many jobs and artifacts as packets, and nothing was refused", () => {
    const wanted = WARM_PACKETS + 2 * PACKETS;
    expect(result).toMatchObject({ jobs: wanted, artifacts: wanted, refused: 0 });
  });

  it("is measured: admission apart from what the packets then wait for [C85]", () => {
    expect(result.admission.count).toBe(PACKETS);
    expect(result.bare.count).toBe(PACKETS);
    const { first, last } = result.queueWaitSeconds;
    expect(last).toBeGreaterThan(first);
    expect(last * 1_000).toBeGreaterThan(result.admission.p50);
  });
});
