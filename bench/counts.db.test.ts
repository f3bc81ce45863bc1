import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import { addPerson, addTenant, openTestContext, type TestContext } from "@/server/services/test-context";
import { archived, newPacket, submitted } from "@/server/services/test-requests";
import { completePackets } from "./counts";

const database = testDatabase();
let context: TestContext;

beforeAll(async () => {
  context = await openTestContext(database.url);
});
afterAll(() => context.close());

describe("throughput", () => {
  it("counts packets that are verified, published and on record as completed, and none that is on its way or failed [C282]", async () => {
    const actor = await addPerson(context, await addTenant(context));
    await archived(context, actor, newPacket());
    await archived(context, actor, newPacket());
    for (const state of ["queued", "retry_wait", "validation_failed", "dead_letter", "cancelled"]) {
      const jobId = await submitted(context, actor, newPacket());
      await context.sql("UPDATE jobs SET state = $2 WHERE id = $1", [jobId, state]);
    }
    // Its bytes lie in the archive, but nobody has said that it is done.
    const { jobId } = await archived(context, actor, newPacket());
    await context.sql("ALTER TABLE jobs DISABLE TRIGGER jobs_frozen");
    await context.sql("UPDATE jobs SET state = 'published' WHERE id = $1", [jobId]);
    expect(await completePackets(context)).toBe(2);
  });
});
