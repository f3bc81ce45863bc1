import { spawn } from "node:child_process";
import { once } from "node:events";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { JobId } from "@/server/domain/ids";
import { LANE } from "@/server/domain/lane";
import { dayIn } from "@/server/packets/check-payload";
import { previewPacket } from "@/server/services/packets/preview-packet";
import { readPacket } from "@/server/services/packets/read-packet";
import { jobRow, newBook, newPacket, submitted } from "@/server/services/test-requests";
import { eraseExpiredInputs } from "./maintenance/erase-expired-inputs";
import { sweepWorkspaces } from "./maintenance/sweep-workspaces";
import type { Errand } from "./test-attempt-process";
import { dieAt } from "./test-crash-point";
import { copyOfJob, pagesOfWidth, uploaded, widthsIn } from "./test-packets";
import { testScene } from "./test-scene";
import type { TestHost, TestWorker } from "./test-worker";

// As a fault build does: the product's crash points do nothing.
vi.mock("./crash-point", () => import("./test-crash-point"));

// Directories are judged by the instants that the file system gave them: this scene is set now.
const scene = testScene({ startAt: new Date() });
const today = () => dayIn("UTC", scene.context.clock.now());
const leaseLapses = () => scene.context.clock.advance(LANE.archive.leaseMs + 1);

/** Lets a worker stop for ever at this point of its attempt, as a dead one does, while this process lives on. */
function freezes(worker: TestWorker, jobId: JobId, at: string, stageMsMin = 2_000): Promise<void> {
  return new Promise((reached) => {
    dieAt(at, reached);
    void worker.deliver(jobId, { stageMsMin });
  });
}

/** Runs one attempt in a process of its own, which dies by SIGKILL at this point. */
async function dies(host: TestHost, jobId: JobId, at: string, stageMsMin = 2_000): Promise<void> {
  const { databaseUrl, bundle, context } = scene;
  const errand: Errand = {
    databaseUrl,
    hostRoot: host.root,
    workspaces: host.workspaces,
    childPath: bundle.childPath,
    jobId,
    now: context.clock.now().toISOString(),
    stageMsMin,
    dieAt: at,
  };
  const argv = ["--disable-warning=DeprecationWarning", bundle.attemptPath, JSON.stringify(errand)];
  const doomed = spawn(process.execPath, argv, { stdio: ["ignore", "ignore", "inherit"] });
  const [, signal] = await once(doomed, "exit");
  expect(signal, at).toBe("SIGKILL");
}

let original: JobId;
let clean: string;

/** Another job of the very same input as the one that was made without a crash. */
const sameBookAgain = () => copyOfJob(scene.context, original, { isAtHome: true });

beforeAll(async () => {
  const sources: string[] = [];
  for (const width of [301, 302, 303]) sources.push(await uploaded(scene, await pagesOfWidth(width)));
  original = await submitted(scene.context, scene.actor, newBook(sources, {}, today()));
  const first = await sameBookAgain();
  await scene.worker.deliver(first);
  clean = (await scene.artifactOf(first)).digest;
});

/** Removes what killed attempts have left on a host, as its sweeper would, and returns how many directories that were. */
async function swept(host: TestHost): Promise<number> {
  const found = await sweepWorkspaces({
    root: host.workspaces,
    now: scene.context.clock.now(),
    thresholdMs: 1,
    isLive: async () => false,
    log: scene.worker.tools.log,
  });
  expect(found.failed).toBe(0);
  expect(await host.leftovers()).toEqual([]);
  return found.swept;
}

async function expectTheSameBook(jobId: JobId): Promise<void> {
  const artifact = await scene.artifactOf(jobId);
  expect(artifact.digest).toBe(clean);
  const widths = await widthsIn(await scene.archivedBytes(jobId));
  expect(widths.filter((width) => width < 400)).toEqual([301, 302, 303]);
}

