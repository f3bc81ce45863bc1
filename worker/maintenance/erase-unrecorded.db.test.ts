import { beforeEach, describe, expect, it } from "vitest";
import { PacketFailure } from "@/server/domain/failure";
import { artifactKey, digestOf, type JobId, type RevisionId, type TenantId } from "@/server/domain/ids";
import { dayIn } from "@/server/packets/check-payload";
import { discardDeadLetter } from "@/server/services/operations/discard-dead-letter";
import { redriveDeadLetter } from "@/server/services/operations/redrive-dead-letter";
import { cancelPacket } from "@/server/services/packets/cancel-packet";
import { anOperator } from "@/server/services/test-context";
import { jobRow, newPacket, submitted } from "@/server/services/test-requests";
import { testScene } from "../test-scene";
import { replacing } from "../test-worker";
import { eraseUnrecorded } from "./erase-unrecorded";

const scene = testScene();
const HOUR_MS = 3_600_000;
const operator = anOperator();
const because = { reason: "outage_over", correlationId: "cor-redrive" } as const;

const erase = (archive = scene.host.stores.archive) => eraseUnrecorded({ ...scene.worker.tools, archive });
const packet = () => submitted(scene.context, scene.actor, newPacket(dayIn("UTC", scene.context.clock.now())));

async function keyOf(jobId: JobId) {
  const { tenant_id, revision_id, audience } = await jobRow(scene.context, jobId);
  return artifactKey(tenant_id as TenantId, revision_id as RevisionId, String(audience));
}

const held = async (jobId: JobId) => scene.host.stores.archive.stat(await keyOf(jobId));

/** An archive that takes the bytes, says that it failed, and cannot say afterwards what it holds. */
const committingUnseen = () =>
  replacing(scene.host.stores.archive, {
    commit: async (...args) => {
      await scene.host.stores.archive.commit(...args);
      throw new PacketFailure("storage_unavailable");
    },
    digestOf: () => Promise.reject(new PacketFailure("storage_unavailable")),
  });

/** A packet whose bytes were committed by an attempt that failed right after it. */
async function committedUnseen(jobId?: JobId): Promise<JobId> {
  const committed = jobId ?? (await packet());
  await scene.worker.deliver(committed, { archive: committingUnseen() });
  expect(await jobRow(scene.context, committed)).toMatchObject({ state: "retry_wait", failure_stage: "publish" });
  expect(await held(committed)).not.toBeNull();
  return committed;
}

/** The same, until nobody tries any more. */
async function deadUnseen(jobId?: JobId): Promise<JobId> {
  const { context, worker } = scene;
  const dead = await committedUnseen(jobId);
  for (let attempt = 2; attempt <= 5; attempt += 1) {
    context.clock.advance(10_000);
    await worker.deliver(dead, { archive: committingUnseen() });
  }
  expect(await jobRow(context, dead)).toMatchObject({ state: "dead_letter", attempt: 5 });
  expect(await scene.artifactsOf(dead)).toEqual([]);
  return dead;
}

const seenTo = (jobId: JobId) =>
  scene.context.sql("SELECT status FROM checkpoints WHERE job_id = $1 AND attempt = 0 AND stage = 'erase'", [jobId]);

beforeEach(async () => {
  scene.context.clock.advance(2 * HOUR_MS);
  await erase();
});

