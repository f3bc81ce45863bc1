import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import { type Database, isLockTimeout, openDatabase } from "@/server/db/client";
import { findContenders } from "@/server/db/contenders";
import type { PersonActor, Reach } from "@/server/domain/access";
import { type JobId, newId, type TenantId } from "@/server/domain/ids";
import { LANE } from "@/server/domain/lane";
import { addPerson, addTenant, openTestContext, type TestContext } from "@/server/services/test-context";
import { newPacket, submitted } from "@/server/services/test-requests";
import { claim, claimByTurn } from "./begin-attempt";
import { WORKER } from "./journal";

const database = testDatabase();
let context: TestContext;
let db: Database;

beforeAll(async () => {
  context = await openTestContext(database.url);
  db = openDatabase({ url: database.url, role: "bindery_worker", connectionsMax: 8 });
});
afterAll(async () => {
  await db.close();
  await context.close();
});

/** A worker's connection that has done this within a transaction and then stands still. */
async function openStandstill(statement: string): Promise<pg.Client> {
  // As openDatabase opens them.
  const [timeout] = await db.transact(
    WORKER,
    (tx) => tx.$queryRaw<{ ms: string }[]>`SELECT current_setting('idle_in_transaction_session_timeout') AS ms`,
  );
  const client = new pg.Client({
    connectionString: database.url,
    options: `-c role=bindery_worker -c idle_in_transaction_session_timeout=${timeout?.ms}`,
  });
  client.on("error", () => undefined);
  await client.connect();
  await client.query("BEGIN");
  await client.query(statement);
  return client;
}

type Tenant = PersonActor & { tenantId: TenantId; reach: Reach };

async function aTenant(runningMax: number | null = null): Promise<Tenant> {
  const actor = await addPerson(context, await addTenant(context, { outstandingMax: 100_000 }));
  await context.sql("UPDATE tenants SET running_max = $2 WHERE id = $1", [actor.tenantId, runningMax]);
  return actor;
}

/** Ends everything that is under way or waits, and lets what was begun lately be long ago. */
async function freshLane(): Promise<void> {
  await context.sql(
    "UPDATE jobs SET state = 'cancelled' WHERE state NOT IN ('completed', 'validation_failed', 'dead_letter', 'cancelled')",
  );
  context.clock.advance(3_600_000);
}

/** Queues many jobs of one tenant at once: copies of a submitted one. */
async function flood(actor: Tenant, count: number, weight: number): Promise<void> {
  const jobId = await submitted(context, actor, newPacket());
  await context.sql("ALTER TABLE jobs DISABLE TRIGGER jobs_frozen");
  await context.sql("UPDATE jobs SET weight = $2 WHERE id = $1", [jobId, weight]);
  await context.sql("ALTER TABLE jobs ENABLE TRIGGER jobs_frozen");
  await context.sql(
    `INSERT INTO revisions SELECT (jsonb_populate_record(r, jsonb_build_object('id', 'rev_' || md5(r.id || n), 'number', 1000 + n))).*
     FROM revisions r JOIN jobs j ON j.revision_id = r.id, generate_series(1, $2::int) n WHERE j.id = $1`,
    [jobId, count - 1],
  );
  await context.sql(
    `INSERT INTO jobs SELECT (jsonb_populate_record(j, jsonb_build_object('id', 'job_' || md5(j.id || n), 'idempotency_key', 'flood-' || n,
       'revision_id', 'rev_' || md5(j.revision_id || n)))).* FROM jobs j, generate_series(1, $2::int) n WHERE j.id = $1`,
    [jobId, count - 1],
  );
  await context.sql("ANALYZE jobs");
}

const tools = () => ({ db, clock: context.clock, workerId: "wrk_fair", lanes: LANE });
const next = (delivered = newId("job")) => claimByTurn(tools(), delivered, "archive");
const tenantOf = (claimed: Awaited<ReturnType<typeof next>>) => claimed?.job.tenantId;

async function complete(jobId: string): Promise<void> {
  await context.sql("UPDATE jobs SET state = 'cancelled', lease_until = NULL WHERE id = $1", [jobId]);
}

