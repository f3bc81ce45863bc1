import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import { type Database, openDatabase } from "@/server/db/client";
import type { PersonActor, Reach } from "@/server/domain/access";
import { PacketFailure } from "@/server/domain/failure";
import { digestOf, previewKey, type SourceId, sourceKey, type TenantId } from "@/server/domain/ids";
import { previewPacket } from "@/server/services/packets/preview-packet";
import { submitPacket } from "@/server/services/packets/submit-packet";
import {
  addPerson,
  addPolicy,
  addSource,
  addTenant,
  openTestContext,
  type TestContext,
  withFile,
} from "@/server/services/test-context";
import { archived, jobRow, newBook, newPacket, submitted } from "@/server/services/test-requests";
import { replacing } from "../test-worker";
import { eraseExpiredInputs } from "./erase-expired-inputs";

const database = testDatabase();
let context: TestContext;
let db: Database;
let actor: PersonActor & { tenantId: TenantId; reach: Reach };

beforeAll(async () => {
  context = await openTestContext(database.url);
  db = openDatabase({ url: database.url, role: "bindery_worker", connectionsMax: 4 });
});
afterAll(async () => {
  await db.close();
  await context.close();
});
beforeEach(async () => {
  actor = await addPerson(context, await addTenant(context));
  await erase();
});

const erase = (changes: Partial<TestContext> = {}) => eraseExpiredInputs({ ...context, ...changes, db });
const inMs = (ms: number) => new Date(context.clock.now().getTime() + ms);
const bytesOf = (sourceId: SourceId) => context.sources.stat(sourceKey(sourceId, "bytes"));

async function rowOf(sourceId: SourceId) {
  const [row] = await context.sql("SELECT erased_at, title FROM sources WHERE id = $1", [sourceId]);
  return row;
}

describe("an upload", () => {
  it("goes at its deadline, with its name, and not a moment before [C308,C320,C465]", async () => {
    const sourceId = await addSource(context, actor.tenantId, { title: "canary.pdf", eraseBy: inMs(1_000) });
    context.clock.advance(999);
    expect(await erase()).toMatchObject({ sources: 0 });
    expect(await bytesOf(sourceId)).not.toBeNull();
    context.clock.advance(1);
    expect(await erase()).toMatchObject({ sources: 1, lagMsMax: 0, failed: 0 });
    expect(await bytesOf(sourceId)).toBeNull();
    expect(await rowOf(sourceId)).toEqual({ erased_at: context.clock.now(), title: "" });
  });

  it("goes with the rows that its inspection made of it", async () => {
    const purpose = "depot-report/shipments";
    const sourceId = await addSource(context, actor.tenantId, { purpose, eraseBy: inMs(0) });
    const rows = Buffer.from('{"row":1}');
    await withFile(rows, (path) => context.sources.commit(sourceKey(sourceId, "rows"), path, digestOf(rows)));
    await erase();
    expect(await context.sources.stat(sourceKey(sourceId, "rows"))).toBeNull();
  });

  it("of a library stays while the document is in use, and goes once it was retired", async () => {
    const sourceId = await addSource(context, actor.tenantId, { eraseBy: inMs(0) });
    const policy = await addPolicy(context, actor.tenantId, { sourceId });
    context.clock.advance(86_400_000);
    expect(await erase()).toMatchObject({ sources: 0 });
    expect(await bytesOf(sourceId)).not.toBeNull();
    await context.sql("UPDATE library_documents SET retired_at = now() WHERE id = $1", [policy]);
    expect(await erase()).toMatchObject({ sources: 1, lagMsMax: 86_400_000 });
    expect(await bytesOf(sourceId)).toBeNull();
  });

  it("used by a packet is kept until that packet's own deadline", async () => {
    const sourceId = await addSource(context, actor.tenantId, { eraseBy: inMs(1_000) });
    const job = await jobRow(context, await submitted(context, actor, newBook([sourceId])));
    const days = (job.erase_by as Date).getTime() - context.clock.now().getTime();
    context.clock.advance(days - 1);
    expect(await erase()).toMatchObject({ sources: 0 });
    context.clock.advance(1);
    expect(await erase()).toMatchObject({ sources: 1 });
    context.clock.advance(-days);
  });

  it("is never promised to a packet and erased all the same: whichever comes first, the other sees it [C320]", async () => {
    for (let round = 0; round < 12; round += 1) {
      const sourceId = await addSource(context, actor.tenantId, { eraseBy: inMs(0) });
      const [submission] = await Promise.allSettled([submitPacket(context, actor, newBook([sourceId])), erase()]);
      const isThere = (await bytesOf(sourceId)) !== null;
      if (submission.status === "rejected") {
        expect(["source_missing", "payload_invalid"]).toContain(submission.reason.code);
        expect(isThere).toBe(false);
      } else {
        expect(isThere).toBe(true);
        expect(await rowOf(sourceId)).toMatchObject({ erased_at: null });
      }
    }
  });
});

