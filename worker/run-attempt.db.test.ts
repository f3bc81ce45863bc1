import { globSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PDFDocument } from "pdf-lib";
import { describe, expect, it } from "vitest";
import { artifactKey, digestOf, newId, type RevisionId } from "@/server/domain/ids";
import { STAGE_NAMES } from "@/server/domain/job";
import { KINDS } from "@/server/packets/registry";
import { readPacket } from "@/server/services/packets/read-packet";
import { jobRow, newBook, newPacket, submitted } from "@/server/services/test-requests";
import { copyOfJob, pagesOfWidth, sampleRequest, uploaded, widthsIn } from "./test-packets";
import { testScene } from "./test-scene";
import { replacing } from "./test-worker";

const scene = testScene();
const AFTER_ACCEPTANCE = STAGE_NAMES.filter((name) => name !== "accept");

describe("a packet of each kind, from upload to archive", () => {
  it.each(KINDS.map((kind) => [kind.name, kind] as const))(
    "%s: one artifact, whose row and record say what the archived bytes are [C3,C250,C252,C253,C261,C290,C291,C371]",
    async (_, kind) => {
      const { context, worker, host } = scene;
      const jobId = await submitted(context, scene.actor, await sampleRequest(scene, kind));
      await worker.deliver(jobId);
      const job = await jobRow(context, jobId);
      expect(job).toMatchObject({ state: "completed", attempt: 1, failure_code: null });

      const artifact = await scene.artifactOf(jobId);
      const bytes = await scene.archivedBytes(jobId);
      expect(artifact.digest).toBe(digestOf(bytes));
      expect(Number(artifact.bytes)).toBe(bytes.length);
      expect(artifact.pages).toBe((await PDFDocument.load(bytes)).getPageCount());
      expect(artifact).toMatchObject({
        archive_key: artifactKey(job.tenant_id, job.revision_id as RevisionId, String(job.audience)),
        media_type: "application/pdf",
        revision_id: job.revision_id,
        scope: job.scope,
        period: job.period,
        manifest_digest: job.manifest_digest,
        renderer_build: worker.tools.rendererBuild,
        attempt: 1,
      });

      const record = JSON.parse(await readFile(join(host.records, `${artifact.archive_key}.json`), "utf8"));
      expect(record).toMatchObject({
        kind: kind.name,
        period: job.period,
        scope: job.scope,
        revisionId: job.revision_id,
        rendererBuild: worker.tools.rendererBuild,
        bytes: bytes.length,
        digest: digestOf(bytes),
        pages: artifact.pages,
        mediaType: "application/pdf",
        validation: artifact.validation,
        committedAt: context.clock.now().toISOString(),
        retainUntil: expect.stringMatching(/^20\d\d-12-01T/),
        attempt: 1,
      });
    },
  );

  it("says of every page where it came from, without gap, and passes each check [C242,C269]", async () => {
    const [long, short] = [await pagesOfWidth(301, 2), await pagesOfWidth(302)];
    const sources = [await uploaded(scene, long), await uploaded(scene, short)];
    const jobId = await submitted(scene.context, scene.actor, newBook(sources));
    await scene.worker.deliver(jobId);
    const artifact = await scene.artifactOf(jobId);
    let next = 1;
    for (const entry of artifact.page_map) {
      expect(entry.from).toBe(next);
      next = entry.to + 1;
    }
    expect(next).toBe(artifact.pages + 1);
    const digests = artifact.page_map.flatMap((entry) => entry.digest ?? []);
    expect(digests).toEqual([digestOf(long), digestOf(short)]);
    const checks = artifact.validation as { passed: boolean }[];
    expect(checks.length).toBeGreaterThan(5);
    expect(checks.every((check) => check.passed)).toBe(true);
  });
});

