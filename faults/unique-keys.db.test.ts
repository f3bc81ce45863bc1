import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import { newId } from "@/server/domain/ids";
import { addPerson, addTenant, openTestContext, type TestContext } from "@/server/services/test-context";
import { archived, newPacket } from "@/server/services/test-requests";

// Locks keep two submissions apart, the fence two attempts. Where both were wrong, the database itself still refuses a second one.

const database = testDatabase();
let context: TestContext;
let jobId: string;

beforeAll(async () => {
  context = await openTestContext(database.url);
  ({ jobId } = await archived(context, await addPerson(context, await addTenant(context)), newPacket()));
});
afterAll(() => context.close());

/** Inserts the row of the job once more with these columns changed; whoever owns the tables may. */
const again = (table: string, column: string, changes: object) =>
  context.sql(
    `INSERT INTO ${table} SELECT (jsonb_populate_record(t, $2::jsonb)).* FROM ${table} t WHERE ${column} = $1`,
    [jobId, JSON.stringify(changes)],
  );

describe("what there is once, by the database's own word", () => {
  it.each([
    { what: "a job per key", table: "submissions", column: "job_id", changes: () => ({}), by: "submissions_pkey" },
    {
      what: "an artifact per job",
      table: "artifacts",
      column: "job_id",
      changes: () => ({ id: newId("artifact"), audience: "other", archive_key: "a".repeat(64) }),
      by: "artifacts_job_id_key",
    },
    {
      what: "an attempt per number",
      table: "attempts",
      column: "job_id",
      changes: () => ({}),
      by: "attempts_pkey",
    },
  ])("$what [C463]", async ({ table, column, changes, by }) => {
    if (table === "attempts") {
      await context.sql("INSERT INTO attempts (job_id, number, worker_id, started_at) VALUES ($1, 1, 'wrk_1', now())", [
        jobId,
      ]);
    }
    await expect(again(table, column, changes())).rejects.toMatchObject({ code: "23505", constraint: by });
  });

  it.each([
    { what: "an artifact per revision and audience", by: "artifacts_revision_id_audience_key" },
    { what: "a record per object of the archive", by: "artifacts_archive_key_key" },
  ])("$what [C463]", async ({ by }) => {
    const rows = await context.sql<{ definition: string }>(
      "SELECT indexdef AS definition FROM pg_indexes WHERE indexname = $1",
      [by],
    );
    expect(rows.map(({ definition }) => definition.startsWith("CREATE UNIQUE INDEX"))).toEqual([true]);
  });
});
