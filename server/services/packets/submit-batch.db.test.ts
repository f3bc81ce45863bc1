import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import type { PersonActor, Reach } from "@/server/domain/access";
import { type JobId, newId, type TenantId } from "@/server/domain/ids";
import { readLanes } from "../operations/read-lanes";
import {
  addPerson,
  addSource,
  addTenant,
  anOperator,
  countRows,
  openTestContext,
  type TestContext,
} from "../test-context";
import { bookRequest, deliveriesOf, jobRow, monthlyRequest, newPacket } from "../test-requests";
import type { PacketRequest } from "./accept-request";
import { cancelPacket } from "./cancel-packet";
import { BATCH_ITEMS_MAX, type ItemResult, submitBatch } from "./submit-batch";
import { submitPacket } from "./submit-packet";

const database = testDatabase();
let context: TestContext;
let tenantId: TenantId;
let actor: PersonActor & { tenantId: TenantId; reach: Reach };

beforeAll(async () => {
  context = await openTestContext(database.url);
});
afterAll(() => context.close());
beforeEach(async () => {
  // What other tests left waiting would close the lane.
  await context.sql("UPDATE jobs SET state = 'cancelled' WHERE state = 'queued'");
  tenantId = await addTenant(context);
  actor = await addPerson(context, tenantId);
});

function send(items: readonly PacketRequest[], by = actor, from = context): Promise<ItemResult[]> {
  return submitBatch(from, by, { items, correlationId: "cor-batch" });
}

function item(idempotencyKey?: string): PacketRequest {
  const { kind, payload } = newPacket();
  return { kind, payload, idempotencyKey };
}

function statusesOf(results: readonly ItemResult[]): string[] {
  return results.map((result) => (result.status === "refused" ? result.failure.code : result.status));
}

function jobsOf(results: readonly ItemResult[]): JobId[] {
  return results.flatMap((result) => (result.status === "refused" ? [] : [result.jobId]));
}

