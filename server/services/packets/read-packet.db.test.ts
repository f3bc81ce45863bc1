import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import type { PersonActor, Reach } from "@/server/domain/access";
import type { TenantId } from "@/server/domain/ids";
import { JOB_STATES, PUBLIC_STATE } from "@/server/domain/job";
import { addPerson, addTenant, openTestContext, type TestContext } from "../test-context";
import { archived, monthlyRequest, submitted } from "../test-requests";
import { listHistory } from "./list-history";
import { listPackets, PACKETS_PER_PAGE } from "./list-packets";
import { readPacket } from "./read-packet";
import { readPayload } from "./read-payload";

const database = testDatabase();
let context: TestContext;
let actor: PersonActor & { tenantId: TenantId; reach: Reach };

beforeAll(async () => {
  context = await openTestContext(database.url);
});
afterAll(() => context.close());
beforeEach(async () => {
  actor = await addPerson(context, await addTenant(context));
});

const schoolRequest = (ref: string, name = "Östra Park School") => monthlyRequest({ school: { ref, name } });

describe("reading a packet", () => {
  it("says of each internal state one of four public ones [C329,C330,C353]", async () => {
    const jobId = await submitted(context, actor, monthlyRequest());
    for (const state of JOB_STATES) {
      // A copy in each state, since terminal states stay.
      await context.sql(`INSERT INTO jobs SELECT (jsonb_populate_record(j, $2::jsonb)).* FROM jobs j WHERE id = $1`, [
        jobId,
        JSON.stringify({
          id: `job_${state}`,
          state,
          idempotency_key: state,
          audience: state,
          lease_until: "2026-12-01T09:02:00Z",
          worker_id: "wrk_1",
        }),
      ]);
      const view = await readPacket(context, actor, `job_${state}` as typeof jobId);
      expect(view.state, state).toBe(PUBLIC_STATE[state]);
      expect(["queued", "running", "succeeded", "failed"]).toContain(view.state);
    }
  });

  it("tells stages and instants, and no share of anything [C357,C359]", async () => {
    const { jobId } = await archived(context, actor, monthlyRequest());
    const view = await readPacket(context, actor, jobId);
    expect(view.acceptedAt).toEqual(context.clock.now());
    expect(view.settledAt).toEqual(context.clock.now());
    const names = namesIn(view);
    expect([...names].filter((name) => /percent|progress|ratio|share|fraction/i.test(name))).toEqual([]);
    expect(JSON.stringify(view)).not.toMatch(/\d\s?%/);
  });

  it("names no path, no key and no worker [C330,C333]", async () => {
    const { jobId } = await archived(context, actor, monthlyRequest());
    const [row] = await context.sql("SELECT archive_key FROM artifacts WHERE job_id = $1", [jobId]);
    const text = JSON.stringify(await readPacket(context, actor, jobId));
    expect(text).not.toContain(row?.archive_key);
    expect([...namesIn(JSON.parse(text))].filter((name) => /path|key|worker|lease/i.test(name))).toEqual([]);
  });

  it("changes no row and starts no work, whatever is read [C334]", async () => {
    const { jobId } = await archived(context, actor, monthlyRequest());
    const tables = await context.sql<{ name: string }>(
      `SELECT format('%I.%I', schemaname, relname) AS name FROM pg_stat_user_tables
       WHERE schemaname = 'public' OR (schemaname = 'pgboss' AND relname LIKE 'j%') ORDER BY 1`,
    );
    expect(tables.length).toBeGreaterThan(15);
    // Each row carries the transaction that wrote it last: a row that is written again, even with the same words, shows.
    const image = async () => {
      const rows = [];
      for (const { name } of tables) {
        rows.push({ name, ...(await context.sql(`SELECT count(*), max(xmin::text::bigint) FROM ${name}`))[0] });
      }
      return rows;
    };
    const before = await image();
    await readPacket(context, actor, jobId);
    await readPayload(context, actor, jobId);
    await listHistory(context, actor, jobId);
    await listPackets(context, actor, { page: 1 });
    expect(await image()).toEqual(before);
  });

  it("names the newer packet that replaced it, once that one is there", async () => {
    const first = await archived(context, actor, monthlyRequest());
    const changed = monthlyRequest({ headline: "Corrected figures for the whole month." });
    const jobId = await submitted(context, actor, changed);
    expect((await readPacket(context, actor, first.jobId)).replacedBy).toBeNull();
    await context.sql("UPDATE jobs SET state = 'completed' WHERE id = $1", [jobId]);
    expect((await readPacket(context, actor, first.jobId)).replacedBy).toEqual({ jobId, number: 2 });
    expect((await readPacket(context, actor, jobId)).replacedBy).toBeNull();
  });

  it("says why it failed in plain words, and at which part [C177,C351]", async () => {
    const jobId = await submitted(context, actor, monthlyRequest());
    await context.sql(
      `UPDATE jobs SET state = 'validation_failed', failure_code = 'missing_glyphs', failure_stage = 'render',
       failure_position = 3, failure_page = 2 WHERE id = $1`,
      [jobId],
    );
    expect((await readPacket(context, actor, jobId)).failure).toEqual({
      code: "missing_glyphs",
      message: "Some characters cannot be printed. Change them and submit again.",
      stage: "render",
      position: 3,
      title: "Classes",
      page: 2,
      findings: [],
    });
  });
});

