import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import { type Database, openDatabase } from "@/server/db/client";
import { holdPresence } from "@/server/db/worker-presence";
import type { PersonActor, Reach } from "@/server/domain/access";
import type { JobId, SourceId, TenantId } from "@/server/domain/ids";
import { addPerson, addSource, addTenant, openTestContext, type TestContext } from "@/server/services/test-context";
import { deliveriesOf, jobRow, newPacket, submitted } from "@/server/services/test-requests";
import { rescueLostAttempts } from "./rescue-lost-attempts";

const database = testDatabase();
let context: TestContext;
let db: Database;
let actor: PersonActor & { tenantId: TenantId; reach: Reach };

beforeAll(async () => {
  context = await openTestContext(database.url);
  db = openDatabase({ url: database.url, role: "bindery_worker", connectionsMax: 4 });
});
afterAll(async () => {
  await db.close();
  await context.close();
});
beforeEach(async () => {
  actor = await addPerson(context, await addTenant(context));
  await context.sql("UPDATE jobs SET state = 'cancelled' WHERE state IN ('queued', 'running', 'retry_wait')");
  await context.sql("UPDATE jobs SET state = 'completed' WHERE state = 'published'");
  await context.sql("UPDATE sources SET state = 'accepted' WHERE state = 'inspecting'");
  await context.sql("DELETE FROM pgboss.job");
});

const rescue = () => rescueLostAttempts({ ...context, db });
const packet = () => submitted(context, actor, newPacket());

/** The queue forgets everything, as after a restore or a manual clean-up. */
const queueLosesItsRows = () => context.sql("DELETE FROM pgboss.job");

async function runningUnder(workerId: string, leaseMs: number): Promise<JobId> {
  const jobId = await packet();
  await context.sql("UPDATE jobs SET state = 'running', attempt = 1, worker_id = $2, lease_until = $3 WHERE id = $1", [
    jobId,
    workerId,
    new Date(context.clock.now().getTime() + leaseMs),
  ]);
  await context.sql("UPDATE pgboss.job SET state = 'active', started_on = now()");
  context.clock.advance(10_000);
  return jobId;
}

describe("a job whose delivery was lost", () => {
  it("is delivered again once it is due for a few seconds, and only once [C146,C154,C198]", async () => {
    const jobId = await packet();
    await queueLosesItsRows();
    expect(await rescue()).toBe(0);
    context.clock.advance(3_000);
    expect(await rescue()).toBe(1);
    expect(await rescue()).toBe(0);
    expect(await deliveriesOf(context, jobId)).toMatchObject([{ queue: "archive", data: { jobId }, state: "created" }]);
  });

  it("of all the queue's rows lost at once is none lost for good [C154,C198]", async () => {
    const jobs = await Promise.all(Array.from({ length: 20 }, packet));
    await queueLosesItsRows();
    context.clock.advance(3_000);
    expect(await rescue()).toBe(20);
    for (const jobId of jobs) expect(await deliveriesOf(context, jobId)).toHaveLength(1);
  });

  it("is left alone while its delivery waits, however long [C38]", async () => {
    const jobId = await packet();
    context.clock.advance(3_600_000);
    expect(await rescue()).toBe(0);
    expect(await deliveriesOf(context, jobId)).toHaveLength(1);
    context.clock.advance(-3_600_000);
  });

  it("and that waits for a retry is delivered when that is due, not before", async () => {
    const jobId = await packet();
    await queueLosesItsRows();
    const dueAt = new Date(context.clock.now().getTime() + 60_000);
    await context.sql("UPDATE jobs SET state = 'retry_wait', due_at = $2 WHERE id = $1", [jobId, dueAt]);
    context.clock.advance(60_000);
    expect(await rescue()).toBe(0);
    context.clock.advance(3_000);
    expect(await rescue()).toBe(1);
  });

  it.each(["completed", "validation_failed", "dead_letter", "cancelled"])("and that is %s is not", async (state) => {
    const jobId = await packet();
    await queueLosesItsRows();
    await context.sql("UPDATE jobs SET state = $2 WHERE id = $1", [jobId, state]);
    context.clock.advance(10_000);
    expect(await rescue()).toBe(0);
  });
});

