import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { systemClock } from "@/server/adapters/clock/system";
import { PacketFailure } from "@/server/domain/failure";
import type { JobId } from "@/server/domain/ids";
import { LANE, LANES } from "@/server/domain/lane";
import { previewPacket } from "@/server/services/packets/preview-packet";
import { jobRow, newBook, newPacket, submitted } from "@/server/services/test-requests";
import { claim } from "./begin-attempt";
import { openJournal } from "./journal";
import { fenceOf } from "./publish";
import { POOL_LIMITS } from "./renderer/limits";
import { createPool, type Pool } from "./renderer/pool";
import { settle } from "./settle";
import { copyOfJob, pagesOfWidth, uploaded } from "./test-packets";
import { testScene } from "./test-scene";
import { replacing, type WorkerTools } from "./test-worker";

const scene = testScene();
const { leaseMs, durationMsMax } = LANE.archive;
const packet = () => submitted(scene.context, scene.actor, newPacket());

/** Everything on record about a job that a stale attempt must not touch: all but that its own directory is gone. */
async function imageOf(jobId: JobId): Promise<unknown> {
  const [image] = await scene.context.sql(
    `SELECT (SELECT to_jsonb(j) FROM jobs j WHERE id = $1) AS job,
       (SELECT jsonb_agg(to_jsonb(a) - 'workspace_erased_at' ORDER BY number) FROM attempts a WHERE job_id = $1) AS attempts,
       (SELECT jsonb_agg(to_jsonb(c) ORDER BY attempt, stage) FROM checkpoints c WHERE job_id = $1 AND stage <> 'erase') AS checkpoints,
       (SELECT jsonb_agg(to_jsonb(a)) FROM artifacts a WHERE job_id = $1) AS artifacts,
       (SELECT jsonb_agg(to_jsonb(e) ORDER BY id) FROM audit_events e WHERE subject_id = $1) AS events`,
    [jobId],
  );
  return image;
}

describe("a claim", () => {
  it("takes a lease that ends, and no one else gets the job before [C148,C460]", async () => {
    const { context, worker } = scene;
    const jobId = await packet();
    const until = new Date(context.clock.now().getTime() + leaseMs);
    expect(await claim(worker.tools, jobId, "archive")).toMatchObject({ state: "running", job: { attempt: 1 } });
    expect(await jobRow(context, jobId)).toMatchObject({ state: "running", lease_until: until, worker_id: "wrk_1" });
    context.clock.advance(leaseMs);
    expect(await claim(worker.tools, jobId, "archive")).toBeNull();
    context.clock.advance(1);
    expect(await claim({ ...worker.tools, workerId: "wrk_9" }, jobId, "archive")).toMatchObject({
      job: { attempt: 2 },
    });
    expect(await jobRow(context, jobId)).toMatchObject({ worker_id: "wrk_9", attempt: 2 });
    const attempts = await context.sql(
      "SELECT number, outcome, failure_code FROM attempts WHERE job_id = $1 ORDER BY 1",
      [jobId],
    );
    expect(attempts).toEqual([
      { number: 1, outcome: "lost", failure_code: "lease_lost" },
      { number: 2, outcome: null, failure_code: null },
    ]);
  });

  it("is won by one of thirty at once [C148,C199]", async () => {
    const { worker } = scene;
    const jobId = await packet();
    const claims = await Promise.all(Array.from({ length: 30 }, () => claim(worker.tools, jobId, "archive")));
    expect(claims.filter((won) => won !== null)).toHaveLength(1);
  });

  it.each(LANES)("in lane %s lasts longer than the renderer may take [C171]", (lane) => {
    expect(LANE[lane].renderMsMax).toBeLessThan(LANE[lane].leaseMs);
  });
});

