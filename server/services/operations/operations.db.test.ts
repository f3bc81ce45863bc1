import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import type { PersonActor, Reach } from "@/server/domain/access";
import type { TenantId } from "@/server/domain/ids";
import { listLibrary } from "../library/list-library";
import {
  addPerson,
  addPolicy,
  addSource,
  addTenant,
  anOperator,
  openTestContext,
  type TestContext,
} from "../test-context";
import { monthlyRequest, submitted } from "../test-requests";
import { listDeadLetters } from "./list-dead-letters";
import { readLanes } from "./read-lanes";

const database = testDatabase();
let context: TestContext;
let actor: PersonActor & { tenantId: TenantId; reach: Reach };

beforeAll(async () => {
  context = await openTestContext(database.url);
  actor = await addPerson(context, await addTenant(context));
});
afterAll(() => context.close());

const request = (ref: string, name = "Canary School") => monthlyRequest({ school: { ref, name } });

async function jobIn(change: string, ref: string): Promise<string> {
  const jobId = await submitted(context, actor, request(ref));
  await context.sql(`UPDATE jobs SET ${change} WHERE id = $1`, [jobId]);
  return jobId;
}

describe("the lanes", () => {
  it("show age, depth, running and the population that waits to retry, each for itself [C377,C378,C406]", async () => {
    const now = context.clock.now();
    const at = (ms: number) => `'${new Date(now.getTime() + ms).toISOString()}'`;
    await jobIn(`due_at = ${at(-90_000)}`, "L-1");
    await jobIn(`due_at = ${at(-10_000)}`, "L-2");
    await jobIn(`state = 'retry_wait', due_at = ${at(5_000)}`, "L-3");
    await jobIn(`state = 'retry_wait', due_at = ${at(-1_000)}`, "L-4");
    await jobIn("state = 'running', lease_until = now(), worker_id = 'w', attempt = 1", "L-5");
    await jobIn("state = 'completed'", "L-6");
    const view = await readLanes(context, anOperator());
    expect(view.lanes.find((lane) => lane.lane === "archive")).toMatchObject({
      oldestReadyMs: 90_000,
      ageMsMax: 30 * 60_000,
      ready: 3,
      retryWait: 1,
      running: 1,
    });
    expect(view.lanes.find((lane) => lane.lane === "interactive")).toMatchObject({ oldestReadyMs: 0, ready: 0 });
  });

  it("show the slots that are kept and not used, per lane: what a reserve costs [C51]", async () => {
    const at = context.clock.now();
    for (const id of ["wrk_idle_1", "wrk_idle_2"])
      await context.sql(
        `INSERT INTO worker_instances (id, started_at, last_seen_at, renderer_build, rss_bytes, workspace_bytes, running)
         VALUES ($1, $2, $2, 'build', 0, 0, 0)`,
        [id, at],
      );
    const before = await readLanes(context, anOperator());
    const running = before.lanes.find((lane) => lane.lane === "archive")?.running ?? 0;
    expect(before.lanes.map(({ lane, concurrency, idle }) => [lane, concurrency, idle])).toEqual([
      ["interactive", 2, 2],
      ["archive", 4, 4 - running],
      ["oversize", 2, 2],
    ]);
    await jobIn("state = 'running', lease_until = now(), worker_id = 'w', attempt = 1", "L-idle");
    const after = await readLanes(context, anOperator());
    expect(after.lanes.find((lane) => lane.lane === "archive")?.idle).toBe(3 - running);
    await context.sql("DELETE FROM worker_instances WHERE id LIKE 'wrk_idle_%'");
  });

  it("count inputs that are past their deletion deadline [C317]", async () => {
    expect((await readLanes(context, anOperator())).overdue).toBe(0);
    await addSource(context, actor.tenantId, { eraseBy: new Date(context.clock.now().getTime() - 1) });
    expect((await readLanes(context, anOperator())).overdue).toBe(1);
  });
});

describe("the dead letters", () => {
  it("tell reason, first and last code, stage and attempts, and no content [C131,C177,C194,C437]", async () => {
    const jobId = await jobIn(
      `state = 'dead_letter', attempt = 5, failure_code = 'storage_unavailable', first_failure_code = 'renderer_lost',
       failure_stage = 'publish', settled_at = '2026-12-01T10:00:00Z'`,
      "L-7",
    );
    const { rows } = await listDeadLetters(context, anOperator(), { page: 1 });
    expect(rows).toEqual([
      expect.objectContaining({
        jobId,
        code: "storage_unavailable",
        firstCode: "renderer_lost",
        reason: "Storage did not answer.",
        stage: "publish",
        attempts: 5,
        attemptsMax: 5,
      }),
    ]);
    expect(JSON.stringify(rows)).not.toContain("Canary");
  });
});

describe("the library", () => {
  it("lists the tenant's policies in use by title, and no other's", async () => {
    const member = await addPerson(context, await addTenant(context), { role: "viewer" });
    const sourceId = await addSource(context, member.tenantId, { pages: 4 });
    await addPolicy(context, member.tenantId, { sourceId, title: "Travel" });
    await addPolicy(context, member.tenantId, { sourceId, title: "Conduct" });
    await addPolicy(context, member.tenantId, { sourceId, title: "Old", retiredAt: context.clock.now() });
    await addPolicy(context, actor.tenantId, { sourceId: await addSource(context, actor.tenantId), title: "Foreign" });
    const documents = await listLibrary(context, member, "policy");
    expect(documents.map(({ title, pages, state }) => [title, pages, state])).toEqual([
      ["Conduct", 4, "accepted"],
      ["Travel", 4, "accepted"],
    ]);
  });
});

describe("somebody who is no operator", () => {
  it("finds no operations pages, an admin included", async () => {
    const admin = await addPerson(context, actor.tenantId, { role: "admin" });
    await expect(readLanes(context, admin)).rejects.toMatchObject({ code: "not_found" });
    await expect(listDeadLetters(context, admin, { page: 1 })).rejects.toMatchObject({ code: "not_found" });
  });

  it("finds no library as a recipient or without a tenant", async () => {
    const recipient = await addPerson(context, actor.tenantId, { role: "recipient" });
    for (const somebody of [recipient, anOperator()]) {
      await expect(listLibrary(context, somebody, "policy")).rejects.toMatchObject({ code: "not_found" });
    }
  });
});