describe("a job whose worker died", () => {
  it("is delivered again once its lease has lapsed, though the queue believes it active [C141]", async () => {
    const presence = await holdPresence(database.url, "wrk_silent");
    try {
      const jobId = await runningUnder("wrk_silent", 120_000);
      expect(await rescue()).toBe(0);
      context.clock.advance(110_000);
      expect(await rescue()).toBe(0);
      context.clock.advance(1);
      expect(await rescue()).toBe(1);
      expect((await deliveriesOf(context, jobId)).map((delivery) => delivery.state).sort()).toEqual([
        "active",
        "created",
      ]);
    } finally {
      await presence.close();
    }
  });

  it("is delivered at once where it can be seen that the worker is gone, its lease ended [C141]", async () => {
    const presence = await holdPresence(database.url, "wrk_mortal");
    const jobId = await runningUnder("wrk_mortal", 120_000);
    expect(await rescue()).toBe(0);
    await presence.close();
    expect(await rescue()).toBe(1);
    const { lease_until } = await jobRow(context, jobId);
    expect(lease_until?.getTime()).toBeLessThan(context.clock.now().getTime());
  });

  it("and that was published only waits for its settling, and is delivered too [C192]", async () => {
    const jobId = await runningUnder("wrk_dead", 120_000);
    await context.sql("UPDATE jobs SET state = 'published' WHERE id = $1", [jobId]);
    expect(await rescue()).toBe(1);
  });

  it("of a worker that lives keeps its lease, whoever else died", async () => {
    const presence = await holdPresence(database.url, "wrk_alive");
    try {
      const alive = await runningUnder("wrk_alive", 120_000);
      const dead = await runningUnder("wrk_gone", 120_000);
      const { lease_until } = await jobRow(context, alive);
      expect(await rescue()).toBe(1);
      expect(await deliveriesOf(context, dead)).toHaveLength(2);
      expect((await jobRow(context, alive)).lease_until).toEqual(lease_until);
    } finally {
      await presence.close();
    }
  });
});

describe("an upload whose inspection was lost", () => {
  async function inspecting(): Promise<SourceId> {
    const sourceId = await addSource(context, actor.tenantId, { state: "inspecting" });
    context.clock.advance(3_000);
    return sourceId;
  }
  const deliveries = (sourceId: SourceId) =>
    context.sql("SELECT state::text FROM pgboss.job WHERE data ->> 'sourceId' = $1 ORDER BY created_on", [sourceId]);

  it("is delivered again, once [C146]", async () => {
    const sourceId = await inspecting();
    expect(await rescue()).toBe(1);
    expect(await rescue()).toBe(0);
    expect(await deliveries(sourceId)).toEqual([{ state: "created" }]);
  });

  it("with its worker is delivered again within minutes, not when the queue gives up on it", async () => {
    const sourceId = await inspecting();
    await rescue();
    const begunAt = context.clock.now();
    await context.sql("UPDATE pgboss.job SET state = 'active', started_on = $1", [begunAt]);
    context.clock.advance(3 * 60_000 - 1);
    expect(await rescue()).toBe(0);
    context.clock.advance(1);
    expect(await rescue()).toBe(1);
    expect(await deliveries(sourceId)).toHaveLength(2);
  });

  it("is not, where it has its verdict or is erased", async () => {
    const [accepted, erased] = [await inspecting(), await inspecting()];
    await context.sql("UPDATE sources SET state = 'accepted' WHERE id = $1", [accepted]);
    await context.sql("UPDATE sources SET erased_at = now() WHERE id = $1", [erased]);
    expect(await rescue()).toBe(0);
  });
});

describe("the task itself", () => {
  it("can run beside itself: a delivery too many at most, and the claim decides [C38]", async () => {
    const jobId = await packet();
    await queueLosesItsRows();
    context.clock.advance(3_000);
    await Promise.all([rescue(), rescue(), rescue()]);
    const { length } = await deliveriesOf(context, jobId);
    expect(length).toBeGreaterThanOrEqual(1);
    expect(length).toBeLessThanOrEqual(3);
    expect(await jobRow(context, jobId)).toMatchObject({ state: "queued", attempt: 0 });
  });
});
