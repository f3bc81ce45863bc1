import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import {
  addPerson,
  addPolicy,
  addSource,
  addTenant,
  openTestContext,
  type TestContext,
} from "../services/test-context";
import { onboardingRequest, submitted } from "../services/test-requests";

const database = testDatabase();
let context: TestContext;
let jobId: string;

/** Who tries: even the owner of the tables, and each of our processes. */
const WHO = ["owner", "bindery_web", "bindery_worker"] as const;
type Who = (typeof WHO)[number];

beforeAll(async () => {
  context = await openTestContext(database.url);
  const tenantId = await addTenant(context);
  const actor = await addPerson(context, tenantId);
  const policy = await addPolicy(context, tenantId, { sourceId: await addSource(context, tenantId) });
  jobId = await submitted(context, actor, onboardingRequest([policy]));
  await context.sqlAs(
    "bindery_worker",
    `INSERT INTO artifacts (id, tenant_id, job_id, revision_id, audience, kind, business_identity, scope, period, subject, archive_key,
       media_type, bytes, digest, pages, page_map, manifest_digest, template_version, renderer_build, validation, attempt,
       committed_at, retain_until)
     SELECT 'art_1', tenant_id, id, revision_id, audience, kind, business_identity, scope, period, subject, 'key', 'application/pdf',
       9, 'sha256:' || repeat('0', 64), 1, '[]', manifest_digest, 1, 'build',
       '[{"name":"signature","passed":true,"found":"yes"}]', 1, now(), now() + interval '7 years'
     FROM jobs WHERE id = $1`,
    [jobId],
  );
});
afterAll(() => context.close());

function run(who: Who, text: string): Promise<unknown[]> {
  return who === "owner" ? context.sql(text) : context.sqlAs(who, text);
}

/** An integrity rule of ours, or no right to it in the first place. */
const REFUSED = { code: expect.stringMatching(/^(23000|42501)$/) };

async function columnsOf(table: string): Promise<{ column: string; type: string }[]> {
  return context.sql(
    `SELECT column_name AS column, data_type AS type FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 ORDER BY ordinal_position`,
    [table],
  );
}

/** SQL for another value than the one that stands there. */
function otherThan({ column, type }: { column: string; type: string }): string {
  if (type === "jsonb") return `'["other"]'::jsonb`;
  if (type.startsWith("timestamp")) return `COALESCE(${column}, now()) + interval '1 second'`;
  if (type === "integer" || type === "bigint") return `COALESCE(${column}, 0) + 1`;
  return `COALESCE(${column}, '') || 'x'`;
}

/** Tries to change each column but those named, and returns the ones that could be changed. */
async function changeable(who: Who, table: string, except: readonly string[]): Promise<string[]> {
  const changed: string[] = [];
  for (const column of await columnsOf(table)) {
    if (except.includes(column.column)) continue;
    const image = () => context.sql(`SELECT md5(string_agg(t::text, '')) FROM ${table} t`);
    const before = await image();
    await expect(run(who, `UPDATE ${table} SET ${column.column} = ${otherThan(column)}`)).rejects.toMatchObject(
      REFUSED,
    );
    if (JSON.stringify(await image()) !== JSON.stringify(before)) changed.push(column.column);
  }
  return changed;
}

const WRITTEN_LATER = [
  ...["state", "stage", "attempt", "due_at", "lease_until", "worker_id", "renderer_build"],
  ...["claimed_at", "validated_at", "fetched_at", "rendered_at", "assembled_at", "verified_at", "published_at"],
  ...["settled_at", "erased_at"],
  ...["failure_code", "first_failure_code", "failure_stage", "failure_position", "failure_page", "failure_fields"],
  ...["discarded_at", "discarded_by"],
];

describe.each(WHO)("for the %s", (who) => {
  it("no column of a job's input can be changed, its deadlines included [C1,C7,C26,C169,C310]", async () => {
    expect(await changeable(who, "jobs", WRITTEN_LATER)).toEqual([]);
  });

  it("a revision can be neither changed nor deleted [C2]", async () => {
    expect(await changeable(who, "revisions", [])).toEqual([]);
    await expect(run(who, "DELETE FROM revisions")).rejects.toMatchObject(REFUSED);
  });

  it("a part of a manifest can be neither changed nor deleted [C15,C16]", async () => {
    expect(await changeable(who, "manifest_parts", [])).toEqual([]);
    await expect(run(who, "DELETE FROM manifest_parts")).rejects.toMatchObject(REFUSED);
  });

  it("what an archive record says can be neither changed nor deleted [C252,C290]", async () => {
    expect(await changeable(who, "artifacts", ["erased_at", "erased_by", "erased_rule"])).toEqual([]);
    await expect(run(who, "DELETE FROM artifacts")).rejects.toMatchObject(REFUSED);
  });

  it("a key keeps its fingerprint [C12]", async () => {
    expect(await changeable(who, "submissions", ["job_id"])).toEqual([]);
  });

  it("an audit event can be neither changed nor deleted", async () => {
    expect(await changeable(who, "audit_events", ["previous_hash", "hash"])).toEqual([]);
    await expect(run(who, "DELETE FROM audit_events")).rejects.toMatchObject(REFUSED);
  });

  it("attempts only count up, and what is over stays over", async () => {
    const inside = async (statements: string) => {
      await context.sql(
        `INSERT INTO jobs SELECT (jsonb_populate_record(j, '{"id":"job_over","state":"cancelled","attempt":3,"audience":"other"}')).*
         FROM jobs j WHERE id = $1 ON CONFLICT DO NOTHING`,
        [jobId],
      );
      return run(who, statements);
    };
    await expect(inside("UPDATE jobs SET attempt = 2 WHERE id = 'job_over'")).rejects.toMatchObject(REFUSED);
    await expect(inside("UPDATE jobs SET state = 'queued' WHERE id = 'job_over'")).rejects.toMatchObject(REFUSED);
  });
});