describe("a free slot of a lane", () => {
  it.each([1, 30])(
    "goes to the newcomer's one packet, though another tenant has 5,000 of weight %i queued and waited longer [C70]",
    async (weight) => {
      await freshLane();
      const [many, one] = [await aTenant(), await aTenant()];
      await flood(many, 5_000, weight);
      expect(tenantOf(await next())).toBe(many.tenantId);
      context.clock.advance(1_000);
      const jobId = await submitted(context, one, newPacket());
      const claimed = await next();
      expect([tenantOf(claimed), claimed?.job.id]).toEqual([one.tenantId, jobId]);
      expect(tenantOf(await next())).toBe(many.tenantId);
    },
  );

  it("is used by one tenant alone, as many as there are", async () => {
    await freshLane();
    const alone = await aTenant();
    await flood(alone, 6, 1);
    const taken = [];
    for (let slot = 0; slot < 6; slot += 1) taken.push(tenantOf(await next()));
    expect(taken).toEqual(Array.from({ length: 6 }, () => alone.tenantId));
    expect(await next()).toBeNull();
  });

  it("is shared by weight between tenants that always have work: ten small packets for one of ten times the weight", async () => {
    await freshLane();
    const [large, small] = [await aTenant(), await aTenant()];
    await flood(large, 20, 10);
    await flood(small, 100, 1);
    const taken = { [large.tenantId]: 0, [small.tenantId]: 0 };
    for (let turn = 0; turn < 44; turn += 1) {
      const claimed = await next();
      if (claimed === null) throw new RangeError("There is work for everybody.");
      taken[claimed.job.tenantId as TenantId] = (taken[claimed.job.tenantId as TenantId] ?? 0) + 1;
      await complete(claimed.job.id);
    }
    expect(taken[large.tenantId]).toBeGreaterThanOrEqual(3);
    expect(taken[large.tenantId]).toBeLessThanOrEqual(5);
  });

  it("never gives a tenant more at once than its own limit, however many workers ask at the same moment [C68]", async () => {
    await freshLane();
    const capped = await aTenant(2);
    await flood(capped, 10, 1);
    const answers = await Promise.all(Array.from({ length: 8 }, () => next()));
    const claimed = answers.filter((answer) => answer !== null);
    expect(claimed).toHaveLength(2);
    await complete(claimed[0]?.job.id ?? "");
    expect(tenantOf(await next())).toBe(capped.tenantId);
    expect(await next()).toBeNull();
  });

  it("is given to one worker, and every job to exactly one, though eight workers choose at once", async () => {
    await freshLane();
    const actor = await aTenant();
    await flood(actor, 24, 1);
    const jobs: (JobId | string | undefined)[] = [];
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(Array.from({ length: 8 }, () => next()));
      jobs.push(...answers.map((answer) => answer?.job.id));
    }
    expect(new Set(jobs).size).toBe(24);
    expect(jobs).not.toContain(undefined);
  });

  it("does not wait for a worker that stands still while it chooses: the delivered job is claimed without it", async () => {
    await freshLane();
    const jobId = await submitted(context, await aTenant(), newPacket());
    const still = await openStandstill("SELECT pg_advisory_xact_lock(hashtextextended('archive', 13))");
    try {
      expect((await next(jobId))?.job.id).toBe(jobId);
    } finally {
      await still.end();
    }
  });

  it("is not lost to a worker that stands still with the job's own row: the claim gives up, and the server ends the session", async () => {
    await freshLane();
    const jobId = await submitted(context, await aTenant(), newPacket());
    const still = await openStandstill(`SELECT 1 FROM jobs WHERE id = '${jobId}' FOR UPDATE`);
    const ended = new Promise<Error>((resolve) => still.once("error", resolve));
    await expect(claim(tools(), jobId, "archive")).rejects.toSatisfy(isLockTimeout);
    expect(String(await ended)).toContain("idle-in-transaction timeout");
    expect((await claim(tools(), jobId, "archive"))?.job.id).toBe(jobId);
  });

  it("is found by indexes alone, however many jobs wait", async () => {
    await freshLane();
    await flood(await aTenant(), 8_000, 1);
    const [plan] = await context.db.transact(WORKER, async (tx) => {
      const seen: string[] = [];
      const spy = new Proxy(tx, {
        get: (target, name) =>
          name !== "$queryRaw"
            ? Reflect.get(target, name)
            : (parts: TemplateStringsArray, ...values: unknown[]) => {
                const text = parts.reduce(
                  (sum, part, index) => sum + part + (index < values.length ? `$${index + 1}` : ""),
                  "",
                );
                return tx.$queryRawUnsafe<{ "QUERY PLAN": string }[]>(`EXPLAIN ${text}`, ...values).then((rows) => {
                  seen.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
                  return [];
                });
              },
      });
      const now = context.clock.now();
      await findContenders(spy, "archive", { now, recent: new Date(now.getTime() - 120_000) });
      return seen;
    });
    expect(plan).toContain("jobs_due_by_tenant");
    expect(plan).not.toMatch(/Seq Scan on jobs/);
  });
});