describe("a lease", () => {
  it("is renewed when something is done, and by nothing else [C172,C183]", async () => {
    const { context, worker } = scene;
    const jobId = await packet();
    const claimed = await claim(worker.tools, jobId, "archive");
    if (claimed === null) throw new RangeError("The job was not claimed.");
    const journal = openJournal({ ...worker.tools, fence: fenceOf(claimed.job), leaseMs, durationMsMax });
    const leaseUntil = async () => (await jobRow(context, jobId)).lease_until?.getTime();
    const before = await leaseUntil();
    context.clock.advance(leaseMs / 2);
    await journal.close();
    expect(await leaseUntil()).toBe(before);
    journal.pulse.progress();
    await journal.close();
    expect(await leaseUntil()).toBe(context.clock.now().getTime() + leaseMs);
    context.clock.advance(leaseMs / 4);
    journal.pulse.progress();
    await journal.close();
    expect(await leaseUntil()).toBe(context.clock.now().getTime() + leaseMs - leaseMs / 4);
  });

  it("is renewed, and the stage shown, as soon as a stage turns out to be a long one [C152]", async () => {
    const { context, worker } = scene;
    const jobId = await packet();
    const claimed = await claim(worker.tools, jobId, "archive");
    if (claimed === null) throw new RangeError("The job was not claimed.");
    const journal = openJournal({ ...worker.tools, fence: fenceOf(claimed.job), leaseMs, durationMsMax });
    const stageAfter = async (ms: number) => {
      context.clock.advance(ms);
      journal.pulse.progress();
      await journal.close();
      return (await jobRow(context, jobId)).stage;
    };
    journal.begin("render");
    expect(await stageAfter(400)).toBeNull();
    expect(await stageAfter(1)).toBe("render");
    const until = (await jobRow(context, jobId)).lease_until;
    expect(await stageAfter(1_000)).toBe("render");
    expect((await jobRow(context, jobId)).lease_until).toEqual(until);
  });

  it("whose loss is noticed stops the attempt at once, with the children it asked [C172]", async () => {
    const { context, worker } = scene;
    const other = await scene.secondWorker();
    const jobId = await packet();
    let wasStopped = false;
    await worker.deliver(jobId, {
      renderers: {
        ask: async (op, request, setting) => {
          if (op !== "assemble") return worker.tools.renderers.ask(op, request, setting);
          context.clock.advance(leaseMs + 1);
          expect(await claim({ ...other.tools, workerId: "wrk_other" }, jobId, "archive")).not.toBeNull();
          setting.onProgress();
          while (!setting.signal.aborted) await setImmediate();
          wasStopped = true;
          throw setting.signal.reason;
        },
      },
    });
    expect(wasStopped).toBe(true);
    expect(await jobRow(context, jobId)).toMatchObject({ state: "running", attempt: 2, worker_id: "wrk_other" });
    expect(worker.lines.map((line) => line.event)).toContain("attempt_fenced");
  });

  it("that lapses on a worker which was only slow is still its own while nobody else took the job", async () => {
    const { context, worker } = scene;
    const jobId = await packet();
    const slow = scene.asking(async ({ op, run }) => {
      if (op === "assemble") context.clock.advance(leaseMs * 2);
      return run();
    });
    await worker.deliver(jobId, slow);
    expect(await jobRow(context, jobId)).toMatchObject({ state: "completed", attempt: 1 });
  });
});

describe("a stale attempt, whose job another one has completed meanwhile, changes nothing", () => {
  /** Lets the lease lapse and another worker do the whole job. */
  async function overtaken(jobId: JobId): Promise<unknown> {
    scene.context.clock.advance(leaseMs + 1);
    const other = await scene.secondWorker();
    await other.deliver(jobId);
    expect(await jobRow(scene.context, jobId)).toMatchObject({ state: "completed", attempt: 2 });
    return imageOf(jobId);
  }

  it.each(["render", "assemble", "verify"])("coming back at %s [C148,C289,C460]", async (point) => {
    const jobId = await packet();
    let after: unknown = null;
    const zombie = scene.asking(async ({ op, run }) => {
      if (op === point && after === null) after = await overtaken(jobId);
      return run();
    });
    await scene.worker.deliver(jobId, zombie);
    expect(await imageOf(jobId)).toEqual(after);
    expect((await scene.artifactOf(jobId)).attempt).toBe(2);
    expect(scene.worker.lines.map((line) => line.event)).toContain("attempt_fenced");
  });

  it("coming back right before its commit: one object, one record [C289,C294,C460]", async () => {
    const { worker, host } = scene;
    const jobId = await packet();
    let after: unknown = null;
    const answers: string[] = [];
    const archive = replacing(host.stores.archive, {
      commit: async (...args) => {
        after = await overtaken(jobId);
        answers.push(await host.stores.archive.commit(...args));
        return "already_committed" as const;
      },
    });
    await worker.deliver(jobId, { archive });
    expect(answers).toEqual(["already_committed"]);
    expect(await imageOf(jobId)).toEqual(after);
  });

  it("coming back right after its commit: the other had found the bytes by their digest, and rendered nothing [C192,C275,C294]", async () => {
    const { worker, host, context } = scene;
    const jobId = await packet();
    const other = await scene.secondWorker();
    let after: unknown = null;
    const archive = replacing(host.stores.archive, {
      commit: async (...args) => {
        const answer = await host.stores.archive.commit(...args);
        context.clock.advance(leaseMs + 1);
        await other.deliver(jobId);
        expect(other.asked).toEqual([]);
        after = await imageOf(jobId);
        return answer;
      },
    });
    await worker.deliver(jobId, { archive });
    expect(await imageOf(jobId)).toEqual(after);
    expect(await jobRow(context, jobId)).toMatchObject({ state: "completed", attempt: 2 });
  });

  it("coming back with a failure, or with a success, to settle [C148]", async () => {
    const { worker } = scene;
    const jobId = await packet();
    const stale = await claim(worker.tools, jobId, "archive");
    if (stale === null) throw new RangeError("The job was not claimed.");
    const journal = openJournal({ ...worker.tools, fence: fenceOf(stale.job), leaseMs, durationMsMax });
    const after = await overtaken(jobId);
    const error = new PacketFailure("missing_glyphs");
    const failed = { outcome: "failed", error, stage: "render" } as const;
    expect(await settle(worker.tools, stale.job, "running", journal, failed)).toBeNull();
    expect(await settle(worker.tools, stale.job, "published", journal, { outcome: "completed" })).toBeNull();
    await expect(journal.flush()).rejects.toMatchObject({ code: "lease_lost" });
    expect(await imageOf(jobId)).toEqual(after);
  });
});