describe("for web and worker alike", () => {
  it.each(["bindery_web", "bindery_worker"] as const)("%s cannot change stored content [C117]", async (who) => {
    await expect(run(who, "UPDATE payloads SET content = '{}'")).rejects.toMatchObject({ code: "42501" });
  });

  it.each(["bindery_web", "bindery_worker"] as const)("%s cannot delete a job or drop a table", async (who) => {
    await expect(run(who, "DELETE FROM jobs")).rejects.toMatchObject({ code: "42501" });
    await expect(run(who, "DROP TABLE jobs")).rejects.toMatchObject({ code: "42501" });
    await expect(run(who, "ALTER TABLE jobs DISABLE TRIGGER ALL")).rejects.toMatchObject({ code: "42501" });
  });

  it("web cannot write archive records, worker cannot accept jobs", async () => {
    await expect(run("bindery_web", "INSERT INTO artifacts SELECT * FROM artifacts")).rejects.toMatchObject({
      code: "42501",
    });
    await expect(run("bindery_worker", "INSERT INTO jobs SELECT * FROM jobs")).rejects.toMatchObject({ code: "42501" });
  });
});

describe("the database itself refuses", () => {
  const insertCopy = (changes: object) =>
    context.sql("INSERT INTO jobs SELECT (jsonb_populate_record(j, $2::jsonb)).* FROM jobs j WHERE id = $1", [
      jobId,
      JSON.stringify({ id: "job_copy", idempotency_key: "other", audience: "other", ...changes }),
    ]);

  it.each(["erase_by", "finish_by", "accepted_at", "fingerprint", "validation_version", "correlation_id"])(
    "a job without %s [C10,C21,C118,C169]",
    async (column) => {
      await expect(insertCopy({ [column]: null })).rejects.toMatchObject({ code: "23502", column });
    },
  );

  it("a second live job of a key, and of a revision for one audience [C27,C30,C251]", async () => {
    const [row] = await context.sql("SELECT idempotency_key, audience FROM jobs WHERE id = $1", [jobId]);
    await expect(insertCopy({ idempotency_key: row?.idempotency_key })).rejects.toMatchObject({
      code: "23505",
      constraint: "jobs_one_per_key",
    });
    await expect(insertCopy({ audience: row?.audience })).rejects.toMatchObject({
      code: "23505",
      constraint: "jobs_one_per_revision",
    });
  });

  it("a second archive record of a revision for one audience [C251,C281,C289]", async () => {
    await expect(
      context.sql(
        `INSERT INTO artifacts SELECT (jsonb_populate_record(a, '{"id":"art_2","archive_key":"key-2","job_id":"job_over"}')).*
         FROM artifacts a WHERE id = 'art_1'`,
      ),
    ).rejects.toMatchObject({ code: "23505", constraint: "artifacts_revision_id_audience_key" });
  });

  it("a running job without a lease and an owner [C148]", async () => {
    await expect(context.sql("UPDATE jobs SET state = 'running' WHERE id = $1", [jobId])).rejects.toMatchObject({
      code: "23514",
      constraint: "jobs_running_has_lease",
    });
  });

  it("a state, a lane and a fidelity that it does not know [C185,C186]", async () => {
    await expect(insertCopy({ state: "paused" })).rejects.toMatchObject({ constraint: "jobs_state_known" });
    await expect(insertCopy({ lane: "express" })).rejects.toMatchObject({ constraint: "jobs_lane_known" });
    await expect(insertCopy({ fidelity: "draft", revision_id: null })).rejects.toMatchObject({
      constraint: "jobs_fidelity_known",
    });
  });

  it("a preview that names a revision, and with it any archive record of a preview [C47]", async () => {
    const preview = { fidelity: "preview", lane: "interactive" };
    await expect(insertCopy(preview)).rejects.toMatchObject({ constraint: "jobs_archival_has_revision" });
    const rows = await context.sql<{ nullable: string }>(
      `SELECT is_nullable AS nullable FROM information_schema.columns WHERE table_name = 'artifacts' AND column_name = 'revision_id'`,
    );
    expect(rows).toEqual([{ nullable: "NO" }]);
  });

  it("two parts of one job at the same position [C19,C101]", async () => {
    await expect(
      context.sql("INSERT INTO manifest_parts SELECT * FROM manifest_parts WHERE position = 1"),
    ).rejects.toMatchObject({ code: "23505", constraint: "manifest_parts_pkey" });
  });
});
