import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import type { JobId } from "@/server/domain/ids";
import { LANE } from "@/server/domain/lane";
import { dayIn } from "@/server/packets/check-payload";
import { previewPacket } from "@/server/services/packets/preview-packet";
import { readPacket } from "@/server/services/packets/read-packet";
import { jobRow, newBook, newPacket, submitted } from "@/server/services/test-requests";
import { eraseExpiredInputs } from "./maintenance/erase-expired-inputs";
import { sweepWorkspaces } from "./maintenance/sweep-workspaces";
import type { Errand } from "./test-attempt-process";
import { copyOfJob, pagesOfWidth, uploaded, widthsIn } from "./test-packets";
import { testScene } from "./test-scene";

// Directories are judged by the instants that the file system gave them: this scene is set now.
const scene = testScene({ startAt: new Date() });
const today = () => dayIn("UTC", scene.context.clock.now());

/** Runs one attempt in a process of its own, which dies by SIGKILL at this point. */
async function diesIn(jobId: JobId, dieAt: string): Promise<void> {
  const { databaseUrl, host, bundle, context } = scene;
  const { childPath } = bundle;
  const now = context.clock.now().toISOString();
  const errand: Errand = { databaseUrl, hostRoot: host.root, childPath, jobId, now, dieAt };
  const doomed = spawn(
    process.execPath,
    ["--disable-warning=DeprecationWarning", bundle.attemptPath, JSON.stringify(errand)],
    {
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  const [, signal] = await once(doomed, "exit");
  expect(signal).toBe("SIGKILL");
}

const AFTER_COMMIT = ["after commit", "before record", "after record"];
const POINTS = [
  ...["after claim", "after prepare", "during render", "after render", "after stamp"],
  ...["after assemble", "after verify", ...AFTER_COMMIT, "after settle"],
];

describe("a worker killed in the middle of a book", () => {
  let original: JobId | null = null;
  let clean: string | null = null;

  /** Another job of the very same input; the first is made without a crash, for comparison. */
  async function sameBookAgain(): Promise<JobId> {
    if (original === null) {
      const sources: string[] = [];
      for (const width of [301, 302, 303]) sources.push(await uploaded(scene, await pagesOfWidth(width)));
      original = await submitted(scene.context, scene.actor, newBook(sources, {}, today()));
      const first = await copyOfJob(scene.context, original);
      await scene.worker.deliver(first);
      clean = (await scene.artifactOf(first)).digest;
    }
    return copyOfJob(scene.context, original);
  }

  it.each(POINTS)(
    "%s: another attempt ends it in the same one artifact, and no directory is left [C141,C167,C204,C254,C296,C447,C456]",
    async (point) => {
      const { context, worker } = scene;
      const jobId = await sameBookAgain();
      await diesIn(jobId, point);
      const dead = await jobRow(context, jobId);
      expect(dead.attempt).toBe(1);
      const isSettled = point === "after settle";
      if (!isSettled) expect(["running", "published"]).toContain(dead.state);
      expect((await scene.artifactsOf(jobId)).length).toBe(
        ["before record", "after record"].includes(point) || isSettled ? 1 : 0,
      );

      context.clock.advance(LANE.archive.leaseMs + 1);
      worker.asked.length = 0;
      await worker.deliver(jobId);
      // What was committed is found, never rendered again.
      if (AFTER_COMMIT.includes(point) || isSettled) expect(worker.asked).toEqual([]);
      expect(await jobRow(context, jobId)).toMatchObject({ state: "completed", attempt: isSettled ? 1 : 2 });
      const artifact = await scene.artifactOf(jobId);
      expect(artifact.digest).toBe(clean);
      const widths = await widthsIn(await scene.archivedBytes(jobId));
      expect(widths.filter((width) => width < 400)).toEqual([301, 302, 303]);
      // Nobody comes back to a settled job: its directory waits for the sweeper.
      if (isSettled) await sweepAll();
    },
  );

  async function sweepAll(): Promise<void> {
    const { host, context, worker } = scene;
    expect(await host.leftovers()).toHaveLength(1);
    const swept = await sweepWorkspaces({
      root: host.workspaces,
      now: context.clock.now(),
      thresholdMs: 1,
      isLive: async () => false,
      log: worker.tools.log,
    });
    expect(swept).toMatchObject({ swept: 1, failed: 0 });
  }

  it("after the commit of its last attempt, its deadline past: found all the same, and its record written [C192,C275]", async () => {
    const { context, worker } = scene;
    const original = await submitted(context, scene.actor, newPacket(today()));
    const jobId = await copyOfJob(context, original, { changes: { attempts_max: 1 } });
    await diesIn(jobId, "after commit");
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
    const { context, actor } = scene;
    const jobId = await submitted(context, actor, newPacket(today()));
    await diesIn(jobId, "after verify");
    expect(await readPacket(context, actor, jobId)).toMatchObject({
      state: "running",
      artifact: null,
      mayDownload: false,
    });
    context.clock.advance(LANE.archive.leaseMs + 1);
    await scene.worker.deliver(jobId);
    expect(await readPacket(context, actor, jobId)).toMatchObject({ state: "succeeded", mayDownload: true });
  });
});

describe("a job whose workers die every time", () => {
  it("ends before an operator once its attempts are used up, never in an endless loop [C129,C143]", async () => {
    const { context, worker, actor } = scene;
    const jobId = await submitted(context, actor, newPacket(today()));
    const dying = { workspaceBudget: { bytesUsed: () => 0, admit: () => new Promise<never>(() => undefined) } };
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      // Claimed, and never heard of again.
      void worker.deliver(jobId, dying);
      while ((await jobRow(context, jobId)).attempt < attempt) await new Promise(setImmediate);
      context.clock.advance(LANE.archive.leaseMs + 1);
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

describe("a worker killed right after it stored a preview", () => {
  it("leaves bytes that are erased at their minute, though the preview was never finished [C168,C308]", async () => {
    const { context, worker, host, actor } = scene;
    const { jobId } = await previewPacket(context, actor, newPacket(today()));
    await diesIn(jobId, "after preview");
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
