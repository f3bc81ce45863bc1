import { mkdir, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PDFDocument } from "pdf-lib";
import { describe, expect, it } from "vitest";
import { type ArtifactKey, digestOf, previewKey } from "@/server/domain/ids";
import { LANE } from "@/server/domain/lane";
import { previewPacket } from "@/server/services/packets/preview-packet";
import { openPreview } from "@/server/services/packets/read-preview";
import { jobRow, newBook, newPacket, submitted } from "@/server/services/test-requests";
import { copyOfJob, pagesOfWidth, uploaded } from "./test-packets";
import { testScene } from "./test-scene";
import { replacing } from "./test-worker";

const scene = testScene();
const packet = () => submitted(scene.context, scene.actor, newPacket());

/** Lets the lease of whatever runs lapse, and a little more. */
const leaseLapses = () => scene.context.clock.advance(LANE.archive.leaseMs + 1);

describe("bytes that are not what was verified", () => {
  it.each([0, 1, 1_000, -30])(
    "cut to %d bytes they do not pass, and never become visible [C257,C273,C286]",
    async (length) => {
      const { context, worker } = scene;
      const jobId = await packet();
      const cutting = scene.asking(async ({ op, outputPath, run }) => {
        const answer = await run();
        if (op === "assemble" && outputPath !== undefined) {
          const { size } = await stat(outputPath);
          await truncate(outputPath, length < 0 ? size + length : length);
        }
        return answer;
      });
      await worker.deliver(jobId, cutting);
      expect(await jobRow(context, jobId)).toMatchObject({
        state: "validation_failed",
        failure_code: "acceptance_failed",
        failure_stage: "verify",
      });
      expect(await scene.artifactsOf(jobId)).toEqual([]);
    },
  );

  it.each([
    ["a page is missing at the end", -1],
    ["a page too many is claimed", 1],
  ])("where %s they are not taken for the manifest's, and never become visible [C242,C273]", async (_, pages) => {
    const { context, worker } = scene;
    const source = await uploaded(scene, await pagesOfWidth(301, 3));
    const jobId = await submitted(context, scene.actor, newBook([source]));
    const miscounting = scene.asking(async ({ op, run }) => {
      const answer = await run();
      if (op !== "assemble") return answer;
      const { pageMap, ...rest } = Object(answer);
      const last = pageMap.at(-1);
      return {
        ...rest,
        pages: rest.pages + pages,
        pageMap: [...pageMap.slice(0, -1), { ...last, to: last.to + pages }],
      };
    });
    await worker.deliver(jobId, miscounting);
    expect(await jobRow(context, jobId)).toMatchObject({
      state: "validation_failed",
      failure_code: "acceptance_failed",
      failure_stage: "assemble",
    });
    expect(await scene.artifactsOf(jobId)).toEqual([]);
  });

  it("changed between verification and commit they are not published [C271]", async () => {
    const { context, worker, host } = scene;
    const jobId = await packet();
    const keys: ArtifactKey[] = [];
    const archive = replacing(host.stores.archive, {
      commit: (key, path, digest) => {
        keys.push(key);
        return host.stores.archive.commit(key, path, digest);
      },
    });
    const changing = scene.asking(async ({ op, path, run }) => {
      const answer = await run();
      if (op === "verify" && path !== undefined) await writeFile(path, "%PDF-1.7 something else");
      return answer;
    });
    await worker.deliver(jobId, { ...changing, archive });
    expect(await jobRow(context, jobId)).toMatchObject({ state: "retry_wait", failure_code: "storage_unavailable" });
    expect(await scene.artifactsOf(jobId)).toEqual([]);
    expect(keys).toHaveLength(1);
    for (const key of keys) expect(await host.stores.archive.stat(key)).toBeNull();
  });

  it("are a conflict that ends the job where other bytes are archived already, which stay [C251,C260]", async () => {
    const { context, worker, host } = scene;
    const jobId = await packet();
    const other = join(host.root, "other.pdf");
    await writeFile(other, "%PDF-1.7 other bytes");
    let held: ArtifactKey | null = null;
    const archive = replacing(host.stores.archive, {
      commit: async (key, path, digest) => {
        held = key;
        await host.stores.archive.commit(key, other, digestOf(await readFile(other)));
        return host.stores.archive.commit(key, path, digest);
      },
    });
    await worker.deliver(jobId, { archive });
    expect(await jobRow(context, jobId)).toMatchObject({
      state: "validation_failed",
      failure_code: "artifact_conflict",
      failure_stage: "publish",
    });
    expect(await host.stores.archive.digestOf(held as unknown as ArtifactKey)).toBe(digestOf(await readFile(other)));
  });
});