describe("a payload", () => {
  it("goes at its deadline; revision, job and archive record stay [C308,C321]", async () => {
    const { jobId } = await archived(context, actor, newPacket());
    const job = await jobRow(context, jobId);
    const days = (job.erase_by as Date).getTime() - context.clock.now().getTime();
    context.clock.advance(days - 1);
    expect(await erase()).toMatchObject({ payloads: 0 });
    context.clock.advance(1);
    expect((await erase()).payloads).toBeGreaterThan(0);
    expect(await context.sql("SELECT 1 FROM payloads WHERE id = $1", [job.payload_id])).toEqual([]);
    const kept = await context.sql(
      "SELECT 1 FROM artifacts a JOIN revisions r ON r.id = a.revision_id WHERE a.job_id = $1",
      [jobId],
    );
    expect(kept).toHaveLength(1);
    context.clock.advance(-days);
  });
});

describe("a preview", () => {
  it("goes at its last minute, what it was made from within the hour [C47,C308]", async () => {
    const { jobId } = await previewPacket(context, actor, newPacket());
    const bytes = Buffer.from("%PDF-1.7 preview");
    await withFile(bytes, (path) => context.previews.commit(previewKey(jobId), path, digestOf(bytes)));
    await context.sql(
      "INSERT INTO previews (job_id, preview_key, bytes, pages, expires_at) VALUES ($1, $2, 16, 1, $3)",
      [jobId, previewKey(jobId), inMs(15 * 60_000)],
    );
    context.clock.advance(15 * 60_000 - 1);
    expect(await erase()).toMatchObject({ previews: 0 });
    context.clock.advance(1);
    expect(await erase()).toMatchObject({ previews: 1 });
    expect(await context.previews.stat(previewKey(jobId))).toBeNull();
    context.clock.advance(45 * 60_000);
    await erase();
    const { payload_id } = await jobRow(context, jobId);
    expect(await context.sql("SELECT 1 FROM payloads WHERE id = $1", [payload_id])).toEqual([]);
  });
});

describe("the task itself", () => {
  it("can run twice, and three times at once: each thing goes once", async () => {
    const sources = await Promise.all(
      Array.from({ length: 6 }, () => addSource(context, actor.tenantId, { eraseBy: inMs(0) })),
    );
    const counts = await Promise.all([erase(), erase(), erase()]);
    expect(counts.reduce((sum, count) => sum + count.sources, 0)).toBe(6);
    expect(counts.every((count) => count.failed === 0)).toBe(true);
    for (const sourceId of sources) expect(await bytesOf(sourceId)).toBeNull();
    expect(await erase()).toMatchObject({ sources: 0, previews: 0, payloads: 0 });
  });

  it("goes on with the rest where one thing cannot be removed, says nothing false of it, and comes back for it", async () => {
    const [stuck, other] = [
      await addSource(context, actor.tenantId, { eraseBy: inMs(-2) }),
      await addSource(context, actor.tenantId, { eraseBy: inMs(-1) }),
    ];
    const sources = replacing(context.sources, {
      erase: (key) =>
        key === sourceKey(stuck, "bytes")
          ? Promise.reject(new PacketFailure("storage_unavailable"))
          : context.sources.erase(key),
    });
    expect(await erase({ sources })).toMatchObject({ sources: 1, failed: 1 });
    expect(await rowOf(stuck)).toMatchObject({ erased_at: null });
    expect(await bytesOf(other)).toBeNull();
    context.clock.advance(3_000);
    expect(await erase()).toMatchObject({ sources: 1, failed: 0, lagMsMax: 3_002 });
    expect(await bytesOf(stuck)).toBeNull();
  });
});
