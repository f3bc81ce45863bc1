import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import type { PersonActor, Reach } from "@/server/domain/access";
import { previewKey, type TenantId } from "@/server/domain/ids";
import { addPerson, addSource, addTenant, countRows, openTestContext, type TestContext } from "../test-context";
import { bookRequest, deliveriesOf, jobRow, monthlyRequest, submitted } from "../test-requests";
import { previewPacket } from "./preview-packet";
import { openPreview, readPreview } from "./read-preview";

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

describe("a requested preview", () => {
  it("waits in the lane of previews, belongs to no revision and takes no key [C4,C40,C47]", async () => {
    const { jobId } = await previewPacket(context, actor, monthlyRequest());
    expect(await jobRow(context, jobId)).toMatchObject({
      fidelity: "preview",
      lane: "interactive",
      revision_id: null,
      state: "queued",
      attempts_max: 2,
      finish_by: new Date(context.clock.now().getTime() + 2 * 60_000),
      erase_by: new Date(context.clock.now().getTime() + 60 * 60_000),
    });
    expect(await deliveriesOf(context, jobId)).toMatchObject([{ queue: "interactive", data: { jobId } }]);
    const [counts] = await context.sql(
      `SELECT (SELECT count(*)::int FROM revisions WHERE tenant_id = $1) AS revisions,
              (SELECT count(*)::int FROM submissions WHERE tenant_id = $1) AS submissions,
              (SELECT count(*)::int FROM packet_readers WHERE job_id = $2) AS readers`,
      [actor.tenantId, jobId],
    );
    expect(counts).toEqual({ revisions: 0, submissions: 0, readers: 0 });
  });

  it("does not stand in the way of submitting the same content", async () => {
    await previewPacket(context, actor, monthlyRequest());
    const jobId = await submitted(context, actor, monthlyRequest());
    expect(await jobRow(context, jobId)).toMatchObject({ fidelity: "archival", state: "queued" });
  });

  it("that is invalid, or names what is not there, leaves nothing [C89,C99]", async () => {
    const before = await countRows(context);
    const invalid = previewPacket(context, actor, { ...monthlyRequest(), payload: {} });
    await expect(invalid).rejects.toMatchObject({ code: "payload_invalid" });
    const foreign = await addSource(context, await addTenant(context));
    const counted = await countRows(context);
    await expect(previewPacket(context, actor, bookRequest([foreign]))).rejects.toMatchObject({
      code: "payload_invalid",
    });
    expect(await countRows(context)).toEqual(counted);
    expect(counted["public.jobs"]).toBe(before["public.jobs"]);
  });

  it("is refused while previews wait too long, when records are still taken [C46]", async () => {
    const own = await openTestContext(database.url);
    try {
      const { jobId } = await previewPacket(own, actor, monthlyRequest());
      await own.sql("UPDATE jobs SET state = 'cancelled' WHERE lane = 'interactive' AND id <> $1", [jobId]);
      own.clock.advance(30_001);
      await expect(previewPacket(own, actor, monthlyRequest())).rejects.toMatchObject({
        code: "lane_closed",
        retryAfterSeconds: 5,
      });
      await submitted(own, actor, monthlyRequest());
      await own.sql("UPDATE jobs SET state = 'cancelled' WHERE id = $1", [jobId]);
    } finally {
      await own.close();
    }
  });
});

describe("a finished preview", () => {
  async function finished(state: string): Promise<Awaited<ReturnType<typeof previewPacket>>["jobId"]> {
    const { jobId } = await previewPacket(context, actor, monthlyRequest());
    const expiresAt = new Date(context.clock.now().getTime() + 15 * 60_000);
    await context.sql(
      "INSERT INTO previews (job_id, preview_key, bytes, pages, expires_at) VALUES ($1, $2, 9, 3, $3)",
      [jobId, previewKey(jobId), expiresAt],
    );
    await context.sql(`UPDATE jobs SET state = '${state}' WHERE id = $1`, [jobId]);
    return jobId;
  }

  it("is shown to whoever asked for it, and to nobody else of the tenant", async () => {
    const jobId = await finished("completed");
    expect(await readPreview(context, actor, jobId)).toMatchObject({ state: "succeeded", pages: 3 });
    const colleague = await addPerson(context, actor.tenantId, { role: "admin" });
    await expect(readPreview(context, colleague, jobId)).rejects.toMatchObject({ code: "not_found" });
    await expect(openPreview(context, colleague, jobId)).rejects.toMatchObject({ code: "not_found" });
  });

  it("opens until its last instant, and not at it [C47]", async () => {
    const jobId = await finished("completed");
    context.clock.advance(15 * 60_000 - 1);
    expect(await openPreview(context, actor, jobId)).toMatchObject({ key: previewKey(jobId), bytes: 9 });
    context.clock.advance(1);
    await expect(openPreview(context, actor, jobId)).rejects.toMatchObject({ code: "preview_expired" });
  });

  it("does not open before it is complete", async () => {
    for (const state of ["queued", "retry_wait", "dead_letter"]) {
      const jobId = await finished(state);
      await expect(openPreview(context, actor, jobId), state).rejects.toMatchObject({ code: "preview_expired" });
      expect((await readPreview(context, actor, jobId)).pages).toBeNull();
    }
  });

  it("is not mistaken for a packet: an archived packet is no preview", async () => {
    const jobId = await submitted(context, actor, monthlyRequest());
    await expect(readPreview(context, actor, jobId)).rejects.toMatchObject({ code: "not_found" });
  });
});