describe("a batch", () => {
  it("of 250 items is 250 jobs with revision, payload, key, delivery and audit event each, answered in order [C9,C73,C84]", async () => {
    const items = Array.from({ length: 250 }, (_, index) => item(`import-${index}`));
    const before = await countRows(context);
    const results = await send(items);
    expect(new Set(statusesOf(results))).toEqual(new Set(["accepted"]));
    const after = await countRows(context);
    const tables = ["jobs", "revisions", "payloads", "submissions", "audit_events", "packet_readers"];
    for (const table of tables.map((name) => `public.${name}`)) {
      expect((after[table] ?? 0) - (before[table] ?? 0), table).toBe(250);
    }
    const rows = await context.sql<{ id: string; idempotency_key: string }>(
      "SELECT id, idempotency_key FROM jobs WHERE tenant_id = $1",
      [tenantId],
    );
    const keyOf = new Map(rows.map((row) => [row.id, row.idempotency_key]));
    expect(jobsOf(results).map((jobId) => keyOf.get(jobId))).toEqual(items.map((each) => each.idempotencyKey));
    const [first = ""] = jobsOf(results);
    expect(await deliveriesOf(context, first)).toMatchObject([{ queue: "archive", data: { jobId: first } }]);
  });

  it("sent again, whole or in another order, is the same jobs and writes nothing [C11,C13,C36]", async () => {
    const items = Array.from({ length: 120 }, (_, index) => item(index % 2 === 0 ? `k-${index}` : undefined));
    const first = await send(items);
    const before = await countRows(context);
    const again = await send(items);
    expect(new Set(statusesOf(again))).toEqual(new Set(["replayed"]));
    expect(jobsOf(again)).toEqual(jobsOf(first));
    expect(jobsOf(await send(items.toReversed()))).toEqual(jobsOf(first).toReversed());
    expect(await countRows(context)).toEqual(before);
  });

  it("sent again is the same job, though its day has passed and its files are gone by now [C11,C36]", async () => {
    const own = await openTestContext(database.url);
    try {
      const packet = item("early");
      const source = await addSource(own, tenantId);
      const { kind, payload } = bookRequest([source]);
      const book: PacketRequest = { kind, payload, idempotencyKey: "book" };
      const first = await send([packet, book], actor, own);
      expect(statusesOf(first)).toEqual(["accepted", "accepted"]);
      own.clock.advance(400 * 86_400_000);
      await own.sql("UPDATE sources SET erased_at = now() WHERE id = $1", [source]);
      const again = await send([packet, book], actor, own);
      expect(statusesOf(again)).toEqual(["replayed", "replayed"]);
      expect(jobsOf(again)).toEqual(jobsOf(first));
      const late = { ...packet, idempotencyKey: "late" };
      expect(statusesOf(await send([late], actor, own))).toEqual(["replayed"]);
    } finally {
      await own.close();
    }
  });

  it("answers each item as sending it alone does: one that is wrong costs no other its place", async () => {
    const good = [item("a"), item("b")];
    await submitPacket(context, actor, { ...item("taken"), correlationId: "cor" });
    const results = await send([
      good[0] ?? item(),
      { kind: "no-such-kind", payload: {} },
      { kind: "monthly-report", payload: { school: 1 } },
      item("taken"),
      item("bad\u0000key"),
      good[1] ?? item(),
    ]);
    expect(statusesOf(results)).toEqual([
      "accepted",
      "unknown_kind",
      "payload_invalid",
      "idempotency_conflict",
      "invalid_request",
      "accepted",
    ]);
  });

  it("with one item many times is one job, whether it has a key or not [C11,C38]", async () => {
    const [keyed, bare] = [item("same"), item()];
    const results = await send([keyed, bare, keyed, bare, keyed]);
    expect(statusesOf(results)).toEqual(["accepted", "accepted", "replayed", "replayed", "replayed"]);
    expect(new Set(jobsOf(results)).size).toBe(2);
  });

  it("with one key for two contents accepts the first and refuses the second [C12]", async () => {
    const results = await send([item("same"), item("same")]);
    expect(statusesOf(results)).toEqual(["accepted", "idempotency_conflict"]);
  });

  it("with three contents about one thing is three revisions in the order given", async () => {
    const items = ["First", "Second", "Third"].map((period): PacketRequest => {
      const { kind, payload } = monthlyRequest();
      return { kind, payload: { ...Object(payload), school: { ...Object(payload).school, name: `${period} school` } } };
    });
    const results = await send(items);
    expect(statusesOf(results)).toEqual(["accepted", "accepted", "accepted"]);
    const rows = await Promise.all(jobsOf(results).map((jobId) => jobRow(context, jobId)));
    const numbers = await Promise.all(
      rows.map(
        async (row) => (await context.sql("SELECT number FROM revisions WHERE id = $1", [row.revision_id]))[0]?.number,
      ),
    );
    expect(numbers).toEqual([1, 2, 3]);
  });

  it("follows a cancelled job of its key with a linked one, once", async () => {
    const again = item("later");
    const [cancelled = newId("job")] = jobsOf(await send([again]));
    await cancelPacket(context, actor, cancelled);
    const results = await send([again, again]);
    expect(statusesOf(results)).toEqual(["accepted", "replayed"]);
    expect((await jobRow(context, jobsOf(results)[0] ?? "")).redrive_of).toBe(cancelled);
  });

  it("costs the queue nothing for what is invalid in it: no job, no delivery, no payload [C87]", async () => {
    const invalid = Array.from({ length: 30 }, (_, index): PacketRequest => {
      const { kind, payload } = monthlyRequest();
      return { kind, payload: { ...Object(payload), period: `never-${index}` }, idempotencyKey: `bad-${index}` };
    });
    const before = await countRows(context);
    expect(new Set(statusesOf(await send(invalid)))).toEqual(new Set(["payload_invalid"]));
    expect(await countRows(context)).toEqual(before);
    expect(statusesOf(await send([...invalid, item("good")])).at(-1)).toBe("accepted");
    const after = await countRows(context);
    for (const table of ["public.jobs", "public.payloads", "pgboss.job"])
      expect((after[table] ?? 0) - (before[table] ?? 0), table).toBe(1);
  });

  it("is answered while nothing at all is made: it is the queue's age that grows, not the answer's [C75,C78]", async () => {
    const own = await openTestContext(database.url);
    try {
      const waits: number[] = [];
      for (let minute = 0; minute < 20; minute += 1) {
        expect(statusesOf(await send([item()], actor, own))).toEqual(["accepted"]);
        const view = await readLanes(own, anOperator());
        waits.push(view.lanes.find(({ lane }) => lane === "archive")?.oldestReadyMs ?? 0);
        own.clock.advance(60_000);
      }
      expect(waits).toEqual(Array.from({ length: 20 }, (_, minute) => minute * 60_000));
      const [begun] = await own.sql("SELECT count(*)::int AS n FROM jobs WHERE tenant_id = $1 AND attempt > 0", [
        tenantId,
      ]);
      expect(begun?.n).toBe(0);
    } finally {
      await own.close();
    }
  });

  it("of more than a thousand is refused whole, and nothing is written [C73,C82]", async () => {
    const before = await countRows(context);
    const items = Array.from({ length: BATCH_ITEMS_MAX + 1 }, () => item());
    await expect(send(items)).rejects.toMatchObject({ code: "batch_too_large" });
    expect(await countRows(context)).toEqual(before);
  });

  it("past the tenant's limit fills it exactly; the rest is told when to ask again [C53,C55,C68]", async () => {
    const small = await addTenant(context, { outstandingMax: 7 });
    const by = await addPerson(context, small);
    const batches = await Promise.all(
      [0, 1, 2].map(() =>
        send(
          Array.from({ length: 10 }, () => item()),
          by,
        ),
      ),
    );
    const statuses = batches.flatMap(statusesOf);
    expect(statuses.filter((status) => status === "accepted")).toHaveLength(7);
    expect(statuses.filter((status) => status === "too_many_outstanding")).toHaveLength(23);
  });

  it("of somebody who may not submit is refused item by item", async () => {
    const viewer = await addPerson(context, tenantId, { role: "viewer" });
    expect(statusesOf(await send([item(), item()], viewer))).toEqual(["not_found", "not_found"]);
  });

  it("is refused while no worker has room for another folder, and taken once one has [C67]", async () => {
    const at = context.clock.now();
    const seen = (id: string, hasRoom: boolean) =>
      context.sql(
        `INSERT INTO worker_instances (id, started_at, last_seen_at, renderer_build, rss_bytes, workspace_bytes, running, has_room)
         VALUES ($1, $2, $2, 'build', 0, 0, 0, $3)`,
        [id, at, hasRoom],
      );
    await seen("wrk_full", false);
    expect(statusesOf(await send([item()]))).toEqual(["workspace_full"]);
    await seen("wrk_roomy", true);
    expect(statusesOf(await send([item()]))).toEqual(["accepted"]);
    await context.sql("DELETE FROM worker_instances");
  });
});

describe("many batches at once from two processes", () => {
  it("with the same items in opposite orders end in one job per item: nobody waits for ever, nothing is double [C13,C30,C37]", async () => {
    const other = await openTestContext(database.url);
    try {
      const items = Array.from({ length: 40 }, (_, index) => item(index % 3 === 0 ? `x-${index}` : undefined));
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          send(index % 2 === 0 ? items : items.toReversed(), actor, index % 4 < 2 ? context : other),
        ),
      );
      const jobs = answers.map((results, index) => (index % 2 === 0 ? jobsOf(results) : jobsOf(results).toReversed()));
      for (const each of jobs) expect(each).toEqual(jobs[0]);
      expect(answers.flatMap(statusesOf).filter((status) => status === "accepted")).toHaveLength(40);
      const [count] = await context.sql("SELECT count(*)::int AS n FROM jobs WHERE tenant_id = $1", [tenantId]);
      expect(count?.n).toBe(40);
    } finally {
      await other.close();
    }
  });
});
