import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import { type Database, openDatabase } from "@/server/db/client";
import type { PersonActor, Reach } from "@/server/domain/access";
import { PacketFailure } from "@/server/domain/failure";
import { type ArtifactKey, digestOf, newId, type TenantId } from "@/server/domain/ids";
import { dayIn } from "@/server/packets/check-payload";
import { issueDownloadLink } from "@/server/services/links/issue-download-link";
import { redeemDownloadLink } from "@/server/services/links/redeem-download-link";
import { openArtifact } from "@/server/services/packets/open-artifact";
import { addPerson, addTenant, openTestContext, type TestContext, withFile } from "@/server/services/test-context";
import { archived, newPacket } from "@/server/services/test-requests";
import { recordsIn } from "../archive-records";
import { replacing } from "../test-worker";
import { disposeExpired } from "./dispose-expired";

const database = testDatabase();
const DAY_MS = 86_400_000;
const packet = () => newPacket(dayIn("UTC", context.clock.now()));
let context: TestContext;
let db: Database;
let directory: string;
let actor: PersonActor & { tenantId: TenantId; reach: Reach };

beforeAll(async () => {
  context = await openTestContext(database.url);
  db = openDatabase({ url: database.url, role: "bindery_worker", connectionsMax: 4 });
  directory = await mkdtemp(join(tmpdir(), "records-"));
});
afterAll(async () => {
  await db.close();
  await context.close();
  await rm(directory, { recursive: true, force: true });
});
beforeEach(async () => {
  actor = await addPerson(context, await addTenant(context));
  await context.sql("UPDATE artifacts SET erased_at = now() WHERE erased_at IS NULL");
});

function dispose(changes: Partial<Parameters<typeof disposeExpired>[0]> = {}) {
  const { clock, archive } = context;
  return disposeExpired({ db, clock, archive, records: recordsIn(directory), ...changes });
}

async function rowOf(artifactId: string) {
  const [row] = await context.sql<{ archive_key: ArtifactKey; [column: string]: unknown }>(
    "SELECT * FROM artifacts WHERE id = $1",
    [artifactId],
  );
  if (row === undefined) throw new RangeError("There is no such artifact.");
  return row;
}

/** Sets the clock on the last instant before the artifact's retention ends. */
async function untilEndOf(artifactId: string): Promise<Date> {
  const retainUntil = (await rowOf(artifactId)).retain_until as Date;
  context.clock.advance(retainUntil.getTime() - context.clock.now().getTime() - 1);
  return retainUntil;
}

describe("an artifact", () => {
  it("is there until the last instant of its retention and goes at that instant; nothing goes twice [C318,C320,C327]", async () => {
    const { artifactId } = await archived(context, actor, packet());
    const { archive_key: key } = await rowOf(artifactId);
    await untilEndOf(artifactId);
    expect(await dispose()).toEqual({ done: 0, failed: 0, lagMsMax: 0 });
    expect(await context.archive.stat(key)).not.toBeNull();
    context.clock.advance(1);
    expect(await dispose()).toEqual({ done: 1, failed: 0, lagMsMax: 0 });
    expect(await context.archive.stat(key)).toBeNull();
    expect(await dispose()).toMatchObject({ done: 0 });
  });

  it("leaves a receipt: what, digest, rule, deadline, when and by whom, as a row, as a file and in the audit trail [C325,C328]", async () => {
    const { artifactId, bytes } = await archived(context, actor, packet());
    const retainUntil = await untilEndOf(artifactId);
    context.clock.advance(60_001);
    expect(await dispose()).toMatchObject({ lagMsMax: 60_000 });
    const at = context.clock.now();
    const row = await rowOf(artifactId);
    expect(row).toMatchObject({
      digest: digestOf(bytes),
      bytes: String(bytes.length),
      retain_until: retainUntil,
      erased_at: at,
      erased_by: "worker",
      erased_rule: "retain_until",
    });
    const receipt = JSON.parse(await readFile(join(directory, `${row.archive_key}.json`), "utf8"));
    expect(receipt).toMatchObject({
      id: artifactId,
      digest: digestOf(bytes),
      erasedAt: at.toISOString(),
      erasedRule: "retain_until",
      retainUntil: retainUntil.toISOString(),
    });
    const events = await context.sql("SELECT action, actor_id, facts FROM audit_events WHERE subject_id = $1", [
      artifactId,
    ]);
    expect(events).toContainEqual({
      action: "artifact.disposed",
      actor_id: "worker",
      facts: { rule: "retain_until", deadline: retainUntil.toISOString(), digest: digestOf(bytes) },
    });
  });

  it("that was disposed of is 410 to those entitled, and no link is given for it", async () => {
    const { artifactId, jobId } = await archived(context, actor, packet());
    await untilEndOf(artifactId);
    const { path } = await issueDownloadLink(context, actor, { jobId, correlationId: "c" });
    const token = path.split("/").at(-1) ?? "";
    await openArtifact(context, actor, { jobId, isFirstByte: true });
    context.clock.advance(1);
    // At once, whether or not the bytes were removed already.
    for (const isRemoved of [false, true]) {
      if (isRemoved) await dispose();
      const gone = { code: "artifact_disposed" };
      await expect(openArtifact(context, actor, { jobId, isFirstByte: true })).rejects.toMatchObject(gone);
      await expect(issueDownloadLink(context, actor, { jobId, correlationId: "c" })).rejects.toMatchObject(gone);
      const redeeming = redeemDownloadLink(context, actor, { token, isFirstByte: true });
      await expect(redeeming).rejects.toMatchObject(gone);
    }
  });

  it("whose bytes cannot be removed now keeps no other waiting, and goes the next time", async () => {
    const [first, second] = [await archived(context, actor, packet()), await archived(context, actor, packet())];
    const { archive_key: stuck } = await rowOf(first.artifactId);
    await untilEndOf(second.artifactId);
    context.clock.advance(1);
    const archive = replacing(context.archive, {
      erase: async (key) => {
        if (key === stuck) throw new PacketFailure("storage_unavailable");
        return context.archive.erase(key);
      },
    });
    expect(await dispose({ archive })).toMatchObject({ done: 1, failed: 1 });
    expect((await rowOf(first.artifactId)).erased_at).toBeNull();
    expect(await dispose()).toMatchObject({ done: 1, failed: 0 });
  });

  it("whose worker dies between bytes and row is found again and gets its receipt", async () => {
    const { artifactId } = await archived(context, actor, packet());
    await untilEndOf(artifactId);
    context.clock.advance(1);
    const dying = replacing(db, {
      transact: (actor_, work) =>
        db.transact(actor_, async (tx) => {
          await work(tx);
          throw new Error("the worker died here");
        }),
    });
    await expect(dispose({ db: dying })).rejects.toThrow("died");
    expect((await rowOf(artifactId)).erased_at).toBeNull();
    expect(await dispose()).toMatchObject({ done: 1 });
    expect((await rowOf(artifactId)).erased_rule).toBe("retain_until");
  });

  it("is disposed of by one of many workers at once, with one event", async () => {
    const { artifactId } = await archived(context, actor, packet());
    await untilEndOf(artifactId);
    context.clock.advance(1);
    const runs = await Promise.all(Array.from({ length: 4 }, () => dispose()));
    expect(runs.reduce((sum, { done }) => sum + done, 0)).toBe(1);
    const events = await context.sql(
      "SELECT 1 FROM audit_events WHERE subject_id = $1 AND action = 'artifact.disposed'",
      [artifactId],
    );
    expect(events).toHaveLength(1);
  });
});