describe("a database that does not answer for a moment", () => {
  it("costs no checkpoint: what could not be written is written with the next [C399]", async () => {
    const { context, worker } = scene;
    const jobId = await packet();
    let outages = 0;
    const db = replacing(worker.tools.db, {
      transact: (actor, work) => {
        if (outages === 1) {
          outages = 2;
          return Promise.reject(new Error("connection reset"));
        }
        return worker.tools.db.transact(actor, work);
      },
    });
    const moving = scene.asking(async ({ op, run }) => {
      const answer = await run();
      // Time for a stage to be shown at once, which writes what is finished so far.
      context.clock.advance(1_000);
      if (op === "render" && outages === 0) outages = 1;
      return answer;
    });
    await worker.deliver(jobId, { db, ...moving });
    expect(outages).toBe(2);
    expect((await jobRow(context, jobId)).state).toBe("completed");
    const [counted] = await context.sql("SELECT count(*)::int AS stages FROM checkpoints WHERE job_id = $1", [jobId]);
    expect(counted).toEqual({ stages: 8 });
    expect(Object.values(await jobRow(context, jobId)).includes(undefined)).toBe(false);
    const job = await jobRow(context, jobId);
    expect([job.validated_at, job.fetched_at, job.rendered_at].every((at) => at instanceof Date)).toBe(true);
  });
});

describe("a lease that is long enough", () => {
  it.each(LANES)(
    "in lane %s: a rendering that takes all its time and shows nothing is still its own worker's [C182]",
    async (lane) => {
      const { context, worker } = scene;
      const other = await scene.secondWorker();
      const jobId =
        lane === "interactive"
          ? (await previewPacket(context, scene.actor, newPacket())).jobId
          : await copyOfJob(context, await packet(), { changes: { lane } });
      const { renderMsMax } = LANE[lane];
      const slow = scene.asking(async ({ op, run }) => {
        const answer = await run();
        if (op !== "assemble") return answer;
        context.clock.advance(renderMsMax);
        await other.deliver(jobId, {}, lane);
        return answer;
      });
      await worker.deliver(jobId, slow, lane);
      expect(other.asked).toEqual([]);
      expect(await jobRow(context, jobId)).toMatchObject({ state: "completed", attempt: 1, worker_id: "wrk_1" });
    },
  );

  it("is renewed all through a large bundle that takes many leases: whoever comes for it finds it held [C183,C184]", async () => {
    const { context, worker } = scene;
    const other = await scene.secondWorker();
    const sources: string[] = [];
    for (let width = 301; width <= 312; width += 1) sources.push(await uploaded(scene, await pagesOfWidth(width)));
    const jobId = await submitted(context, scene.actor, newBook(sources));
    const startedAt = context.clock.now().getTime();
    const isRenewed = async () =>
      ((await jobRow(context, jobId)).lease_until?.getTime() ?? 0) > context.clock.now().getTime() + leaseMs / 2;
    const ask: WorkerTools["renderers"]["ask"] = async (op, request, setting) => {
      const answer = await worker.tools.renderers.ask(op, request, setting);
      // Two files are made at a time: together they take less than a lease between two signs of progress.
      context.clock.advance(leaseMs * 0.3);
      while (!(await isRenewed())) setting.onProgress();
      await other.deliver(jobId);
      return answer;
    };
    await worker.deliver(jobId, { renderers: { ask } });
    expect(context.clock.now().getTime() - startedAt).toBeGreaterThan(4 * leaseMs);
    expect(other.asked).toEqual([]);
    expect(await jobRow(context, jobId)).toMatchObject({ state: "completed", attempt: 1 });
    const attempts = await context.sql("SELECT 1 FROM attempts WHERE job_id = $1", [jobId]);
    expect(attempts).toHaveLength(1);
  });
});