describe("a finished attempt", () => {
  it("has an instant for every phase and a timed checkpoint for every stage [C132,C239,C399]", async () => {
    const { context, worker } = scene;
    const source = await uploaded(scene, await pagesOfWidth(301));
    const jobId = await submitted(context, scene.actor, newBook([source]));
    const acceptedAt = context.clock.now();
    context.clock.advance(5_000);
    worker.asked.length = 0;
    const slow = scene.asking(async ({ run }) => {
      const answer = await run();
      context.clock.advance(250);
      return answer;
    });
    await worker.deliver(jobId, slow);

    const job = await jobRow(context, jobId);
    const instants = [
      ...[job.accepted_at, job.claimed_at, job.validated_at, job.fetched_at, job.rendered_at, job.assembled_at],
      ...[job.verified_at, job.published_at, job.settled_at, job.erased_at],
    ].map((instant) => (instant instanceof Date ? instant.getTime() : Number.NaN));
    expect(instants[0]).toBe(acceptedAt.getTime());
    expect(instants).toEqual([...instants].sort((a, b) => a - b));
    expect(instants.at(-1)).toBe(context.clock.now().getTime());

    const checkpoints = await context.sql<{ stage: string; ms: number }>(
      "SELECT stage, ms FROM checkpoints WHERE job_id = $1",
      [jobId],
    );
    expect(new Set(checkpoints.map((row) => row.stage))).toEqual(new Set(AFTER_ACCEPTANCE));
    const ms = Object.fromEntries(checkpoints.map((row) => [row.stage, row.ms]));
    expect(ms).toMatchObject({ validate: 0, fetch: 250, watermark: 250, assemble: 250, verify: 250, publish: 0 });
    expect(ms.render).toBeGreaterThanOrEqual(750);
    const runs = worker.asked.filter((op, index, all) => op !== all[index - 1]);
    expect(runs).toEqual(["prepare", "render", "stamp", "assemble", "verify"]);
  });

  it("with nothing to fetch and nothing to stamp says that it skipped them", async () => {
    const jobId = await submitted(scene.context, scene.actor, newPacket());
    await scene.worker.deliver(jobId);
    const skipped = await scene.context.sql(
      "SELECT stage FROM checkpoints WHERE job_id = $1 AND status = 'skipped' ORDER BY stage",
      [jobId],
    );
    expect(skipped).toEqual([{ stage: "fetch" }, { stage: "watermark" }]);
  });

  it("leaves one correlation id with its events, its record and a log line per stage [C388,C400]", async () => {
    const { context, worker, host } = scene;
    const jobId = await submitted(context, scene.actor, { ...newPacket(), correlationId: "cor-one-id" });
    await worker.deliver(jobId);
    const events = await context.sql(
      "SELECT action, actor_type, facts FROM audit_events WHERE subject_id = $1 AND correlation_id = 'cor-one-id' ORDER BY id",
      [jobId],
    );
    expect(events).toMatchObject([
      { action: "packet.submitted", actor_type: "person" },
      { action: "packet.completed", actor_type: "system", facts: { attempt: 1, code: null } },
    ]);
    const { archive_key: key } = await scene.artifactOf(jobId);
    const record = JSON.parse(await readFile(join(host.records, `${key}.json`), "utf8"));
    expect(record.correlationId).toBe("cor-one-id");
    const stages = worker.lines.filter((line) => line.jobId === jobId && line.event === "stage_done");
    expect(stages.map((line) => line.stage)).toEqual(AFTER_ACCEPTANCE);
    for (const line of stages) {
      expect(line).toMatchObject({ attempt: 1, ms: expect.any(Number), correlationId: "cor-one-id" });
    }
    expect(stages.find((line) => line.stage === "publish")).toMatchObject({ bytes: expect.any(Number) });
  });

  it("has told once which kind and how many pages were archived", async () => {
    const told: unknown[] = [];
    const jobId = await submitted(scene.context, scene.actor, newPacket());
    await scene.worker.deliver(jobId, { onArchived: (...facts) => told.push(facts) });
    expect(told).toEqual([["onboarding-packet", (await scene.artifactOf(jobId)).pages]]);
  });

  it("shows as succeeded, with every stage passed or skipped [C253]", async () => {
    const jobId = await submitted(scene.context, scene.actor, newPacket());
    await scene.worker.deliver(jobId);
    const view = await readPacket(scene.context, scene.actor, jobId);
    expect(view).toMatchObject({ state: "succeeded", isTerminal: true, mayDownload: true, failure: null });
    const statuses = Object.fromEntries(view.stages.map((stage) => [stage.name, stage.status]));
    expect(statuses).toEqual({
      ...Object.fromEntries(STAGE_NAMES.map((name) => [name, "passed"])),
      fetch: "skipped",
      watermark: "skipped",
    });
  });
});

