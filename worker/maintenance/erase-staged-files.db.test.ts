import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { beforeEach, describe, expect, it } from "vitest";
import { PacketFailure } from "@/server/domain/failure";
import { digestOf, type JobId, type StagedKey, stagedKey } from "@/server/domain/ids";
import { cancelPacket } from "@/server/services/packets/cancel-packet";
import { withFile } from "@/server/services/test-context";
import { jobRow, newBook, submitted } from "@/server/services/test-requests";
import { pagesOfWidth, uploaded } from "../test-packets";
import { testScene } from "../test-scene";
import { replacing, type WorkerTools } from "../test-worker";
import { eraseExpiredInputs } from "./erase-expired-inputs";
import { eraseStagedFiles } from "./erase-staged-files";

const scene = testScene();
const EVERYTHING = { stageMsMin: 0 };
const HOUR_MS = 3_600_000;

interface StagedRow {
  readonly key: StagedKey;
  readonly erase_by: Date;
  readonly erased_at: Date | null;
}

const stagedBy = (jobId: JobId) =>
  scene.context.sql<StagedRow>("SELECT * FROM staged_files WHERE job_id = $1 ORDER BY created_at, index", [jobId]);

function erase(changes: Partial<Parameters<typeof eraseStagedFiles>[0]> = {}) {
  const { context, worker, host } = scene;
  return eraseStagedFiles({ db: worker.tools.db, clock: context.clock, staging: host.stores.staging, ...changes });
}

/** Files in one of the host's stores. */
async function filesIn(store: "archive" | "previews" | "sources" | "staging"): Promise<string[]> {
  const place = join(scene.host.root, store);
  const names = await readdir(place, { recursive: true }).catch(() => []);
  const files = await Promise.all(names.map(async (name) => ((await stat(join(place, name))).isFile() ? [name] : [])));
  return files.flat();
}

const newBookOf = async (...sources: Uint8Array[]) => {
  const ids = [];
  for (const bytes of sources) ids.push(await uploaded(scene, bytes, { title: "paper" }));
  return submitted(scene.context, scene.actor, newBook(ids));
};

/** A page as a scanner gives it. */
const scannedPage = () =>
  sharp({ create: { width: 300, height: 400, channels: 3, background: "#eee" } })
    .png()
    .toBuffer();

const failingAt = (op: string) =>
  scene.asking(({ op: asked, run }) => (asked === op ? Promise.reject(new PacketFailure("renderer_lost")) : run()));

beforeEach(async () => {
  await scene.context.sql("UPDATE staged_files SET erased_at = now() WHERE erased_at IS NULL");
});