describe("2,000 artifacts with deadlines over 400 days", () => {
  it("are each there on the day before theirs and gone on the day itself: none early, none late [C318,C320,C327]", async () => {
    const { jobId, artifactId } = await archived(context, actor, packet());
    await context.sql("UPDATE artifacts SET erased_at = now() WHERE id = $1", [artifactId]);
    const from = context.clock.now();
    const days = Array.from({ length: 2_000 }, (_, index) => (index * 7_919) % 400);
    const keys = days.map((_, index) => newKey(index));
    await withFile(Buffer.from("%PDF"), async (path) => {
      for (const key of keys) await context.archive.commit(key, path, digestOf(Buffer.from("%PDF")));
    });
    await context.sql(
      `INSERT INTO revisions SELECT (jsonb_populate_record(r, jsonb_build_object('id', 'rev_' || md5(n::text), 'number', 1000 + n))).*
       FROM revisions r JOIN jobs j ON j.revision_id = r.id, generate_series(0, 1999) n WHERE j.id = $1`,
      [jobId],
    );
    await context.sql(
      `INSERT INTO jobs SELECT (jsonb_populate_record(j, jsonb_build_object('id', 'job_' || md5(n::text), 'revision_id', 'rev_' || md5(n::text),
         'idempotency_key', 'bulk-' || n, 'redrive_of', NULL))).* FROM jobs j, generate_series(0, 1999) n WHERE j.id = $1`,
      [jobId],
    );
    await context.sql(
      `INSERT INTO artifacts SELECT (jsonb_populate_record(a, jsonb_build_object('id', 'art_' || md5(n::text), 'job_id', 'job_' || md5(n::text),
         'revision_id', 'rev_' || md5(n::text), 'archive_key', ($2::text[])[n + 1], 'erased_at', NULL,
         'retain_until', $3::timestamptz + make_interval(days => ($4::int[])[n + 1]) + interval '1 hour'))).*
       FROM artifacts a, generate_series(0, 1999) n WHERE a.id = $1`,
      [artifactId, keys, from, days],
    );
    const records = { write: async () => undefined };
    let gone = 0;
    for (let day = 0; day < 400; day += 1) {
      context.clock.advance(DAY_MS);
      const due = days.filter((each) => each === day).length;
      const run = await dispose({ records });
      expect(run, `day ${day}`).toEqual({ done: due, failed: 0, lagMsMax: due === 0 ? 0 : DAY_MS - 3_600_000 });
      gone += run.done;
    }
    expect(gone).toBe(2_000);
    const [left] = await context.sql("SELECT count(*)::int AS n FROM artifacts WHERE erased_at IS NULL");
    expect(left?.n).toBe(0);
  });
});

function newKey(index: number): ArtifactKey {
  return digestOf(`${newId("artifact")} ${index}`).slice("sha256:".length) as ArtifactKey;
}