describe("a commit", () => {
  it("done twice is one object and one record [C262,C292,C449]", async () => {
    const { context, worker, host } = scene;
    const jobId = await packet();
    const answers: string[] = [];
    const archive = replacing(host.stores.archive, {
      commit: async (...args) => {
        answers.push(await host.stores.archive.commit(...args), await host.stores.archive.commit(...args));
        return "already_committed" as const;
      },
    });
    await worker.deliver(jobId, { archive });
    expect(answers).toEqual(["committed", "already_committed"]);
    expect((await jobRow(context, jobId)).state).toBe("completed");
    expect(await scene.artifactsOf(jobId)).toHaveLength(1);
  });

  it("comes after the lease was confirmed and what was verified was written down; the job is published after it [C158,C263,C293]", async () => {
    const { context, worker, host } = scene;
    const jobId = await packet();
    const seen: unknown[] = [];
    const look = async () => {
      const { state, stage } = await jobRow(context, jobId);
      const [done] = await context.sql<{ verify: number; publish: number }>(
        `SELECT count(*) FILTER (WHERE stage = 'verify')::int AS verify, count(*) FILTER (WHERE stage = 'publish')::int AS publish
         FROM checkpoints WHERE job_id = $1`,
        [jobId],
      );
      seen.push([state, stage, done?.verify, done?.publish, (await scene.artifactsOf(jobId)).length]);
    };
    const archive = replacing(host.stores.archive, {
      commit: async (...args) => {
        await look();
        const answer = await host.stores.archive.commit(...args);
        await look();
        return answer;
      },
    });
    const records = {
      write: async (...args: Parameters<typeof worker.tools.records.write>) => {
        await look();
        return worker.tools.records.write(...args);
      },
    };
    await worker.deliver(jobId, { archive, records });
    await look();
    expect(seen).toEqual([
      ["running", "publish", 1, 0, 0],
      ["running", "publish", 1, 0, 0],
      ["published", "publish", 1, 0, 1],
      ["completed", "publish", 1, 1, 1],
    ]);
  });
});

describe("a job that was published but not settled", () => {
  it("is settled by the next attempt once the lease has lapsed, and never rendered again [C192,C275,C276,C293,C294]", async () => {
    const { context, worker, host } = scene;
    const other = await scene.secondWorker();
    const jobId = await packet();
    const records = { write: () => Promise.reject(new Error("the disk is away")) };
    await worker.deliver(jobId, { records });
    expect(scene.takeBugs()).toHaveLength(1);
    expect(await jobRow(context, jobId)).toMatchObject({ state: "published", attempt: 1, failure_code: null });

    await other.deliver(jobId);
    expect((await jobRow(context, jobId)).attempt).toBe(1);
    leaseLapses();
    other.asked.length = 0;
    await other.deliver(jobId);
    expect(other.asked).toEqual([]);
    expect(await jobRow(context, jobId)).toMatchObject({ state: "completed", attempt: 2 });
    const artifact = await scene.artifactOf(jobId);
    expect(artifact.attempt).toBe(1);
    const record = JSON.parse(await readFile(join(host.records, `${artifact.archive_key}.json`), "utf8"));
    expect(record).toMatchObject({
      digest: artifact.digest,
      bytes: Number(artifact.bytes),
      correlationId: "cor-onboarding",
    });
  });

  it("stays published, however often settling fails, and is settled in the end", async () => {
    const { context, worker } = scene;
    const jobId = await packet();
    const records = { write: () => Promise.reject(new Error("the disk is away")) };
    for (let index = 0; index < 7; index += 1) {
      await worker.deliver(jobId, { records });
      expect((await jobRow(context, jobId)).state).toBe("published");
      leaseLapses();
    }
    scene.takeBugs();
    await worker.deliver(jobId);
    expect(await jobRow(context, jobId)).toMatchObject({ state: "completed", attempt: 8 });
  });

  it("is settled also when its input was erased and its deadline has passed meanwhile [C192]", async () => {
    const { context, worker } = scene;
    const jobId = await packet();
    await worker.deliver(jobId, { records: { write: () => Promise.reject(new Error("the disk is away")) } });
    scene.takeBugs();
    await context.sql("DELETE FROM payloads WHERE id = (SELECT payload_id FROM jobs WHERE id = $1)", [jobId]);
    const days = 60 * 86_400_000;
    context.clock.advance(days);
    await worker.deliver(jobId);
    context.clock.advance(-days);
    expect((await jobRow(context, jobId)).state).toBe("completed");
  });
});