describe("bytes in the archive that no record names", () => {
  it("go an hour after their job was given up, are accounted for, and are not looked for again [C168,C409]", async () => {
    const { context, host } = scene;
    const dead = await deadUnseen();
    await discardDeadLetter(context, operator, dead, { reason: "not_needed", correlationId: "cor-discard" });
    context.clock.advance(HOUR_MS - 1);
    expect(await erase()).toEqual({ done: 0, failed: 0, lagMsMax: 0 });
    expect(await held(dead)).not.toBeNull();
    context.clock.advance(1);
    expect(await erase()).toEqual({ done: 1, failed: 0, lagMsMax: 0 });
    expect(await held(dead)).toBeNull();
    expect(await seenTo(dead)).toEqual([{ status: "passed" }]);
    const events = await context.sql(
      "SELECT action, actor_id, facts FROM audit_events WHERE subject_id = $1 ORDER BY id",
      [dead],
    );
    expect(events.at(-1)).toMatchObject({
      action: "packet.bytes_erased",
      facts: { rule: "no_record", state: "dead_letter" },
    });
    const asked: string[] = [];
    const watching = replacing(host.stores.archive, {
      stat: (key) => {
        asked.push(key);
        return host.stores.archive.stat(key);
      },
    });
    expect(await erase(watching)).toEqual({ done: 0, failed: 0, lagMsMax: 0 });
    expect(asked).toEqual([]);
  });

  it("go, too, where the packet was cancelled while it waited for its next attempt", async () => {
    const { context, actor } = scene;
    const jobId = await committedUnseen();
    expect(await cancelPacket(context, actor, jobId)).toEqual({ cancelled: true });
    context.clock.advance(HOUR_MS + 5_000);
    expect(await erase()).toEqual({ done: 1, failed: 0, lagMsMax: 5_000 });
    expect(await held(jobId)).toBeNull();
  });

  it("that cannot be removed now are counted, keep nothing else, and go the next time", async () => {
    const { context, host, actor } = scene;
    const [stuck, other] = [await committedUnseen(), await committedUnseen()];
    for (const jobId of [stuck, other]) await cancelPacket(context, actor, jobId);
    context.clock.advance(HOUR_MS);
    const stuckKey = await keyOf(stuck);
    const archive = replacing(host.stores.archive, {
      erase: (key) =>
        key === stuckKey ? Promise.reject(new PacketFailure("storage_unavailable")) : host.stores.archive.erase(key),
    });
    expect(await erase(archive)).toMatchObject({ done: 1, failed: 1 });
    expect(await held(other)).toBeNull();
    expect(await seenTo(stuck)).toEqual([]);
    expect(await Promise.all([erase(), erase()])).toMatchObject([{ failed: 0 }, { failed: 0 }]);
    expect(await held(stuck)).toBeNull();
  });

  it("are looked for once where a job got as far as that, and not at all where it did not", async () => {
    const { context, host, worker, actor } = scene;
    const withoutCommit = replacing(host.stores.archive, {
      commit: () => Promise.reject(new PacketFailure("storage_unavailable")),
    });
    const near = await packet();
    await worker.deliver(near, { archive: withoutCommit });
    const far = await packet();
    for (const jobId of [near, far]) await cancelPacket(context, actor, jobId);
    context.clock.advance(HOUR_MS);
    expect(await erase()).toEqual({ done: 0, failed: 0, lagMsMax: 0 });
    expect(await seenTo(near)).toEqual([{ status: "skipped" }]);
    expect(await seenTo(far)).toEqual([]);
  });
});

describe("bytes that another job of the same revision", () => {
  it("is making, stay as long as it is alive, and for good once it has their record", async () => {
    const { context, worker } = scene;
    const dead = await deadUnseen();
    const { jobId } = await redriven(dead);
    context.clock.advance(HOUR_MS);
    expect(await erase()).toMatchObject({ done: 0 });
    expect(await held(dead)).not.toBeNull();
    await worker.deliver(jobId);
    expect((await jobRow(context, jobId)).state).toBe("completed");
    context.clock.advance(HOUR_MS);
    expect(await erase()).toMatchObject({ done: 0 });
    expect(digestOf(await scene.archivedBytes(jobId))).toBe((await scene.artifactOf(jobId)).digest);
  });

  it("was to make and did not, go after it, however far it came itself", async () => {
    const { context, actor } = scene;
    const dead = await deadUnseen();
    const { jobId } = await redriven(dead);
    context.clock.advance(HOUR_MS);
    expect(await erase()).toMatchObject({ done: 0 });
    await cancelPacket(context, actor, jobId);
    expect(await erase()).toMatchObject({ done: 1 });
    expect(await held(dead)).toBeNull();
  });

  it("is opened for while they are removed, do not come between: it waits, and commits its own", async () => {
    const { context, worker, host } = scene;
    const dead = await deadUnseen();
    context.clock.advance(HOUR_MS);
    const order: string[] = [];
    let opening: Promise<{ jobId: JobId }> | undefined;
    const archive = replacing(host.stores.archive, {
      erase: async (key) => {
        opening = redriven(dead).then((opened) => {
          order.push("opened");
          return opened;
        });
        await expect.poll(async () => order.length > 0 || (await waitingForALock())).toBe(true);
        await host.stores.archive.erase(key);
        order.push("removed");
      },
    });
    expect(await erase(archive)).toMatchObject({ done: 1 });
    const { jobId } = (await opening) ?? { jobId: dead };
    expect(order).toEqual(["removed", "opened"]);
    await worker.deliver(jobId);
    expect(digestOf(await scene.archivedBytes(jobId))).toBe((await scene.artifactOf(jobId)).digest);
  });

  async function redriven(dead: JobId): Promise<{ jobId: JobId }> {
    return { jobId: await redriveDeadLetter(scene.context, operator, dead, because) };
  }

  async function waitingForALock(): Promise<boolean> {
    const rows = await scene.context.sql("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
    return rows.length > 0;
  }
});