const ASKED_FOR = { fetch: "prepare", render: "render", watermark: "stamp", assemble: "assemble", verify: "verify" };
type Made = keyof typeof ASKED_FOR;
const STAGES = Object.keys(ASKED_FOR) as Made[];

/** Stages that each attempt has finished by working. */
function finishedBy(jobId: JobId): Promise<{ attempt: number; stage: Made }[]> {
  return scene.context.sql(
    "SELECT attempt, stage FROM checkpoints WHERE job_id = $1 AND status = 'passed' AND stage = ANY($2) ORDER BY attempt",
    [jobId, STAGES],
  );
}

/** Where a worker dies, and how many stages are finished by then: those another worker must not do again. */
const POINTS: readonly (readonly [point: string, finished: number])[] = [
  ["after claim", 0],
  ["before validate", 0],
  ["after validate", 0],
  ["before fetch", 0],
  ["before stage-write", 0],
  ["amid stage-write", 0],
  ["after stage-write", 0],
  ["before checkpoint", 0],
  ["after checkpoint", 1],
  ["after fetch", 1],
  ["before render", 1],
  ["after render", 2],
  ["before watermark", 2],
  ["after watermark", 3],
  ["before assemble", 3],
  ["after assemble", 4],
  ["before verify", 4],
  ["after verify", 5],
  ["before publish", 5],
  ["before commit", 5],
];
/** From here on the bytes are archived: they are found, and nothing is made. The number is of artifacts on record. */
const COMMITTED: readonly (readonly [point: string, records: number])[] = [
  ["after commit", 0],
  ["before published", 0],
  ["after published", 1],
  ["before record", 1],
  ["after record", 1],
  ["after publish", 1],
  ["before settle", 1],
];
/** From here on the job is done. The number is of directories left. */
const SETTLED: readonly (readonly [point: string, directories: number])[] = [
  ["after settle", 1],
  ["before erase", 1],
  ["after erase", 0],
];

/** What a worker elsewhere makes of a job whose worker died before it had committed. */
async function expectTakenUp(jobId: JobId, count: number): Promise<void> {
  const { context, worker } = scene;
  expect(await jobRow(context, jobId)).toMatchObject({ attempt: 1, state: "running" });
  expect(await scene.artifactsOf(jobId)).toEqual([]);
  const finished = (await finishedBy(jobId)).map(({ stage }) => stage);
  expect(new Set(finished)).toEqual(new Set(STAGES.slice(0, count)));
  leaseLapses();
  worker.asked.length = 0;
  await worker.deliver(jobId, { stageMsMin: 0 });
  expect(await jobRow(context, jobId)).toMatchObject({ state: "completed", attempt: 2 });
  expect(new Set(worker.asked)).toEqual(new Set(STAGES.slice(count).map((stage) => ASKED_FOR[stage])));
  const worked = (await finishedBy(jobId)).map(({ stage }) => stage);
  expect(worked).toHaveLength(STAGES.length);
  expect(new Set(worked).size).toBe(STAGES.length);
  await expectTheSameBook(jobId);
}

async function expectFound(jobId: JobId, records: number): Promise<void> {
  const { context, worker } = scene;
  expect((await jobRow(context, jobId)).state).toBe(records === 1 ? "published" : "running");
  expect(await scene.artifactsOf(jobId)).toHaveLength(records);
  leaseLapses();
  worker.asked.length = 0;
  await worker.deliver(jobId);
  expect(worker.asked).toEqual([]);
  expect(await jobRow(context, jobId)).toMatchObject({ state: "completed", attempt: 2 });
  await expectTheSameBook(jobId);
}