describe("a version of what was read", () => {
  it("changes when the packet does, and only then [C356]", async () => {
    const jobId = await submitted(context, actor, monthlyRequest());
    const versionNow = async () => (await readPacket(context, actor, jobId)).version;
    const versions = [await versionNow()];
    expect(await versionNow()).toBe(versions[0]);
    for (const change of [
      "state = 'running', attempt = 1, lease_until = now(), worker_id = 'w'",
      "stage = 'render'",
      "state = 'retry_wait', failure_code = 'renderer_lost'",
      "state = 'running', attempt = 2",
      "state = 'published'",
      "state = 'completed', settled_at = now()",
    ]) {
      await context.sql(`UPDATE jobs SET ${change} WHERE id = $1`, [jobId]);
      versions.push(await versionNow());
    }
    expect(new Set(versions).size).toBe(versions.length);
  });
});

describe("the history of a packet", () => {
  it("names who did what, and Bindery for what the worker did", async () => {
    const { jobId, artifactId } = await archived(context, actor, monthlyRequest());
    await context.sql(
      `INSERT INTO audit_events (tenant_id, actor_id, actor_type, action, subject_type, subject_id, correlation_id, at)
       VALUES ($1, 'worker', 'system', 'packet.completed', 'job', $2, 'c', now()),
              ($1, $4, 'person', 'artifact.downloaded', 'artifact', $3, 'c', now())`,
      [actor.tenantId, jobId, artifactId, actor.userId],
    );
    const history = await listHistory(context, actor, jobId);
    expect(history.map(({ action, who }) => [action, who])).toEqual([
      ["artifact.downloaded", "Marit Solheim"],
      ["packet.completed", "Bindery"],
      ["packet.submitted", "Marit Solheim"],
    ]);
  });
});

describe("the list of packets", () => {
  it("shows the tenant's own within the reader's reach, newest first, in pages", async () => {
    for (let index = 0; index < PACKETS_PER_PAGE + 2; index += 1) {
      await submitted(context, actor, schoolRequest(`S-${index}`));
      context.clock.advance(1_000);
    }
    await submitted(context, await addPerson(context, await addTenant(context)), schoolRequest("S-0"));
    const first = await listPackets(context, actor, { page: 1 });
    const second = await listPackets(context, actor, { page: 2 });
    expect(first.total).toBe(PACKETS_PER_PAGE + 2);
    expect([...first.rows, ...second.rows].map((row) => row.scope)).toEqual(
      Array.from({ length: PACKETS_PER_PAGE + 2 }, (_, index) => `S-${PACKETS_PER_PAGE + 1 - index}`),
    );
    const narrow = await addPerson(context, actor.tenantId, { role: "viewer", scopes: ["S-3"] });
    expect((await listPackets(context, narrow, { page: 1 })).rows.map((row) => row.scope)).toEqual(["S-3"]);
    const elsewhere = await addPerson(context, actor.tenantId, { role: "viewer", kinds: ["board-book"] });
    expect(await listPackets(context, elsewhere, { page: 1 })).toMatchObject({ total: 0, rows: [] });
    // What is filtered for stays within the reach.
    expect(await listPackets(context, elsewhere, { page: 1, kind: "monthly-report" })).toMatchObject({ total: 0 });
  });

  it("finds by public state and by words, and takes any words for words", async () => {
    await archived(context, actor, schoolRequest("S-1", "100% School_x"));
    const waiting = await submitted(context, actor, schoolRequest("S-2", "Väst"));
    const scopes = async (filter: object) =>
      (await listPackets(context, actor, { page: 1, ...filter })).rows.map((row) => row.scope);
    expect(await scopes({ state: "succeeded" })).toEqual(["S-1"]);
    expect(await scopes({ state: "queued" })).toEqual(["S-2"]);
    expect(await scopes({ text: "VÄST" })).toEqual(["S-2"]);
    expect(await scopes({ text: waiting })).toEqual(["S-2"]);
    for (const text of ["%", "_", "100%"]) expect(await scopes({ text }), text).toEqual(["S-1"]);
    for (const text of ["\\", "'; --", "a\u0000b", "\ud800"]) expect(await scopes({ text }), text).toEqual([]);
  });

  it("holds no previews", async () => {
    const { previewPacket } = await import("./preview-packet");
    await previewPacket(context, actor, monthlyRequest());
    expect(await listPackets(context, actor, { page: 1 })).toMatchObject({ total: 0 });
  });

  it("is not there for a recipient", async () => {
    const recipient = await addPerson(context, actor.tenantId, { role: "recipient" });
    await expect(listPackets(context, recipient, { page: 1 })).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("what was submitted", () => {
  it("can be read to start the next revision from, until it is erased", async () => {
    const jobId = await submitted(context, actor, monthlyRequest());
    expect(await readPayload(context, actor, jobId)).toMatchObject({
      kind: "monthly-report",
      audience: "internal",
      payload: { school: { ref: "S-014" } },
    });
    await context.sql("DELETE FROM payloads WHERE id = (SELECT payload_id FROM jobs WHERE id = $1)", [jobId]);
    expect(await readPayload(context, actor, jobId)).toBeNull();
  });
});

/** The names of all properties in a value. */
function namesIn(value: unknown, names = new Set<string>()): Set<string> {
  if (typeof value !== "object" || value === null) return names;
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) names.add(name);
    namesIn(inner, names);
  }
  return names;
}