describe("a preview", () => {
  it("is reduced, is no artifact, and goes to a store of its own [C44,C47]", async () => {
    const { context, worker, host, actor } = scene;
    const sources: string[] = [];
    for (const width of [301, 302, 303, 304, 305, 306])
      sources.push(await uploaded(scene, await pagesOfWidth(width, 3)));
    const { jobId } = await previewPacket(context, actor, newBook(sources));
    await worker.deliver(jobId, {}, "interactive");
    expect(await jobRow(context, jobId)).toMatchObject({ state: "completed", fidelity: "preview" });
    expect(await scene.artifactsOf(jobId)).toEqual([]);
    const { key, bytes } = await openPreview(context, actor, jobId);
    const pdf = Buffer.from(await new Response(await host.stores.previews.open(key)).arrayBuffer());
    expect(pdf.length).toBe(bytes);
    expect((await PDFDocument.load(pdf)).getPageCount()).toBeLessThanOrEqual(8);
    expect(await host.stores.archive.stat(key as string as ArtifactKey)).toBeNull();
    expect(await readdir(host.records).catch(() => [])).not.toContain(`${key}.json`);
    const [event] = await context.sql("SELECT action FROM audit_events WHERE subject_id = $1 ORDER BY id DESC", [
      jobId,
    ]);
    expect(event).toEqual({ action: "preview.completed" });
  });

  it("gives up pages while the record waits, and the record none of its own [C42]", async () => {
    const { context, worker, host, actor } = scene;
    const sources = [
      await uploaded(scene, await pagesOfWidth(301, 6)),
      await uploaded(scene, await pagesOfWidth(302, 6)),
    ];
    const book = newBook(sources);
    const waiting = await submitted(context, actor, newPacket());
    context.clock.advance(11 * 60_000);
    const { jobId } = await previewPacket(context, actor, book);
    await worker.deliver(jobId, {}, "interactive");
    const { key } = await openPreview(context, actor, jobId);
    const pdf = Buffer.from(await new Response(await host.stores.previews.open(key)).arrayBuffer());
    expect((await PDFDocument.load(pdf)).getPageCount()).toBe(2);
    const record = await submitted(context, actor, book);
    await worker.deliver(record);
    expect((await scene.artifactOf(record)).pages).toBeGreaterThan(12);
    await worker.deliver(waiting);
    expect((await jobRow(context, waiting)).state).toBe("completed");
  });

  it("has its deadline on record before its bytes are anywhere [C168]", async () => {
    const { context, worker, host, actor } = scene;
    const { jobId } = await previewPacket(context, actor, newPacket());
    let recorded: unknown[] = [];
    const previews = replacing(host.stores.previews, {
      commit: async (...args) => {
        recorded = await context.sql("SELECT preview_key, expires_at, erased_at FROM previews WHERE job_id = $1", [
          jobId,
        ]);
        return host.stores.previews.commit(...args);
      },
    });
    await worker.deliver(jobId, { previews }, "interactive");
    const expires_at = new Date(context.clock.now().getTime() + worker.tools.previewMsMax);
    expect(recorded).toEqual([{ preview_key: previewKey(jobId), expires_at, erased_at: null }]);
  });

  it("is tried twice within its two minutes, and not after them [C46]", async () => {
    const { context, worker, actor } = scene;
    const { jobId } = await previewPacket(context, actor, newPacket());
    context.clock.advance(2 * 60_000);
    await worker.deliver(jobId, {}, "interactive");
    expect(await jobRow(context, jobId)).toMatchObject({ state: "dead_letter", failure_code: "deadline_passed" });
    expect(worker.asked).toEqual([]);
  });
});

describe("a private directory", () => {
  it("lets nobody else in, and has names of ours only [C201,C205,C207,C213,C214,C215,C225,C295]", async () => {
    const { context, worker, host, actor } = scene;
    const source = await uploaded(scene, await pagesOfWidth(301), { title: "Canary-Minutes.pdf" });
    const jobId = await submitted(context, actor, newBook([source]));
    const seen: { path: string; mode: number }[] = [];
    const looking = scene.asking(async ({ op, run }) => {
      const answer = await run();
      if (op === "verify") seen.push(...(await entriesUnder(host.workspaces)));
      return answer;
    });
    const before = process.umask(0);
    try {
      await worker.deliver(jobId, looking);
    } finally {
      process.umask(before);
    }
    expect((await jobRow(context, jobId)).state).toBe("completed");
    expect(seen.length).toBeGreaterThan(8);
    for (const { path, mode } of seen) {
      expect(mode & 0o077, path).toBe(0);
      expect(path).toMatch(/^[0-9a-f]{32}(\/\.?[a-z0-9][a-z0-9-]*(\.[a-z]+)?)*$/);
      expect(path).not.toMatch(/canary|minutes/i);
    }
  });

  it("is another one for each attempt, and inherits nothing of what lies around [C201,C204]", async () => {
    const { context, worker, host } = scene;
    const first = await packet();
    const second = await copyOfJob(context, first);
    const roots: string[] = [];
    const looking = scene.asking(async ({ op, outputPath, run }) => {
      if (op === "assemble") roots.push(join(outputPath ?? "", ".."));
      return run();
    });
    await worker.deliver(first, looking);
    const residue = [join(host.workspaces, "0".repeat(32)), join(host.workspaces, "residue")];
    for (const place of residue) {
      await mkdir(place, { mode: 0o700 });
      for (const name of ["packet.pdf", "input.json", "stamp.pdf"]) await writeFile(join(place, name), "left behind");
    }
    await writeFile(join(host.workspaces, "packet.pdf"), "left behind");
    await worker.deliver(second, looking);
    expect((await scene.artifactOf(second)).digest).toBe((await scene.artifactOf(first)).digest);
    expect(new Set(roots).size).toBe(2);
    for (const name of await host.leftovers()) await rm(join(host.workspaces, name), { recursive: true });
  });
});

async function entriesUnder(root: string): Promise<{ path: string; mode: number }[]> {
  const names = await readdir(root, { recursive: true });
  return Promise.all(names.map(async (path) => ({ path, mode: (await stat(join(root, path))).mode })));
}
