import { existsSync, globSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PacketFailure } from "@/server/domain/failure";
import { digestOf, type JobId, type StagedKey } from "@/server/domain/ids";
import { LANE } from "@/server/domain/lane";
import { STAGE_ATTEMPTS_MAX } from "@/server/domain/retry-policy";
import { depotReport } from "@/server/packets/depot-report";
import { onboardingPacket } from "@/server/packets/onboarding-packet";
import { readPacket } from "@/server/services/packets/read-packet";
import { jobRow, newBook, submitted } from "@/server/services/test-requests";
import { claim } from "./begin-attempt";
import { openJournal } from "./journal";
import { fenceOf } from "./publish";
import { STAGES } from "./stages/index";
import { stageOutput } from "./staging";
import { copyOfJob, pagesOfWidth, sampleRequest, uploaded, widthsIn } from "./test-packets";
import { testScene } from "./test-scene";
import { replacing, type TestWorker, type WorkerTools } from "./test-worker";
import type { Work } from "./work";

const scene = testScene();
const EVERYTHING = { stageMsMin: 0 };
const ALL = ["prepare", "render", "stamp", "assemble", "verify"];

interface StagedRow {
  readonly attempt: number;
  readonly stage: string;
  readonly index: number;
  readonly key: StagedKey;
  readonly bytes: string;
  readonly digest: string;
  readonly erase_by: Date;
}

const stagedBy = (jobId: JobId): Promise<StagedRow[]> =>
  scene.context.sql("SELECT * FROM staged_files WHERE job_id = $1 ORDER BY attempt, created_at, stage, index", [jobId]);

const checkpointsOf = (jobId: JobId) =>
  scene.context.sql<{ attempt: number; stage: string; status: string; evidence: Record<string, unknown> }>(
    "SELECT attempt, stage, status, evidence FROM checkpoints WHERE job_id = $1 ORDER BY attempt, started_at",
    [jobId],
  );

/** Tools whose children fail at this operation, for a reason that may pass; every output is left behind. */
function failingAt(worker: TestWorker, op: string, code: "renderer_lost" | "storage_unavailable" = "renderer_lost") {
  const ask: WorkerTools["renderers"]["ask"] = async (asked, request, setting) => {
    if (asked === op) throw new PacketFailure(code);
    return worker.tools.renderers.ask(asked, request, setting);
  };
  return { ...EVERYTHING, renderers: { ask } };
}

let sources: string[] | undefined;

async function newSmallBook(): Promise<JobId> {
  sources ??= [await uploaded(scene, await pagesOfWidth(301, 2)), await uploaded(scene, await pagesOfWidth(302))];
  return submitted(scene.context, scene.actor, newBook(sources));
}

let original: { readonly jobId: JobId; readonly clean: string } | undefined;

/** A book, and the digest of a copy that was made without trouble. */
async function bookAndDigest({ isAtHome = true } = {}): Promise<{ jobId: JobId; clean: string }> {
  if (original === undefined) {
    const jobId = await newSmallBook();
    const first = await copyOfJob(scene.context, jobId, { isAtHome: true });
    await scene.worker.deliver(first);
    original = { jobId, clean: (await scene.artifactOf(first)).digest };
  }
  scene.worker.asked.length = 0;
  return { jobId: await copyOfJob(scene.context, original.jobId, { isAtHome }), clean: original.clean };
}

const nextTry = () => scene.context.clock.advance(60_000);

