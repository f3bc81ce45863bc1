import type pg from "pg";
import { newId } from "./people";

/** Adds a job like this one, with the changes that a test cannot wait for, such as given up after five attempts. Returns its id. */
export async function copyOfJob(
  database: pg.Client,
  jobId: string,
  changes: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { rows } = await database.query("SELECT revision_id FROM jobs WHERE id = $1", [jobId]);
  const [id, revisionId] = [newId("job"), newId("rev")];
  const copy = (table: "jobs" | "revisions", original: string, differing: object) =>
    database.query(`INSERT INTO ${table} SELECT (jsonb_populate_record(t, $2)).* FROM ${table} t WHERE id = $1`, [
      original,
      JSON.stringify({ ...differing, business_identity: id }),
    ]);
  await copy("revisions", rows[0].revision_id, { id: revisionId });
  await copy("jobs", jobId, { ...changes, id, revision_id: revisionId, idempotency_key: id });
  await database.query("INSERT INTO manifest_parts SELECT $2, position, part FROM manifest_parts WHERE job_id = $1", [
    jobId,
    id,
  ]);
  return id;
}
