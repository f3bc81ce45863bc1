import { beforeAll, describe, expect, it } from "vitest";
import { runCampaign, type Summary } from "./campaign";
import { childKills } from "./child-kills";
import { databaseStops } from "./database-stops";
import { diskFull } from "./disk-full";
import { buildWithFaults } from "./fault-build";
import type { FaultClass } from "./fault-class";
import { network } from "./network";
import { workerKills } from "./worker-kills";
import { ZEROS } from "./zeros";
import { zombies } from "./zombies";

const lines: string[] = [];
const summaries: Summary[] = [];

/** Two campaigns beside each other: most of the time something is waited for. */
const CAMPAIGNS = [
  [workerKills, zombies, diskFull],
  [childKills, databaseStops, network],
] as const;

/** One fault of each; `npm run faults` does as many as it takes. */
beforeAll(async () => {
  const build = await buildWithFaults(`test-${process.pid}`);
  const campaigns = CAMPAIGNS.map((classes) =>
    runCampaign({
      seed: 2_026,
      classes,
      count: () => 1,
      childPath: build.childPath,
      inRounds: false,
      signal: AbortSignal.timeout(150_000),
      say: (line) => lines.push(line),
    }),
  );
  summaries.push(...(await Promise.all(campaigns).finally(() => build.remove())));
}, 180_000);

/** What all of them say under one heading. */
const together = (what: "faults" | "sometimes" | "notRun") => Object.assign({}, ...summaries.map((one) => one[what]));

/** What was said of a class, but for the line that all is well. */
const saidOf = ({ name }: FaultClass) =>
  lines.filter((line) => line.startsWith(`${name}: `) && !line.endsWith("nothing wrong"));

describe("real processes under faults, judged over database, stores, directories and logs", () => {
  it("a worker killed at a point of an attempt: nothing lost, doubled, torn, misordered or kept too long [C456,C463,C464,C465]", () => {
    expect(saidOf(workerKills)).toEqual([]);
    expect(together("faults")).toMatchObject({ "worker-kill": 1 });
  });

  it("a child killed while it renders: made again, never lost [C447]", () => {
    expect(saidOf(childKills)).toEqual([]);
    expect(together("faults")).toMatchObject({ "child-kill": 1 });
  });

  it("a worker that wakes after another took its job: refused, and the client's repeats are still one job [C37]", () => {
    expect(saidOf(zombies)).toEqual([]);
    expect(together("sometimes")).toMatchObject({ "a zombie was fenced while another was at its job": 1 });
  });

  it("a database that stops, and a way to it that breaks: what was acknowledged is there, and work goes on [C466]", () => {
    expect([...saidOf(databaseStops), ...saidOf(network)]).toEqual([]);
    expect(together("faults")).toMatchObject({ "database-stop": 1, network: 1 });
  });

  it("a disk without room: a transient failure without residue, or this machine does not let us try [C461]", () => {
    if ("disk-full" in together("notRun")) return;
    expect(saidOf(diskFull)).toEqual([]);
    expect(together("faults")).toMatchObject({ "disk-full": 1 });
  });

  it("and none of what must not be, in all of them together", () => {
    const none = Object.fromEntries(ZEROS.map((zero) => [zero, 0]));
    expect(summaries.map(({ zeros, passed }) => ({ zeros, passed }))).toEqual(
      CAMPAIGNS.map(() => ({ zeros: none, passed: true })),
    );
  });
});