describe("a job whose worker fails midway", () => {
  it.each([
    ["there", "here"],
    ["here", "there"],
  ])("%s is finished by the other, which shares no path with it but the stores [C134,C142]", async (first) => {
    const { context } = scene;
    const { worker: there } = await scene.workerElsewhere();
    const [one, other] = first === "there" ? [there, scene.worker] : [scene.worker, there];
    expect(one.tools.workspaceDirectory).not.toBe(other.tools.workspaceDirectory);
    const { jobId, clean } = await bookAndDigest();
    await one.deliver(jobId, failingAt(one, "assemble"));
    expect(await jobRow(context, jobId)).toMatchObject({ state: "retry_wait", failure_stage: "assemble" });
    nextTry();
    other.asked.length = 0;
    await other.deliver(jobId, EVERYTHING);
    expect(other.asked).toEqual(["assemble", "verify"]);
    expect(await jobRow(context, jobId)).toMatchObject({ state: "completed", attempt: 2 });
    expect((await scene.artifactOf(jobId)).digest).toBe(clean);
  });

  it("says of each stage which attempt had finished it, in record, log and timeline [C142,C166]", async () => {
    const { context, worker } = scene;
    const jobId = await newSmallBook();
    await worker.deliver(jobId, failingAt(worker, "assemble"));
    nextTry();
    worker.lines.length = 0;
    await worker.deliver(jobId, EVERYTHING);
    const second = (await checkpointsOf(jobId)).filter(({ attempt }) => attempt === 2);
    expect(Object.fromEntries(second.map(({ stage, status }) => [stage, status]))).toEqual({
      ...{ validate: "passed", fetch: "resumed", render: "resumed", watermark: "resumed" },
      ...{ assemble: "passed", verify: "passed", publish: "passed", erase: "passed" },
    });
    for (const { stage, status, evidence } of second) {
      if (status === "resumed") expect([stage, evidence.fromAttempt]).toEqual([stage, 1]);
    }
    const logged = worker.lines.filter(({ event }) => event === "stage_done");
    expect(logged.map(({ stage, outcome }) => [stage, outcome])).toEqual([
      ["validate", "passed"],
      ["fetch", "resumed"],
      ["render", "resumed"],
      ["watermark", "resumed"],
      ["assemble", "passed"],
      ["verify", "passed"],
      ["publish", "passed"],
      ["erase", "passed"],
    ]);
    const { stages } = await readPacket(context, scene.actor, jobId);
    expect(stages.every(({ status }) => status === "passed")).toBe(true);
    expect(stages.find(({ name }) => name === "fetch")?.pages).toBe(3);
  });

  it.each([onboardingPacket, depotReport].map((kind) => [kind.name, kind] as const))(
    "%s: is the same document, whichever stages were taken up [C142]",
    async (_, kind) => {
      const { context, worker } = scene;
      const { worker: there } = await scene.workerElsewhere();
      const jobId = await submitted(context, scene.actor, await sampleRequest(scene, kind));
      const first = await copyOfJob(context, jobId);
      await worker.deliver(first);
      await there.deliver(jobId, failingAt(there, "assemble"));
      nextTry();
      await worker.deliver(jobId, failingAt(worker, "verify"));
      nextTry();
      there.asked.length = 0;
      await there.deliver(jobId);
      expect(there.asked).toEqual(["verify"]);
      expect(await jobRow(context, jobId)).toMatchObject({ state: "completed", attempt: 3 });
      expect((await scene.artifactOf(jobId)).digest).toBe((await scene.artifactOf(first)).digest);
    },
  );
});