describe("a worker that leaves every output behind and stops for ever in the middle of a book", () => {
  it.each(POINTS)(
    "%s: a worker elsewhere ends it in the same one artifact, and does none of the %d finished stages again [C134,C141,C142,C158,C159,C167,C254,C447]",
    async (at, count) => {
      const { host, worker } = await scene.workerElsewhere();
      const jobId = await sameBookAgain();
      await freezes(worker, jobId, at, 0);
      await expectTakenUp(jobId, count);
      expect(await swept(host)).toBe(at === "after claim" ? 0 : 1);
    },
  );

  it.each(COMMITTED)(
    "%s: a worker elsewhere finds the bytes, makes nothing, and ends it in the same one artifact [C141,C167,C254,C275,C447]",
    async (at, records) => {
      const { host, worker } = await scene.workerElsewhere();
      const jobId = await sameBookAgain();
      await freezes(worker, jobId, at, 0);
      await expectFound(jobId, records);
      expect(await swept(host)).toBe(1);
    },
  );

  it.each(SETTLED)("%s: the job was done, and stays done [C167,C447]", async (at, directories) => {
    const { host, worker } = await scene.workerElsewhere();
    const jobId = await sameBookAgain();
    await freezes(worker, jobId, at, 0);
    leaseLapses();
    await scene.worker.deliver(jobId);
    expect(scene.worker.asked).toEqual([]);
    expect(await jobRow(scene.context, jobId)).toMatchObject({ state: "completed", attempt: 1 });
    await expectTheSameBook(jobId);
    expect(await swept(host)).toBe(directories);
  });

  it("before it claims has changed nothing [C167]", async () => {
    const jobId = await sameBookAgain();
    await freezes(scene.worker, jobId, "before claim");
    expect(await jobRow(scene.context, jobId)).toMatchObject({ state: "queued", attempt: 0 });
  });

  it.each([
    ["after fetch", "before resume", ["render", "stamp", "assemble", "verify"]],
    ["after fetch", "after resume", ["render", "stamp", "assemble", "verify"]],
    ["after render", "after assemble", ["verify"]],
    ["after assemble", "after verify", []],
  ])("%s, and the next %s: a third goes on from there [C142,C167]", async (first, second, asked) => {
    const { context, worker } = scene;
    const elsewhere = await scene.workerElsewhere();
    const jobId = await sameBookAgain();
    await freezes(elsewhere.worker, jobId, first, 0);
    leaseLapses();
    await freezes(elsewhere.worker, jobId, second, 0);
    leaseLapses();
    worker.asked.length = 0;
    await worker.deliver(jobId, { stageMsMin: 0 });
    expect(new Set(worker.asked)).toEqual(new Set(asked));
    expect(await jobRow(context, jobId)).toMatchObject({ state: "completed", attempt: 3 });
    await expectTheSameBook(jobId);
    await swept(elsewhere.host);
  });
});

describe("a worker process that leaves every output behind, killed in the middle of a book", () => {
  it.each([
    ["amid stage-write", 0],
    ["during render", 1],
    ["during assemble", 3],
    ["after verify", 5],
  ])(
    "%s: a worker elsewhere ends it in the same one artifact, and does none of the %d finished stages again [C134,C141,C142,C167,C296,C447,C456]",
    async (at, count) => {
      const { host } = await scene.workerElsewhere();
      const jobId = await sameBookAgain();
      await dies(host, jobId, at, 0);
      await expectTakenUp(jobId, count);
      expect(await swept(host)).toBe(1);
    },
  );

  it.each([
    ["after commit", 0],
    ["before settle", 1],
  ])(
    "%s: a worker elsewhere finds the bytes, makes nothing, and ends it in the same one artifact [C141,C167,C254,C275,C296,C447,C456]",
    async (at, records) => {
      const { host } = await scene.workerElsewhere();
      const jobId = await sameBookAgain();
      await dies(host, jobId, at, 0);
      await expectFound(jobId, records);
      expect(await swept(host)).toBe(1);
    },
  );
});

