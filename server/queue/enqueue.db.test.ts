import { PgBoss } from "pg-boss";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import { addPerson, addTenant, openTestContext, type TestContext } from "../services/test-context";
import { deliveriesOf, newPacket, submitted } from "../services/test-requests";
import { QUEUES } from "./boss";

const database = testDatabase();
const SEED = { type: "system", name: "seed" } as const;
let context: TestContext;
let queue: PgBoss;

beforeAll(async () => {
  context = await openTestContext(database.url);
  queue = await new PgBoss({
    connectionString: database.url,
    options: "-c role=bindery_worker",
    supervise: false,
    schedule: false,
    migrate: false,
  }).start();
});
afterAll(async () => {
  await queue.stop({ graceful: false, close: true });
  await context.close();
});

async function tenantPacket(count: number): Promise<string[]> {
  const actor = await addPerson(context, await addTenant(context));
  const jobs: string[] = [];
  for (let index = 0; index < count; index += 1) jobs.push(await submitted(context, actor, newPacket()));
  return jobs;
}

/** Takes every delivery of the archive lane, as workers would, and returns the jobs in the order in which they come. */
async function takeAll(): Promise<string[]> {
  const taken: string[] = [];
  for (;;) {
    const [delivery] = await queue.fetch<{ jobId: string }>("archive");
    if (delivery === undefined) return taken;
    taken.push(delivery.data.jobId);
  }
}

describe("a delivery", () => {
  it("counts less the more its tenant has outstanding, so that a newcomer overtakes a flood [C70]", async () => {
    const flood = await tenantPacket(30);
    const [newcomer] = await tenantPacket(1);
    const priorities = await Promise.all(flood.map(async (jobId) => (await deliveriesOf(context, jobId))[0]?.priority));
    expect(priorities).toEqual(flood.map((_, index) => (index === 0 ? 0 : -index)));
    const order = await takeAll();
    expect(order).toHaveLength(31);
    expect(order.indexOf(newcomer ?? "")).toBe(1);
    expect(order.filter((jobId) => jobId !== newcomer)).toEqual(flood);
  });

  it("of one tenant alone uses every slot: nothing waits for anybody who is not there [C70]", async () => {
    const alone = await tenantPacket(4);
    expect(await takeAll()).toEqual(alone);
  });

  it("is not handed out before it is due", async () => {
    const [jobId = ""] = await tenantPacket(1);
    await takeAll();
    const dueAt = new Date(Date.now() + 3_600_000);
    await context.db.transact(SEED, (tx) => context.enqueue(tx, "archive", { jobId }, { dueAt, outstanding: 0 }));
    expect(await takeAll()).toEqual([]);
    const deliveries = await deliveriesOf(context, jobId);
    expect(deliveries.map((delivery) => delivery.start_after)).toContainEqual(dueAt);
  });

  it("does not exist where its transaction ended badly [C9,C145,C147]", async () => {
    const jobId = "job_never";
    const transaction = context.db.transact(SEED, async (tx) => {
      await context.enqueue(tx, "archive", { jobId }, { dueAt: null, outstanding: 0 });
      throw new Error("changed my mind");
    });
    await expect(transaction).rejects.toThrow("changed my mind");
    expect(await deliveriesOf(context, jobId)).toEqual([]);
    expect(await takeAll()).toEqual([]);
  });

  it("sent twice is two deliveries: none is swallowed as a duplicate", async () => {
    const jobId = "job_twice";
    for (let index = 0; index < 2; index += 1) {
      await context.db.transact(SEED, (tx) =>
        context.enqueue(tx, "archive", { jobId }, { dueAt: null, outstanding: 0 }),
      );
    }
    expect(await takeAll()).toEqual([jobId, jobId]);
  });
});

describe("each queue", () => {
  it.each(QUEUES)(
    "%s has the limits that were meant: no retry of its own, no dead letters of its own",
    async (name) => {
      const found = await queue.getQueue(name);
      expect(found).toMatchObject({ retryLimit: 0, expireInSeconds: 3_600, notify: true });
      expect(found?.deadLetter ?? null).toBeNull();
    },
  );

  it("gives these limits to each delivery that is stored", async () => {
    const [jobId = ""] = await tenantPacket(1);
    const [row] = await context.sql(
      "SELECT retry_limit, expire_seconds, dead_letter FROM pgboss.job WHERE data ->> 'jobId' = $1",
      [jobId],
    );
    expect(row).toMatchObject({ retry_limit: 0, expire_seconds: 3_600, dead_letter: null });
  });
});