describe("an output that cannot be used", () => {
  const key = async (jobId: JobId, stage: string) => {
    const row = (await stagedBy(jobId)).find((entry) => entry.stage === stage);
    return row?.key ?? ("" as StagedKey);
  };
  async function replaced(jobId: JobId, stage: string, content: string): Promise<void> {
    const { staging } = scene.host.stores;
    const other = join(scene.host.root, "other.bin");
    await writeFile(other, content);
    await staging.erase(await key(jobId, stage));
    await staging.commit(await key(jobId, stage), other, digestOf(content));
  }
  interface Trouble {
    readonly what: string;
    readonly asked: readonly string[];
    readonly changes?: Partial<WorkerTools>;
    /** Whether it makes another document. */
    readonly isOther?: boolean;
    befall?(jobId: JobId): Promise<unknown>;
  }
  const silent = () => Promise.reject(new PacketFailure("storage_unavailable"));
  const TROUBLES: readonly Trouble[] = [
    {
      what: "altered in the store",
      befall: (jobId) => replaced(jobId, "render", "%PDF-1.7 else"),
      asked: ["render", "assemble", "verify"],
    },
    {
      what: "longer in the store",
      befall: (jobId) => replaced(jobId, "render", "x".repeat(99_999)),
      asked: ["render", "assemble", "verify"],
    },
    {
      what: "gone from the store",
      befall: async (jobId) => scene.host.stores.staging.erase(await key(jobId, "fetch")),
      asked: ["prepare", "assemble", "verify"],
    },
    {
      what: "erased on record",
      befall: (jobId) =>
        scene.context.sql("UPDATE staged_files SET erased_at = now() WHERE job_id = $1 AND stage = 'watermark'", [
          jobId,
        ]),
      asked: ["stamp", "assemble", "verify"],
    },
    {
      what: "made under another letterhead",
      befall: (jobId) =>
        scene.context.sql(
          "UPDATE tenants SET accent = '#123456' WHERE id = (SELECT tenant_id FROM jobs WHERE id = $1)",
          [jobId],
        ),
      asked: ALL,
      isOther: true,
    },
    { what: "made by another renderer build", changes: { rendererBuild: "another" }, asked: ALL },
  ];

  it.each(TROUBLES)(
    "$what is made again, and costs the packet nothing [C142]",
    async ({ befall, asked, changes, isOther = false }) => {
      const { context, worker } = scene;
      const { jobId, clean } = await bookAndDigest({ isAtHome: !isOther });
      await worker.deliver(jobId, failingAt(worker, "assemble"));
      await befall?.(jobId);
      nextTry();
      worker.asked.length = 0;
      await worker.deliver(jobId, { ...EVERYTHING, ...changes });
      expect(new Set(worker.asked)).toEqual(new Set(asked));
      expect(await jobRow(context, jobId)).toMatchObject({ state: "completed", attempt: 2 });
      expect((await scene.artifactOf(jobId)).digest === clean).toBe(!isOther);
    },
  );

  it("because its store does not answer is made again, and costs the packet nothing [C142]", async () => {
    const { context, worker, host } = scene;
    const { jobId, clean } = await bookAndDigest();
    await worker.deliver(jobId, failingAt(worker, "assemble"));
    nextTry();
    worker.asked.length = 0;
    await worker.deliver(jobId, { ...EVERYTHING, staging: replacing(host.stores.staging, { open: silent }) });
    expect(new Set(worker.asked)).toEqual(new Set(ALL));
    expect(await jobRow(context, jobId)).toMatchObject({ state: "completed", attempt: 2 });
    expect((await scene.artifactOf(jobId)).digest).toBe(clean);
  });

  it("leads back to those of an older attempt, where they are whole [C142]", async () => {
    const { context, worker } = scene;
    const { jobId, clean } = await bookAndDigest();
    await worker.deliver(jobId, failingAt(worker, "verify"));
    await scene.host.stores.staging.erase(await key(jobId, "assemble"));
    nextTry();
    worker.asked.length = 0;
    await worker.deliver(jobId, EVERYTHING);
    expect(worker.asked).toEqual(["assemble", "verify"]);
    expect((await scene.artifactOf(jobId)).digest).toBe(clean);
    expect(await jobRow(context, jobId)).toMatchObject({ state: "completed", attempt: 2 });
  });

  it("of which the facts on record do not fit the files is made again [C142]", async () => {
    const { context, worker } = scene;
    const { jobId, clean } = await bookAndDigest();
    await worker.deliver(jobId, failingAt(worker, "assemble"));
    await context.sql(
      `UPDATE checkpoints SET evidence = jsonb_set(evidence, '{staged,facts,parts,0,chunks,0,file}', '77')
       WHERE job_id = $1 AND stage = 'render'`,
      [jobId],
    );
    nextTry();
    worker.asked.length = 0;
    await worker.deliver(jobId, EVERYTHING);
    expect(new Set(worker.asked)).toEqual(new Set(["render", "assemble", "verify"]));
    expect((await scene.artifactOf(jobId)).digest).toBe(clean);
  });
});

