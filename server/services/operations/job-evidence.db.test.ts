import { describe, expect, it } from "vitest";
import { PacketFailure } from "@/server/domain/failure";
import type { JobId } from "@/server/domain/ids";
import { monthlyReport } from "@/server/packets/monthly-report";
import { pagesOfWidth, sampleRequest, uploaded } from "@/worker/test-packets";
import { testScene } from "@/worker/test-scene";
import { replacing } from "@/worker/test-worker";
import { anOperator, TODAY } from "../test-context";
import { jobRow, newBook, newPacket, submitted } from "../test-requests";
import { readJob } from "./read-job";
import { readTimers } from "./read-timers";

const scene = testScene();
const operator = anOperator();
const read = (jobId: JobId) => readJob(scene.context, operator, jobId);
/** Lets the time pass that a job waits for its next attempt. */
const wait = (ms: number) => scene.context.clock.advance(ms);

describe("one job in one place", () => {
  it("says which revision it is, which attempt committed it, what each attempt finished, and that no directory is left [C387,C395,C410,C411,C413,C414,C422]", async () => {
    const { context, worker, actor } = scene;
    const request = await sampleRequest(scene, monthlyReport);
    const jobId = await submitted(context, actor, request);
    let isFirst = true;
    await worker.deliver(
      jobId,
      scene.asking(async ({ op, run }) => {
        if (op === "verify" && isFirst) {
          isFirst = false;
          throw new PacketFailure("renderer_lost");
        }
        return run();
      }),
    );
    const between = await read(jobId);
    expect(between).toMatchObject({
      state: "retry_wait",
      artifact: null,
      failure: { code: "renderer_lost", stage: "verify", reason: "Making the pages was interrupted." },
    });
    expect(between.attempts).toEqual([
      expect.objectContaining({
        number: 1,
        outcome: "retry_wait",
        code: "renderer_lost",
        stage: "verify",
        isCommitter: false,
      }),
    ]);
    wait(10_000);
    const running = scene.asking(async ({ op, run }) => {
      if (op !== "verify") return run();
      const seen = await read(jobId);
      expect(seen).toMatchObject({ state: "running", lease: { workerId: "wrk_1" } });
      expect(seen.lease?.until).toEqual(new Date(context.clock.now().getTime() + seen.budget.leaseMs));
      expect(seen.attempts[1]).toMatchObject({ number: 2, endedAt: null, outcome: null, directoryGoneAt: null });
      return run();
    });
    await worker.deliver(jobId, running);
    const job = await read(jobId);
    const row = await jobRow(context, jobId);
    const artifact = await scene.artifactOf(jobId);
    expect(job.revision).toEqual({ id: row.revision_id, number: 1 });
    expect(job.artifact).toMatchObject({ digest: artifact.digest, bytes: Number(artifact.bytes), attempt: 2 });
    expect(job.attempts.map(({ isCommitter }) => isCommitter)).toEqual([false, true]);
    expect(job.attempts.map(({ directoryGoneAt }) => directoryGoneAt)).toEqual([expect.any(Date), expect.any(Date)]);
    expect(await scene.host.leftovers()).toEqual([]);
    const stagesOf = (index: number) => job.attempts[index]?.checkpoints.map(({ stage }) => stage);
    expect(stagesOf(0)).toEqual(["validate", "fetch", "render", "watermark", "assemble", "erase"]);
    expect(stagesOf(1)).toEqual([
      ...["validate", "fetch", "render", "watermark", "assemble", "verify", "publish", "erase"],
    ]);
    expect(job.cost).toEqual({
      attempts: 2,
      wallMs: 10_000,
      workMs: expect.any(Number),
      bytes: Number(artifact.bytes),
      pages: artifact.pages,
      retainUntil: artifact.retain_until,
    });
    expect(job.failure).toBeNull();
    expect(job.events.map(({ action }) => action)).toEqual([
      "packet.completed",
      "packet.retry_wait",
      "packet.submitted",
    ]);
    const { payload } = monthlyReport.samples.typicalOn(TODAY);
    for (const content of [
      payload.school.name,
      payload.school.ref,
      payload.headline,
      row.subject,
      row.business_identity,
    ])
      expect(JSON.stringify(job)).not.toContain(content);
  });

  it("says why it failed in a code and a sentence, with the place and the rules, but no words of its content [C412,C421]", async () => {
    const { context, worker, actor } = scene;
    const request = newPacket();
    const canary = "Canary 🎉 name";
    const payload = structuredClone(Object(request.payload));
    payload.employee.role = canary;
    const jobId = await submitted(context, actor, { ...request, payload });
    await worker.deliver(jobId);
    const job = await read(jobId);
    expect(job).toMatchObject({
      state: "validation_failed",
      artifact: null,
      failure: {
        code: "missing_glyphs",
        firstCode: "missing_glyphs",
        reason: "Some characters cannot be printed. Change them and submit again.",
        stage: "render",
        findings: { missing_glyphs: 1 },
      },
    });
    expect(JSON.stringify(job)).not.toContain("Canary");
  });

  it("does not say that a directory is gone before it is [C413]", async () => {
    const { context, worker, actor } = scene;
    const jobId = await submitted(context, actor, newPacket());
    await worker.deliver(jobId);
    await context.sql("UPDATE attempts SET workspace_erased_at = NULL WHERE job_id = $1", [jobId]);
    expect((await read(jobId)).attempts).toEqual([expect.objectContaining({ directoryGoneAt: null })]);
  });

  it("is for operators, and of a job that exists", async () => {
    const jobId = await submitted(scene.context, scene.actor, newPacket());
    await expect(readJob(scene.context, scene.actor, jobId)).rejects.toMatchObject({ code: "not_found" });
    await expect(read("job_00000000000000000000000000000000" as JobId)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("two faults whose symptom is the same", () => {
  it("are told apart by the timers: a slow store of sources by its fetching, a saturated renderer by its rendering [C392]", async () => {
    const { context, worker, host, actor } = scene;
    const slow = 40_000;
    /** The phase that took longest at p95, as an operator reads it off the board. */
    const culprit = async () => {
      const { lanes } = await readTimers(context, operator, "hour");
      const timers = lanes.find(({ lane }) => lane === "archive")?.timers ?? [];
      const work = timers.filter(({ timer }) => timer !== "enqueue_to_start");
      return work.toSorted((a, b) => (b.p95 ?? 0) - (a.p95 ?? 0))[0]?.timer;
    };
    const books = async () => {
      const source = await uploaded(scene, await pagesOfWidth(300));
      return [newBook([source]), newBook([source])];
    };
    const slowStore = {
      sources: replacing(host.stores.sources, {
        open: async (key) => {
          wait(slow);
          return host.stores.sources.open(key);
        },
      }),
    };
    const slowRenderer = scene.asking(async ({ op, run }) => {
      if (op === "render") wait(slow);
      return run();
    });
    for (const [fault, expected] of [
      [slowStore, "fetch_duration"],
      [slowRenderer, "render_duration"],
    ] as const) {
      wait(2 * 3_600_000);
      for (const request of await books()) {
        const jobId = await submitted(context, actor, request);
        await worker.deliver(jobId, fault);
        expect((await jobRow(context, jobId)).state).toBe("completed");
      }
      expect(await culprit()).toBe(expected);
    }
  });
});
