import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCampaign, type Summary } from "./campaign";
import { childKills } from "./child-kills";
import { databaseStops } from "./database-stops";
import { diskFull } from "./disk-full";
import { buildWithFaults, type FaultBuild } from "./fault-build";
import type { FaultClass } from "./fault-class";
import { network } from "./network";
import { workerKills } from "./worker-kills";
import { ZEROS } from "./zeros";
import { zombies } from "./zombies";

let build: FaultBuild;

beforeAll(async () => {
  build = await buildWithFaults(`test-${process.pid}`);
});
afterAll(() => build.remove());

/** One fault of each; `npm run faults` does as many as it takes. */
async function once(...classes: readonly FaultClass[]): Promise<Summary & { readonly lines: readonly string[] }> {
  const lines: string[] = [];
  const summary = await runCampaign({
    seed: 2_026,
    classes,
    count: () => 1,
    childPath: build.childPath,
    signal: AbortSignal.timeout(55_000),
    say: (line) => lines.push(line),
  });
  return { ...summary, lines };
}

const NOTHING = Object.fromEntries(ZEROS.map((zero) => [zero, 0]));

describe("real processes under faults, judged over database, stores, directories and logs", () => {
  it("a worker killed at a point of an attempt, and a child killed in its work: nothing lost, doubled or torn [C447,C456,C463,C464,C465]", async () => {
    const { zeros, faults, passed, lines } = await once(workerKills, childKills);
    expect(lines.filter((line) => !line.endsWith("nothing wrong"))).toEqual([]);
    expect({ zeros, faults, passed }).toEqual({
      zeros: NOTHING,
      faults: { "worker-kill": 1, "child-kill": 1 },
      passed: true,
    });
  });

  it("a worker that wakes after another took its job: refused, and the client's repeats are still one job [C37]", async () => {
    const { zeros, sometimes, lines } = await once(zombies);
    expect(lines.filter((line) => !line.endsWith("nothing wrong"))).toEqual([]);
    expect(zeros).toEqual(NOTHING);
    expect(sometimes).toMatchObject({ "a zombie was fenced": 1 });
  });

  it("a database that stops, and a way to it that breaks: what was acknowledged is there, and work goes on [C466]", async () => {
    const { zeros, total, lines } = await once(databaseStops, network);
    expect(lines.filter((line) => !line.endsWith("nothing wrong"))).toEqual([]);
    expect(zeros).toEqual(NOTHING);
    expect(total).toBe(2);
  });

  it("a disk without room: a transient failure without residue, or this machine does not let us try [C461]", async () => {
    const { zeros, faults, notRun } = await once(diskFull);
    expect(zeros).toEqual(NOTHING);
    expect({ ...faults, ...notRun }).toHaveProperty("disk-full");
  });
});
