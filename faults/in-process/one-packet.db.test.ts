import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import { isAttemptLive } from "@/server/db/attempts";
import { PacketFailure } from "@/server/domain/failure";
import { type JobId, parseId } from "@/server/domain/ids";
import { LANE } from "@/server/domain/lane";
import { dayIn } from "@/server/packets/check-payload";
import { submitPacket } from "@/server/services/packets/submit-packet";
import { deliveriesOf, jobRow, newPacket, submitted } from "@/server/services/test-requests";
import { WORKER } from "@/worker/journal";
import { eraseExpiredInputs } from "@/worker/maintenance/erase-expired-inputs";
import { sweepWorkspaces } from "@/worker/maintenance/sweep-workspaces";
import { bundleForTests, type TestBundle } from "@/worker/test-bundle";
import type { WorkerTools } from "@/worker/test-worker";
import { createWorkspaceBudget, openWorkspace } from "@/worker/workspace";
import { type FaultScene, openFaultScene } from "./scene";

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

const today = () => dayIn("UTC", scene.context.clock.now());
const packet = () => submitted(scene.context, scene.actor, newPacket(today()));

/** Sweeps as the worker does: whoever holds a live lease keeps its directory. */
function sweep(thresholdMs: number) {
  const { host, context, worker } = scene;
  const isLive = (id: string, attempt: number) =>
    worker.tools.db.transact(WORKER, (tx) => {
      const jobId = parseId("job", id);
      return jobId === null ? Promise.resolve(false) : isAttemptLive(tx, { jobId, attempt }, context.clock.now());
    });
  const { workspaces: root } = host;
  return sweepWorkspaces({ root, now: context.clock.now(), thresholdMs, isLive, log: worker.tools.log });
}

/** Tools under which something happens while a child is at `op` for the first time. */
function during(op: string, act: () => Promise<unknown>): Partial<WorkerTools> {
  let isPast = false;
  return {
    renderers: {
      ask: async (asked, request, setting) => {
        if (asked === op && !isPast) {
          isPast = true;
          await act();
        }
        return scene.worker.tools.renderers.ask(asked, request, setting);
      },
    },
  };
}

describe("the sweeper beside a packet under way", () => {
  it("leaves its directory alone, whatever its age, and takes an abandoned one [C307,C450,C462]", async () => {
    const { host, context, worker } = scene;
    const jobId = await packet();
    const swept: unknown[] = [];
    await worker.deliver(
      jobId,
      during("assemble", async () => {
        const marker = { jobId, attempt: 0, eraseBy: context.clock.now() };
        const budget = createWorkspaceBudget({ root: host.workspaces, bytesMax: 2 ** 30 });
        await openWorkspace({ root: host.workspaces, marker, budget });
        context.clock.advance(LANE.archive.leaseMs - 1);
        swept.push(await sweep(1_000), await host.leftovers());
      }),
    );
    expect(swept).toMatchObject([{ swept: 1, live: 1, failed: 0 }, [expect.any(String)]]);
    expect(await jobRow(context, jobId)).toMatchObject({ state: "completed", attempt: 1 });
    expect(await scene.faultsOf(jobId)).toEqual([]);
  });
});

describe("a host whose workspace budget is used up", () => {
  it("defers the packet, keeps nothing of it, and makes it once there is room [C461]", async () => {
    const { host, context, worker } = scene;
    const jobId = await packet();
    const workspaceBudget = createWorkspaceBudget({ root: host.workspaces, bytesMax: 100_000 });
    const filler = join(host.workspaces, "filler");
    await writeFile(filler, Buffer.alloc(100_000));
    await worker.deliver(jobId, { workspaceBudget });
    expect(await jobRow(context, jobId)).toMatchObject({ state: "retry_wait", failure_code: "workspace_full" });
    expect(await host.leftovers()).toEqual(["filler"]);
    await rm(filler);
    expect(await scene.drain(jobId, { workspaceBudget })).toMatchObject({ state: "completed", attempt: 2 });
    expect(await scene.faultsOf(jobId)).toEqual([]);
  });
});

