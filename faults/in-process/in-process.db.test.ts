import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import { bundleForTests, type TestBundle } from "@/worker/test-bundle";
import { jumpClock } from "./clock-jumps";
import { deliverThrice } from "./duplicate-deliveries";
import { CALLS_OF_A_COMMIT, failingCalls } from "./failing-calls";
import { refuseFileCall, TRIALS } from "./file-errors";
import { openTwoWebProcesses, submitAtOnce } from "./idempotent-submits";
import { type FaultScene, openFaultScene } from "./scene";
import { seeded } from "./seeded";

const database = testDatabase();
let bundle: TestBundle;
let scene: FaultScene;
let directory: string;
beforeAll(async () => {
  bundle = await bundleForTests();
  directory = await mkdtemp(join(tmpdir(), "bindery-test-"));
  scene = await openFaultScene({ databaseUrl: database.url, childPath: bundle.childPath, directory });
});
afterAll(async () => {
  await scene.close();
  await bundle.remove();
  await rm(directory, { recursive: true, force: true });
});

const random = seeded(20261201);
const turns = (count: number) => Array.from({ length: count }, (_, turn) => turn);

describe("a file call that the operating system refuses", () => {
  it("is a coded failure that passes, and leaves nothing behind", async () => {
    for (const turn of turns(8)) expect(await refuseFileCall(scene, random, turn)).toMatchObject({ faults: [] });
  });
});

describe("an upload", () => {
  it("that the store took and could not vouch for leaves nothing that no row knows of", async () => {
    const { call, nth } = { call: "fsync_directory", nth: CALLS_OF_A_COMMIT.fsync_directory } as const;
    const failing = failingCalls({ call, nth, error: "EIO", goesOn: false });
    const faults = await TRIALS.upload(scene, failing, random);
    expect(failing.refused).toBe(1);
    expect([...faults, ...(await scene.strays("sources"))]).toEqual([]);
  });
});

describe("one message delivered three times", () => {
  it("makes one packet, in whatever order it arrives [C463]", async () => {
    for (const turn of turns(4)) expect(await deliverThrice(scene, random, turn)).toMatchObject({ faults: [] });
  });
});

describe("clocks that jump or disagree", () => {
  it("move no deadline, erase nothing early, and make no second packet [C465]", async () => {
    for (const turn of turns(5)) expect(await jumpClock(scene, random, turn)).toMatchObject({ faults: [] });
  });
});

describe("64 clients with one key", () => {
  it("get one job, and a conflict where they mean something else [C11,C12,C22]", async () => {
    const web = await openTwoWebProcesses(scene);
    for (const _ of turns(2)) expect(await submitAtOnce(web, random)).toMatchObject({ faults: [] });
    await web.close();
  });
});