describe("the order of a book", () => {
  it("is the manifest's, whatever order its files come in [C240,C241,C458,C464]", async () => {
    const { context, worker } = scene;
    const widths = [301, 302, 303, 304, 305];
    const sources: string[] = [];
    for (const width of widths) sources.push(await uploaded(scene, await pagesOfWidth(width)));
    for (const order of [widths, widths.toReversed()]) {
      const inOrder = order.map((width) => sources[widths.indexOf(width)] ?? "");
      const jobId = await submitted(context, scene.actor, newBook(inOrder));
      const begun: string[] = [];
      const finished: string[] = [];
      let other = Promise.withResolvers<void>();
      // Of each two files under way, the one that was begun first is finished last.
      const turned = scene.asking(async ({ op, outputPath = "", run }) => {
        if (op !== "prepare") return run();
        begun.push(outputPath);
        const isFirst = begun.length % 2 === 1 && begun.length < widths.length;
        if (isFirst) other = Promise.withResolvers();
        const { promise, resolve } = other;
        const answer = await run();
        if (isFirst) await promise;
        finished.push(outputPath);
        resolve();
        return answer;
      });
      await worker.deliver(jobId, turned);
      expect(finished).toHaveLength(widths.length);
      expect(finished).not.toEqual(begun);
      const found = await widthsIn(await scene.archivedBytes(jobId));
      expect(found.filter((width) => widths.includes(width))).toEqual(order);
    }
  });
});

describe("a book of many files", () => {
  /** What was open or under way at the same time while a book of this many files was made. */
  async function peaksOf(count: number): Promise<{ open: number; asked: number; files: number }> {
    const { context, worker, host } = scene;
    const sources: string[] = [];
    for (let index = 0; index < count; index += 1) {
      sources.push(await uploaded(scene, await pagesOfWidth(301 + index)));
    }
    const jobId = await submitted(context, scene.actor, newBook(sources));
    const now = { open: 0, asked: 0 };
    const peaks = { open: 0, asked: 0, files: 0 };
    const look = () => {
      peaks.open = Math.max(peaks.open, now.open);
      peaks.asked = Math.max(peaks.asked, now.asked);
      peaks.files = Math.max(peaks.files, pathsOpen());
    };
    const store = replacing(host.stores.sources, {
      open: async (...args) => {
        now.open += 1;
        const stream = await host.stores.sources.open(...args);
        look();
        const flush = () => {
          now.open -= 1;
        };
        return stream.pipeThrough(new TransformStream({ flush }));
      },
    });
    const counting = scene.asking(async ({ run }) => {
      now.asked += 1;
      look();
      return run().finally(() => {
        now.asked -= 1;
      });
    });
    await worker.deliver(jobId, { ...counting, sources: store });
    expect((await jobRow(context, jobId)).state).toBe("completed");
    expect(now).toEqual({ open: 0, asked: 0 });
    return peaks;
  }

  /** Files of the host that this process holds open. */
  function pathsOpen(): number {
    return readdirSync("/proc/self/fd").filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith(scene.host.root);
      } catch {
        return false;
      }
    }).length;
  }

  it("reads no more of them at once than one of few does, and holds no more files open [C150,C151]", async () => {
    const few = await peaksOf(3);
    const many = await peaksOf(20);
    expect(few).toMatchObject({ open: 2, asked: 2 });
    expect(many).toMatchObject({ open: 2, asked: 2 });
    expect(many.files).toBeLessThanOrEqual(few.files + 1);
  });

  it("is made by stages that start nothing without a bound: none of them waits for all of a list [C151]", () => {
    for (const file of globSync("worker/{stages/*,staging,resume,run-stages,run-attempt,publish}.ts")) {
      expect(readFileSync(file, "utf8"), file).not.toMatch(/Promise\.(all|any|race)\(/);
    }
  });
});