describe("what stages left", () => {
  it("is kept while its job may need it, and goes once the artifact and its record are durable, long before its deadline [C324]", async () => {
    const { context, worker, host } = scene;
    const jobId = await newBookOf(await pagesOfWidth(301, 2));
    const archive = replacing(host.stores.archive, {
      commit: async (...args) => {
        expect(await erase()).toMatchObject({ count: 0 });
        return host.stores.archive.commit(...args);
      },
    });
    await worker.deliver(jobId, { ...EVERYTHING, archive });
    expect(await jobRow(context, jobId)).toMatchObject({ state: "completed" });
    const rows = await stagedBy(jobId);
    expect(rows.length).toBeGreaterThan(3);
    expect(await filesIn("staging")).toHaveLength(rows.length);
    expect(await erase()).toEqual({ count: rows.length, failed: 0, lagMsMax: 0 });
    expect(await filesIn("staging")).toEqual([]);
    for (const row of await stagedBy(jobId)) {
      expect(row.erased_at).toEqual(context.clock.now());
      expect(row.erase_by.getTime()).toBeGreaterThan(context.clock.now().getTime());
    }
    expect((await scene.artifactOf(jobId)).erased_at).toBeNull();
    expect(await erase()).toMatchObject({ count: 0 });
  });

  it("of a packet that is cancelled while they are stored goes, whichever comes first, the sweep or the bytes", async () => {
    const { context, worker, host, actor } = scene;
    const jobId = await newBookOf(await pagesOfWidth(303));
    let swept = 0;
    const commit: WorkerTools["staging"]["commit"] = async (...args) => {
      await cancelPacket(context, actor, jobId);
      // As where the machine stood still: the sweep comes for bytes that are not there yet.
      context.clock.advance(HOUR_MS);
      swept += (await erase()).count;
      return host.stores.staging.commit(...args);
    };
    await worker.deliver(jobId, { ...EVERYTHING, staging: replacing(host.stores.staging, { commit }) });
    expect(await jobRow(context, jobId)).toMatchObject({ state: "cancelled" });
    expect(swept).toBeGreaterThan(0);
    await erase();
    expect(await filesIn("staging")).toEqual([]);
    for (const row of await stagedBy(jobId)) expect(row.erased_at).not.toBeNull();
  });

  it("by an attempt that was lost is left alone as long as it may be at work, though its job is over", async () => {
    const { context, worker, host } = scene;
    const jobId = await newBookOf(await pagesOfWidth(304));
    await worker.deliver(jobId);
    const key = stagedKey(jobId, 9, "fetch", 0);
    const bytes = Buffer.from("%PDF-1.7 of a lost attempt");
    await withFile(bytes, (path) => host.stores.staging.commit(key, path, digestOf(bytes)));
    const at = context.clock.now();
    await context.sql(
      `INSERT INTO attempts (job_id, number, worker_id, started_at, ended_at, outcome) VALUES ($1, 9, 'wrk_lost', $2, $2, 'lost')`,
      [jobId, at],
    );
    await context.sql(
      `INSERT INTO staged_files (job_id, attempt, stage, index, key, bytes, digest, created_at, erase_by)
       VALUES ($1, 9, 'fetch', 0, $2, $3, $4, $5, $5::timestamptz + interval '30 days')`,
      [jobId, key, bytes.length, digestOf(bytes), at],
    );
    context.clock.advance(HOUR_MS - 1);
    expect(await erase()).toMatchObject({ count: 0 });
    context.clock.advance(1);
    expect(await erase()).toMatchObject({ count: 1 });
    expect(await host.stores.staging.stat(key)).toBeNull();
  });

  it("that cannot be removed now is counted, keeps nothing else, and goes the next time", async () => {
    const { worker, host } = scene;
    const jobId = await newBookOf(await pagesOfWidth(305));
    await worker.deliver(jobId, EVERYTHING);
    const [stuck, ...others] = await stagedBy(jobId);
    const staging = replacing(host.stores.staging, {
      erase: async (key) => {
        if (key === stuck?.key) throw new PacketFailure("storage_unavailable");
        return host.stores.staging.erase(key);
      },
    });
    expect(await erase({ staging })).toMatchObject({ count: others.length, failed: 1 });
    expect(await erase()).toMatchObject({ count: 1, failed: 0 });
    expect(await filesIn("staging")).toEqual([]);
  });

  it("is erased once by two workers at once, and neither fails", async () => {
    const { worker } = scene;
    const jobId = await newBookOf(await pagesOfWidth(306));
    await worker.deliver(jobId, EVERYTHING);
    const both = await Promise.all([erase(), erase()]);
    expect(both.map(({ failed }) => failed)).toEqual([0, 0]);
    expect(await filesIn("staging")).toEqual([]);
  });

  it("of a packet that failed for good, page images and failed output included, is kept for its window and not an instant longer [C322,C323]", async () => {
    const { context, worker } = scene;
    const jobId = await newBookOf(await scannedPage(), await pagesOfWidth(302));
    for (let attempt = 1; attempt <= 9; attempt += 1) {
      await worker.deliver(jobId, { ...EVERYTHING, ...failingAt("verify"), rendererBuild: `build-${attempt}` });
      context.clock.advance(60_000);
    }
    expect(await jobRow(context, jobId)).toMatchObject({ state: "dead_letter", failure_stage: "verify" });
    const rows = await stagedBy(jobId);
    const stages = await context.sql("SELECT DISTINCT stage FROM staged_files WHERE job_id = $1 ORDER BY 1", [jobId]);
    expect(stages.map(({ stage }) => stage)).toEqual(["assemble", "fetch", "render", "watermark"]);
    const { erase_by: eraseBy } = await jobRow(context, jobId);
    context.clock.advance((eraseBy as Date).getTime() - context.clock.now().getTime() - 1);
    expect(await erase()).toMatchObject({ count: 0 });
    expect(await filesIn("staging")).toHaveLength(rows.length);
    context.clock.advance(1);
    expect(await erase()).toEqual({ count: rows.length, failed: 0, lagMsMax: 0 });
    await eraseExpiredInputs({ ...worker.tools });
    expect(await filesIn("staging")).toEqual([]);
    expect(await filesIn("sources")).toEqual([]);
    expect(await filesIn("previews")).toEqual([]);
    expect(await scene.artifactsOf(jobId)).toEqual([]);
  });
});