describe("what a stage leaves", () => {
  it("is on record before its bytes are anywhere, and its bytes before its checkpoint, with the job's own deadline [C21,C158,C159,C312]", async () => {
    const { context, worker, host } = scene;
    const jobId = await newSmallBook();
    const { erase_by } = await jobRow(context, jobId);
    let commits = 0;
    const staging = replacing(host.stores.staging, {
      commit: async (key, path, digest) => {
        commits += 1;
        const rows = await stagedBy(jobId);
        const row = rows.find((entry) => entry.key === key);
        expect(row).toMatchObject({ digest, erase_by, attempt: 1 });
        expect(await host.stores.staging.stat(key)).toBeNull();
        const stages = (await checkpointsOf(jobId)).map(({ stage }) => stage);
        expect(stages).not.toContain(row?.stage);
        return host.stores.staging.commit(key, path, digest);
      },
    });
    await worker.deliver(jobId, { ...EVERYTHING, staging });
    const rows = await stagedBy(jobId);
    expect(commits).toBe(rows.length);
    expect(new Set(rows.map(({ stage }) => stage))).toEqual(new Set(["fetch", "render", "watermark", "assemble"]));
    for (const { key, bytes, digest } of rows) {
      expect(await host.stores.staging.stat(key)).toEqual({ bytes: Number(bytes) });
      expect(await host.stores.staging.digestOf(key)).toBe(digest);
    }
    for (const { stage, evidence } of await checkpointsOf(jobId)) {
      const { staged } = evidence as { staged?: { files: object[]; rendererBuild: string } };
      const files = rows.filter((row) => row.stage === stage);
      if (files.length === 0) expect(staged).toBeUndefined();
      else expect(staged).toMatchObject({ rendererBuild: worker.tools.rendererBuild });
      expect(staged?.files ?? []).toEqual(
        files.sort((a, b) => a.index - b.index).map(({ bytes, digest }) => ({ bytes: Number(bytes), digest })),
      );
    }
  });

  it("goes to paths that were not there before [C159]", async () => {
    const { worker } = scene;
    const paths: string[] = [];
    const watching = scene.asking(async ({ outputPath, run }) => {
      if (outputPath === undefined) return run();
      expect(existsSync(outputPath)).toBe(false);
      const answer = await run();
      expect(existsSync(outputPath)).toBe(true);
      paths.push(outputPath);
      return answer;
    });
    await worker.deliver(await newSmallBook(), watching);
    expect(paths.length).toBeGreaterThan(3);
    expect(new Set(paths).size).toBe(paths.length);
  });

  it("is nothing where making it was cheap, and all of it in the lane of large work", async () => {
    const { context, worker } = scene;
    const jobId = await newSmallBook();
    const large = await copyOfJob(context, jobId, { changes: { lane: "oversize" } });
    const slow = await copyOfJob(context, jobId);
    await worker.deliver(jobId);
    expect(await stagedBy(jobId)).toEqual([]);
    await worker.deliver(large, {}, "oversize");
    const stages = async (id: JobId) => [...new Set((await stagedBy(id)).map(({ stage }) => stage))].sort();
    expect(await stages(large)).toEqual(["assemble", "fetch", "render", "watermark"]);
    const taking = scene.asking(async ({ op, run }) => {
      const answer = await run();
      if (op === "assemble") context.clock.advance(worker.tools.stageMsMin);
      return answer;
    });
    await worker.deliver(slow, taking);
    expect(await stages(slow)).toEqual(["assemble"]);
  });

  it("is left by the attempt that holds the lease, and by no other [C148]", async () => {
    const { context, worker, host } = scene;
    const jobId = await newSmallBook();
    const stale = await claim(worker.tools, jobId, "archive");
    if (stale === null) throw new RangeError("The job was not claimed.");
    const { leaseMs, durationMsMax } = LANE.archive;
    const journal = openJournal({ ...worker.tools, fence: fenceOf(stale.job), leaseMs, durationMsMax });
    context.clock.advance(leaseMs + 1);
    expect(await claim({ ...worker.tools, workerId: "wrk_other" }, jobId, "archive")).not.toBeNull();
    const until = (await jobRow(context, jobId)).lease_until;
    const path = join(host.root, "stamp.pdf");
    await writeFile(path, "%PDF-1.7 of a stale attempt");
    const watermark = STAGES.find(({ name }) => name === "watermark");
    const work = { lane: "archive", products: { stampPath: path } } as Work;
    let commits = 0;
    const staging = replacing(host.stores.staging, {
      commit: async () => {
        commits += 1;
        return "committed";
      },
    });
    const leaving = stageOutput({ ...worker.tools, staging, stageMsMin: 0 }, stale.job, journal, watermark ?? never(), {
      work,
      ms: 0,
    });
    await expect(leaving).rejects.toMatchObject({ code: "lease_lost" });
    expect(commits).toBe(0);
    expect(await stagedBy(jobId)).toEqual([]);
    expect((await jobRow(context, jobId)).lease_until).toEqual(until);
  });

  it("never outlives the deadline of its job: what would have to go meanwhile is not stored, or goes again [C21,C312]", async () => {
    const { context, worker, host } = scene;
    const jobId = await newSmallBook();
    const inMs = (ms: number) => new Date(context.clock.now().getTime() + ms);
    const budgetMs = LANE.archive.durationMsMax;
    const soon = await copyOfJob(context, jobId, { changes: { finish_by: inMs(budgetMs), erase_by: inMs(budgetMs) } });
    await worker.deliver(soon, EVERYTHING);
    expect(await jobRow(context, soon)).toMatchObject({ state: "completed" });
    expect(await stagedBy(soon)).toEqual([]);

    const late = await copyOfJob(context, jobId, {
      changes: { finish_by: inMs(budgetMs + 1), erase_by: inMs(budgetMs + 1) },
    });
    const commit: WorkerTools["staging"]["commit"] = async (...args) => {
      // As where the machine stood still in the middle.
      context.clock.advance(budgetMs + 1);
      return host.stores.staging.commit(...args);
    };
    await worker.deliver(late, { ...EVERYTHING, staging: replacing(host.stores.staging, { commit }) });
    const rows = await stagedBy(late);
    expect(new Set(rows.map(({ stage }) => stage))).toEqual(new Set(["fetch"]));
    for (const { key } of rows) expect(await host.stores.staging.stat(key)).toBeNull();
  });

  it("that the store does not take is left out, and the packet is made all the same", async () => {
    const { context, worker, host } = scene;
    const { jobId, clean } = await bookAndDigest();
    const staging = replacing(host.stores.staging, {
      commit: () => Promise.reject(new PacketFailure("storage_unavailable")),
    });
    await worker.deliver(jobId, { ...EVERYTHING, staging });
    expect(await jobRow(context, jobId)).toMatchObject({ state: "completed", attempt: 1 });
    expect((await scene.artifactOf(jobId)).digest).toBe(clean);
    expect(worker.lines).toContainEqual(expect.objectContaining({ event: "output_not_staged", stage: "fetch" }));
    for (const { evidence } of await checkpointsOf(jobId)) expect(evidence).not.toHaveProperty("staged");
  });

  it("names no title, name or path on record [C255]", async () => {
    const { context, worker, host } = scene;
    const source = await uploaded(scene, await pagesOfWidth(303), { title: "canary-title.pdf" });
    const request = newBook([source]);
    const payload = { ...Object(request.payload), watermark: "Canary watermark" };
    const jobId = await submitted(context, scene.actor, { ...request, payload });
    await worker.deliver(jobId, EVERYTHING);
    const record = JSON.stringify([await checkpointsOf(jobId), await stagedBy(jobId)]);
    for (const secret of ["anary", "Paper", "board", host.root, host.workspaces, ".pdf", ".bin"]) {
      expect(record.includes(secret), secret).toBe(false);
    }
  });

  it("is kept where the web process has no way to: not among artifacts, previews or uploads [C255]", async () => {
    const { context, worker, host } = scene;
    const jobId = await newSmallBook();
    await worker.deliver(jobId, failingAt(worker, "verify"));
    const rows = await stagedBy(jobId);
    expect(rows.length).toBeGreaterThan(3);
    for (const { key } of rows) {
      for (const store of [host.stores.archive, host.stores.previews, host.stores.sources]) {
        await expect(store.open(key as never)).rejects.toMatchObject({ code: "not_found" });
      }
    }
    expect(await scene.artifactsOf(jobId)).toEqual([]);
    expect(await readPacket(context, scene.actor, jobId)).toMatchObject({ mayDownload: false, artifact: null });
  });
});

