import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import type { PersonActor, Reach } from "@/server/domain/access";
import type { TenantId } from "@/server/domain/ids";
import { addPerson, addTenant, openTestContext, type TestContext } from "../test-context";
import { jobRow, monthlyRequest, submitted } from "../test-requests";
import { cancelPacket } from "./cancel-packet";
import { readPacket } from "./read-packet";

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

const RUNNING = "attempt = 1, lease_until = now() + interval '1 minute', worker_id = 'wrk_1'";

describe("cancelling a packet that is not yet made", () => {
  it.each([
    ["queued", "state = 'queued'"],
    ["running", `state = 'running', stage = 'render', ${RUNNING}`],
    ["waiting to retry", "state = 'retry_wait', attempt = 1"],
  ])("while it is %s ends it, audited with who asked", async (_, change) => {
    const jobId = await submitted(context, actor, monthlyRequest());
    await context.sql(`UPDATE jobs SET ${change} WHERE id = $1`, [jobId]);
    expect(await cancelPacket(context, actor, jobId)).toEqual({ cancelled: true });
    expect(await jobRow(context, jobId)).toMatchObject({
      state: "cancelled",
      failure_code: "cancelled",
      lease_until: null,
      settled_at: context.clock.now(),
    });
    const [event] = await context.sql("SELECT * FROM audit_events WHERE subject_id = $1 ORDER BY id DESC", [jobId]);
    expect(event).toMatchObject({
      action: "packet.cancelled",
      actor_id: actor.userId,
      tenant_id: actor.tenantId,
      correlation_id: "cor-monthly",
    });
    expect((await readPacket(context, actor, jobId)).state).toBe("failed");
  });

  it("twice, or by two people at once, ends it once", async () => {
    const jobId = await submitted(context, actor, monthlyRequest());
    const answers = await Promise.all(Array.from({ length: 8 }, () => cancelPacket(context, actor, jobId)));
    expect(answers.filter((answer) => answer.cancelled)).toHaveLength(1);
    const events = await context.sql("SELECT 1 FROM audit_events WHERE subject_id = $1", [jobId]);
    expect(events).toHaveLength(2);
  });
});

describe("cancelling a packet that is made", () => {
  it.each([
    ["about to be committed", `state = 'running', stage = 'publish', ${RUNNING}`],
    ["published", "state = 'published', attempt = 1"],
    ["completed", "state = 'completed'"],
    ["failed for good", "state = 'dead_letter'"],
    ["refused for its content", "state = 'validation_failed'"],
  ])("because it is %s comes too late and changes nothing", async (_, change) => {
    const jobId = await submitted(context, actor, monthlyRequest());
    await context.sql(`UPDATE jobs SET ${change} WHERE id = $1`, [jobId]);
    const before = await jobRow(context, jobId);
    expect((await readPacket(context, actor, jobId)).mayCancel).toBe(false);
    expect(await cancelPacket(context, actor, jobId)).toEqual({ cancelled: false });
    expect(await jobRow(context, jobId)).toEqual(before);
    expect(await context.sql("SELECT 1 FROM audit_events WHERE subject_id = $1", [jobId])).toHaveLength(1);
  });
});