describe("a worker that has lost its lease while a child is at work", () => {
  /** Makes a book whose stamp `deed` makes, by a child that does wrong; meanwhile somebody else gets the job. */
  async function losesTo(deed: string, renderMsMax: number): Promise<{ ms: number; pool: Pool }> {
    const { context, worker, host, bundle } = scene;
    const pool = createPool({
      ...{ name: "parse", size: 1, childPath: bundle.hostileChildPath, directory: host.workspaces },
      ...{ limits: POOL_LIMITS.parse, clock: systemClock },
    });
    const source = await uploaded(scene, await pagesOfWidth(301));
    const jobId = await submitted(context, scene.actor, newBook([source], { watermark: deed }));
    const lanes = { ...LANE, archive: { ...LANE.archive, renderMsMax } };
    let from = 0;
    const ask: WorkerTools["renderers"]["ask"] = async (op, request, setting) => {
      if (op !== "stamp") return worker.tools.renderers.ask(op, request, setting);
      context.clock.advance(leaseMs + 1);
      expect(await claim({ ...worker.tools, workerId: "wrk_other" }, jobId, "archive")).not.toBeNull();
      from = performance.now();
      return pool.ask(op, request, setting);
    };
    try {
      await worker.deliver(jobId, { lanes, renderers: { ask } });
      expect(await jobRow(context, jobId)).toMatchObject({ state: "running", attempt: 2, worker_id: "wrk_other" });
      return { ms: performance.now() - from, pool };
    } finally {
      await pool.close();
    }
  }

  it("kills it at once where it shows progress, which finds the lease gone [C172,C173]", async () => {
    const { ms, pool } = await losesTo("progress and spin", 60_000);
    expect(ms).toBeLessThan(20_000);
    expect(pool.stats()).toMatchObject({ busy: 0, ended: { aborted: 1 } });
  });

  it("kills it at the renderer's deadline where it shows nothing [C173]", async () => {
    const { pool } = await losesTo("hang", 300);
    expect(pool.stats().busy).toBe(0);
    expect(pool.stats().ended).toHaveProperty("stalled", 1);
  });
});

describe("the budget of an attempt", () => {
  it("ends it however much progress it shows, and says so; the next goes on with what it left [C270]", async () => {
    const { context, worker } = scene;
    const sources = [await uploaded(scene, await pagesOfWidth(301)), await uploaded(scene, await pagesOfWidth(302))];
    const original = await submitted(context, scene.actor, newBook(sources));
    const jobId = await copyOfJob(context, original, { changes: { lane: "oversize" } });
    const { durationMsMax, renderMsMax } = LANE.oversize;
    const deadlines: number[] = [];
    const tiring = (share: number): Partial<WorkerTools> => ({
      renderers: {
        ask: async (op, request, setting) => {
          deadlines.push(setting.deadlineMs);
          const answer = await worker.tools.renderers.ask(op, request, setting);
          context.clock.advance(durationMsMax * share);
          setting.onProgress();
          return answer;
        },
      },
    });
    await worker.deliver(jobId, tiring(0.24), "oversize");
    expect(await jobRow(context, jobId)).toMatchObject({
      state: "retry_wait",
      failure_code: "render_deadline",
      failure_stage: "render",
    });
    // No request is given more time than the attempt has.
    expect(deadlines[0]).toBe(renderMsMax);
    expect(deadlines.at(-1)).toBeLessThan(renderMsMax);
    expect(worker.lines).toContainEqual(
      expect.objectContaining({ event: "attempt_over_budget", lane: "oversize", ms: expect.any(Number), jobId }),
    );
    context.clock.advance(60_000);
    worker.asked.length = 0;
    await worker.deliver(jobId, tiring(0.01), "oversize");
    expect(worker.asked).not.toContain("prepare");
    const [publish] = await context.sql<{ evidence: { attemptMs: number; budgetMs: number } }>(
      "SELECT evidence FROM checkpoints WHERE job_id = $1 AND stage = 'publish'",
      [jobId],
    );
    expect(publish?.evidence.budgetMs).toBe(durationMsMax);
    expect(publish?.evidence.attemptMs).toBeGreaterThan(durationMsMax * 0.03);
    expect(publish?.evidence.attemptMs).toBeLessThan(durationMsMax);
    expect(await jobRow(context, jobId)).toMatchObject({ state: "completed", attempt: 2 });
  });
});