describe("a client that gave up and sends again while a worker still holds the packet's files", () => {
  it("has one job and one artifact in the end, though another worker takes over and the first wakes up [C37,C463]", async () => {
    const { context, worker, actor } = scene;
    const request = { ...newPacket(today()), idempotencyKey: "key-of-an-impatient-client" };
    const send = async () => (await submitPacket(context, actor, request)).jobId;
    const jobId = await send();
    const again: JobId[] = [];
    await worker.deliver(
      jobId,
      during("assemble", async () => {
        again.push(...(await Promise.all([send(), send(), send()])));
        context.clock.advance(LANE.archive.leaseMs + 1);
        await worker.deliver(jobId, { workerId: "wrk_2" });
        again.push(await send());
      }),
    );
    again.push(await send());
    expect(again).toEqual(Array.from({ length: 5 }, () => jobId));
    const jobs = await context.sql("SELECT id FROM jobs WHERE idempotency_key = $1", [request.idempotencyKey]);
    expect(jobs).toEqual([{ id: jobId }]);
    expect(await jobRow(context, jobId)).toMatchObject({ state: "completed", attempt: 2 });
    expect(await scene.faultsOf(jobId)).toEqual([]);
  });
});

describe("time, moved by hand, takes a packet", () => {
  const failing = (code: "renderer_lost" | "acceptance_failed") =>
    during("assemble", async () => {
      throw new PacketFailure(code);
    });

  it("from its acceptance to a delivery that is due at once [C470]", async () => {
    const jobId = await packet();
    expect(await jobRow(scene.context, jobId)).toMatchObject({ state: "queued", due_at: scene.context.clock.now() });
    expect(await deliveriesOf(scene.context, jobId)).toHaveLength(1);
  });

  it("from a lease that has run out, and not a moment sooner, to another attempt [C470]", async () => {
    const { context, worker } = scene;
    const jobId = await packet();
    const hung = {
      workspaceBudget: {
        bytesUsed: () => 0,
        hasRoom: async () => true,
        admit: () => new Promise<never>(() => undefined),
      },
    };
    void worker.deliver(jobId, hung);
    await expect.poll(async () => (await jobRow(context, jobId)).attempt).toBe(1);
    context.clock.advance(LANE.archive.leaseMs);
    await worker.deliver(jobId);
    expect(await jobRow(context, jobId)).toMatchObject({ state: "running", attempt: 1 });
    context.clock.advance(1);
    await worker.deliver(jobId);
    expect(await jobRow(context, jobId)).toMatchObject({ state: "completed", attempt: 2 });
  });

  it("through a bounded number of retries, each later than the last, to an operator [C470]", async () => {
    const { context, worker } = scene;
    const jobId = await packet();
    const waits: number[] = [];
    for (;;) {
      await worker.deliver(jobId, failing("renderer_lost"));
      const { state, due_at } = await jobRow(context, jobId);
      if (state !== "retry_wait") break;
      waits.push(due_at.getTime() - context.clock.now().getTime());
      context.clock.advance(waits.at(-1) ?? 0);
    }
    expect(waits).toEqual([750, 1_500, 3_000]);
    expect(await jobRow(context, jobId)).toMatchObject({ state: "dead_letter", attempt: 4 });
  });

  it("to a refusal for good at its first failed check [C470]", async () => {
    const jobId = await packet();
    await scene.worker.deliver(jobId, failing("acceptance_failed"));
    expect(await jobRow(scene.context, jobId)).toMatchObject({ state: "validation_failed", attempt: 1 });
  });

  it("to its completion, and its input to its deletion at the deadline and not a moment before [C465,C470]", async () => {
    const { context, worker } = scene;
    const jobId = await packet();
    expect(await scene.drain(jobId)).toMatchObject({ state: "completed" });
    const { payload_id } = await jobRow(context, jobId);
    const look = () => context.sql<{ erase_by: Date }>("SELECT erase_by FROM payloads WHERE id = $1", [payload_id]);
    const [payload] = await look();
    const isThere = async () => (await look()).length === 1;
    context.clock.advance((payload?.erase_by.getTime() ?? 0) - context.clock.now().getTime() - 1);
    await eraseExpiredInputs(worker.tools);
    expect(await isThere()).toBe(true);
    context.clock.advance(1);
    await eraseExpiredInputs(worker.tools);
    expect(await isThere()).toBe(false);
  });
});