describe("the bytes of a packet", () => {
  it("are the same from whichever worker, and however often [C6,C238]", async () => {
    const { context, worker } = scene;
    const other = await scene.secondWorker();
    const source = await uploaded(scene, await pagesOfWidth(301, 2));
    const jobId = await submitted(context, scene.actor, newBook([source]));
    const copies = [jobId, await copyOfJob(context, jobId), await copyOfJob(context, jobId)];
    for (const [index, copy] of copies.entries()) {
      context.clock.advance(3_600_000);
      await (index === 1 ? other : worker).deliver(copy);
    }
    const digests = await Promise.all(copies.map(async (copy) => (await scene.artifactOf(copy)).digest));
    expect(new Set(digests).size).toBe(1);
  });

  it("come from the accepted content alone: what is changed afterwards changes none of them [C2,C6,C117,C249]", async () => {
    const { context, worker, actor } = scene;
    const source = await uploaded(scene, await pagesOfWidth(301), { title: "before.pdf" });
    const request = newBook([source]);
    const first = await submitted(context, actor, request);
    const second = await copyOfJob(context, first);
    await worker.deliver(first);
    await context.sql("UPDATE sources SET title = 'after.pdf', disclosures = '{}' WHERE id = $1", [source]);
    await context.sql("UPDATE users SET name = 'Somebody Else'");
    await submitted(context, actor, { ...request, payload: { ...Object(request.payload), watermark: "Another" } });
    await worker.deliver(second);
    expect((await scene.artifactOf(second)).digest).toBe((await scene.artifactOf(first)).digest);
  });
});

describe("a delivery that is no work", () => {
  it("of an unknown job, or of one that is not due yet, does nothing", async () => {
    const { context, worker } = scene;
    await worker.deliver(newId("job"));
    const jobId = await submitted(context, scene.actor, newPacket());
    await context.sql("UPDATE jobs SET state = 'retry_wait', due_at = $2 WHERE id = $1", [
      jobId,
      new Date(context.clock.now().getTime() + 1),
    ]);
    await worker.deliver(jobId);
    expect(await jobRow(context, jobId)).toMatchObject({ state: "retry_wait", attempt: 0 });
    expect(worker.asked).toEqual([]);
    context.clock.advance(1);
    await worker.deliver(jobId);
    expect(await jobRow(context, jobId)).toMatchObject({ state: "completed", attempt: 1 });
  });

  it.each(["completed", "validation_failed", "dead_letter", "cancelled"])(
    "of a job that is %s does nothing [C264]",
    async (state) => {
      const { context, worker } = scene;
      const jobId = await submitted(context, scene.actor, newPacket());
      await context.sql("UPDATE jobs SET state = $2 WHERE id = $1", [jobId, state]);
      const before = await jobRow(context, jobId);
      await worker.deliver(jobId);
      expect(await jobRow(context, jobId)).toEqual(before);
      expect(worker.asked).toEqual([]);
    },
  );
});

describe("a job delivered more than once", () => {
  it("three times at once to two workers is made once [C28,C264,C446]", async () => {
    const { context, worker } = scene;
    const other = await scene.secondWorker();
    const jobId = await submitted(context, scene.actor, newPacket());
    await Promise.all([worker.deliver(jobId), other.deliver(jobId), worker.deliver(jobId)]);
    expect(await jobRow(context, jobId)).toMatchObject({ state: "completed", attempt: 1 });
    expect([...worker.asked, ...other.asked].filter((op) => op === "assemble")).toHaveLength(1);
    await Promise.all([worker.deliver(jobId), other.deliver(jobId), worker.deliver(jobId)]);
    expect((await scene.artifactOf(jobId)).attempt).toBe(1);
    const events = await context.sql(
      "SELECT 1 FROM audit_events WHERE subject_id = $1 AND action = 'packet.completed'",
      [jobId],
    );
    expect(events).toHaveLength(1);
  });
});