describe("a worker process that leaves nothing behind, killed in the middle of a book", () => {
  it.each(["during render", "after commit"])(
    "%s: another attempt on its host ends it in the same one artifact, and removes its directory [C141,C204,C254,C296,C447,C456]",
    async (at) => {
      const { context, worker, host } = scene;
      const jobId = await sameBookAgain();
      await dies(host, jobId, at);
      expect(await host.leftovers()).toHaveLength(1);
      leaseLapses();
      await worker.deliver(jobId);
      expect(await host.leftovers()).toEqual([]);
      const all = ["prepare", "render", "stamp", "assemble", "verify"];
      expect(new Set(worker.asked)).toEqual(new Set(at === "after commit" ? [] : all));
      expect(await jobRow(context, jobId)).toMatchObject({ state: "completed", attempt: 2 });
      await expectTheSameBook(jobId);
    },
  );
});

describe("a worker that dies", () => {
  it("after the commit of its last attempt, its deadline past: found all the same, and its record written [C192,C275]", async () => {
    const { context, worker } = scene;
    const original = await submitted(context, scene.actor, newPacket(today()));
    const jobId = await copyOfJob(context, original, { changes: { attempts_max: 1 } });
    await freezes(worker, jobId, "after commit");
    const days = 90 * 86_400_000;
    context.clock.advance(days);
    worker.asked.length = 0;
    await worker.deliver(jobId);
    context.clock.advance(-days);
    expect(worker.asked).toEqual([]);
    expect(await jobRow(context, jobId)).toMatchObject({ state: "completed", attempt: 2 });
    expect(await scene.artifactsOf(jobId)).toHaveLength(1);
  });

  it("is never said to have succeeded while it has not [C253,C254]", async () => {
    const { context, actor, worker } = scene;
    const jobId = await submitted(context, actor, newPacket(today()));
    await freezes(worker, jobId, "after verify");
    expect(await readPacket(context, actor, jobId)).toMatchObject({
      state: "running",
      artifact: null,
      mayDownload: false,
    });
    leaseLapses();
    await worker.deliver(jobId);
    expect(await readPacket(context, actor, jobId)).toMatchObject({ state: "succeeded", mayDownload: true });
  });
});

describe("a job whose workers die every time", () => {
  it("ends before an operator once its attempts are used up, never in an endless loop [C129,C143]", async () => {
    const { context, worker, actor } = scene;
    const jobId = await submitted(context, actor, newPacket(today()));
    const dying = {
      workspaceBudget: {
        bytesUsed: () => 0,
        hasRoom: async () => true,
        admit: () => new Promise<never>(() => undefined),
      },
    };
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      // Claimed, and never heard of again.
      void worker.deliver(jobId, dying);
      while ((await jobRow(context, jobId)).attempt < attempt) await new Promise(setImmediate);
      leaseLapses();
    }
    await worker.deliver(jobId);
    expect(await jobRow(context, jobId)).toMatchObject({
      state: "dead_letter",
      failure_code: "lease_lost",
      attempt: 6,
    });
    expect(worker.asked).toEqual([]);
  });
});

describe("a worker that dies right after it stored a preview", () => {
  it("leaves bytes that are erased at their minute, though the preview was never finished [C168,C308]", async () => {
    const { context, worker, host, actor } = scene;
    const { jobId } = await previewPacket(context, actor, newPacket(today()));
    await freezes(scene.worker, jobId, "after commit");
    const [row] = await context.sql("SELECT preview_key, erased_at FROM previews WHERE job_id = $1", [jobId]);
    const key = row?.preview_key as Parameters<typeof host.stores.previews.stat>[0];
    expect(await host.stores.previews.stat(key)).not.toBeNull();
    context.clock.advance(worker.tools.previewMsMax);
    await worker.deliver(jobId, {}, "interactive");
    expect(await jobRow(context, jobId)).toMatchObject({ state: "dead_letter", failure_code: "deadline_passed" });
    expect(await eraseExpiredInputs(worker.tools)).toMatchObject({ previews: 1 });
    expect(await host.stores.previews.stat(key)).toBeNull();
  });
});