describe("the web process", () => {
  it("has no way to what stages leave: its code makes no key for it and opens no such store [C255]", () => {
    const files = globSync("{app/**/*.{ts,tsx},server/{api,auth,http,services}/**/*.ts,server/wiring.ts}", {
      exclude: (name) => /test/.test(String(name)),
    });
    expect(files.length).toBeGreaterThan(50);
    for (const file of files)
      expect(readFileSync(file, "utf8"), file).not.toMatch(/stagedKey|StagedKey|stagingDirectory/);
  });
});

describe("attempts", () => {
  it("are bounded, and so is the time for which anything they left is kept [C319]", async () => {
    const { context, worker } = scene;
    const jobId = await newSmallBook();
    const { erase_by } = await jobRow(context, jobId);
    for (let attempt = 1; attempt <= 9; attempt += 1) {
      await worker.deliver(jobId, { ...failingAt(worker, "verify"), rendererBuild: `build-${attempt}` });
      nextTry();
    }
    expect(await jobRow(context, jobId)).toMatchObject({ state: "dead_letter", attempt: STAGE_ATTEMPTS_MAX, erase_by });
    const rows = await stagedBy(jobId);
    expect(new Set(rows.map(({ attempt }) => attempt)).size).toBe(STAGE_ATTEMPTS_MAX);
    for (const row of rows) expect(row.erase_by).toEqual(erase_by);
    expect(context.clock.now().getTime()).toBeLessThan((erase_by as Date).getTime());
  });

  it.each(["prepare", "render", "stamp", "assemble", "verify"])(
    "that lose what %s has just made do the very same again [C157]",
    async (op) => {
      const { context, worker } = scene;
      const { jobId, clean } = await bookAndDigest();
      let isLost = false;
      const losing = scene.asking(async ({ op: asked, run }) => {
        const answer = await run();
        if (asked !== op || isLost) return answer;
        isLost = true;
        throw new PacketFailure("renderer_lost");
      });
      await worker.deliver(jobId, losing);
      expect((await jobRow(context, jobId)).state).toBe("retry_wait");
      nextTry();
      worker.asked.length = 0;
      await worker.deliver(jobId);
      expect(new Set(worker.asked)).toEqual(new Set(ALL));
      expect((await scene.artifactOf(jobId)).digest).toBe(clean);
      const evidence = async (attempt: number) =>
        Object.fromEntries(
          (await checkpointsOf(jobId)).filter((row) => row.attempt === attempt).map((row) => [row.stage, row.evidence]),
        );
      const [first, second] = [await evidence(1), await evidence(2)];
      for (const stage of Object.keys(first)) if (stage !== "erase") expect(second[stage]).toEqual(first[stage]);
      expect(await widthsIn(await scene.archivedBytes(jobId))).toContain(301);
    },
  );

  it.each(["prepare", "stamp", "verify"])(
    "do not complete a job while %s has not been done, whatever else has [C166]",
    async (op) => {
      const { context, worker } = scene;
      const jobId = await newSmallBook();
      await worker.deliver(jobId, failingAt(worker, op));
      const job = await jobRow(context, jobId);
      expect(job).toMatchObject({ state: "retry_wait", published_at: null });
      expect(await scene.artifactsOf(jobId)).toEqual([]);
      nextTry();
      await worker.deliver(jobId);
      const last = (await checkpointsOf(jobId)).filter(({ attempt }) => attempt === 2);
      expect(new Set(last.map(({ stage }) => stage))).toEqual(
        new Set(["validate", "fetch", "render", "watermark", "assemble", "verify", "publish", "erase"]),
      );
      expect((await jobRow(context, jobId)).state).toBe("completed");
    },
  );
});

function never(): never {
  throw new RangeError("There is no such stage.");
}
