import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "@/server/adapters/clock/system";
import { PacketFailure } from "@/server/domain/failure";
import { digestOf, type JobId, sourceKey } from "@/server/domain/ids";
import { LANE } from "@/server/domain/lane";
import { cancelPacket } from "@/server/services/packets/cancel-packet";
import { readPacket } from "@/server/services/packets/read-packet";
import { deliveriesOf, jobRow, newBook, newPacket, submitted } from "@/server/services/test-requests";
import { POOL_LIMITS } from "./renderer/limits";
import { createPool } from "./renderer/pool";
import { copyOfJob, pagesOfWidth, uploaded } from "./test-packets";
import { testScene } from "./test-scene";
import { replacing, type WorkerTools } from "./test-worker";

// After each of these tests the scene expects that no directory is left: success, failure, loss and cancelling alike.
const scene = testScene();

const MINUTE = 60_000;
const packet = () => submitted(scene.context, scene.actor, newPacket());

/** Tools whose children fail like this when asked for `op`. */
function failingAt(op: string, error: unknown): Partial<WorkerTools> {
  return scene.asking((ask) => (ask.op === op ? Promise.reject(error) : ask.run()));
}

/** Does `work` at a later time. */
async function later(ms: number, work: () => Promise<void>): Promise<void> {
  scene.context.clock.advance(ms);
  try {
    await work();
  } finally {
    scene.context.clock.advance(-ms);
  }
}

async function attemptsOf(jobId: JobId) {
  return scene.context.sql(
    "SELECT number, outcome, failure_code, failure_stage, workspace_erased_at FROM attempts WHERE job_id = $1 ORDER BY number",
    [jobId],
  );
}

describe("a permanent failure", () => {
  /** Expects one attempt, no other delivery than the first, no artifact, and a failure in plain words. */
  async function expectRejected(jobId: JobId, failure: object): Promise<void> {
    expect(await jobRow(scene.context, jobId)).toMatchObject({
      state: "validation_failed",
      attempt: 1,
      lease_until: null,
      settled_at: scene.context.clock.now(),
      ...failure,
    });
    expect(await deliveriesOf(scene.context, jobId)).toHaveLength(1);
    expect(await scene.artifactsOf(jobId)).toEqual([]);
    const view = await readPacket(scene.context, scene.actor, jobId);
    expect(view).toMatchObject({ state: "failed", isTerminal: true, mayDownload: false });
    expect(view.failure?.message).toMatch(/\.$/);
  }

  it.each([
    ["schema", { employee: { ref: "E-1" } }, "invalid_type"],
    ["rules", { employee: { startDate: "2026-11-02" } }, "start_date_passed"],
  ])(
    "content accepted under other %s ends the job before anything is made [C88,C90,C92,C116,C124,C187]",
    async (_, change, code) => {
      const { context, worker } = scene;
      const payload = Object(newPacket().payload);
      const employee = "startDate" in change.employee ? { ...payload.employee, ...change.employee } : change.employee;
      const content = { ...payload, employee };
      const jobId = await copyOfJob(context, await packet(), { content });
      await worker.deliver(jobId);
      expect(await jobRow(context, jobId)).toMatchObject({
        state: "validation_failed",
        attempt: 1,
        failure_code: "payload_invalid",
        failure_stage: "validate",
        failure_fields: expect.arrayContaining([expect.objectContaining({ code })]),
      });
      expect(worker.asked).toEqual([]);
    },
  );

  it("stored content that is not what was accepted ends the job, however well it fits [C7,C117,C120]", async () => {
    const { context, worker } = scene;
    const jobId = await packet();
    await context.sql(
      `UPDATE payloads SET content = jsonb_set(content, '{offer,salary}', '"99999.00"')
       WHERE id = (SELECT payload_id FROM jobs WHERE id = $1)`,
      [jobId],
    );
    await worker.deliver(jobId);
    await expectRejected(jobId, { failure_code: "input_altered", failure_stage: "validate" });
    expect(worker.asked).toEqual([]);
  });

  it("a manifest that is not what was accepted ends the job [C20,C26]", async () => {
    const { context, worker } = scene;
    const jobId = await packet();
    await context.sql("ALTER TABLE manifest_parts DISABLE TRIGGER USER");
    await context.sql("UPDATE manifest_parts SET part = jsonb_set(part, '{title}', '\"Other\"') WHERE job_id = $1", [
      jobId,
    ]);
    await context.sql("ALTER TABLE manifest_parts ENABLE TRIGGER USER");
    await worker.deliver(jobId);
    await expectRejected(jobId, { failure_code: "input_altered", failure_stage: "validate" });
  });

  it("a source whose bytes changed after acceptance ends the job at its place, nothing rendered [C135,C137,C163,C164,C272]", async () => {
    const { context, worker, host } = scene;
    const sources = [await uploaded(scene, await pagesOfWidth(301)), await uploaded(scene, await pagesOfWidth(302))];
    const jobId = await submitted(context, scene.actor, newBook(sources));
    const key = sourceKey(sources[1] as never, "bytes");
    const other = await pagesOfWidth(303);
    const path = join(host.root, "other.pdf");
    await writeFile(path, other);
    await host.stores.sources.erase(key);
    await host.stores.sources.commit(key, path, digestOf(other));
    worker.asked.length = 0;
    await worker.deliver(jobId);
    await expectRejected(jobId, {
      failure_code: "source_digest_mismatch",
      first_failure_code: "source_digest_mismatch",
      failure_stage: "fetch",
      failure_position: 5,
    });
    expect(worker.asked).not.toContain("render");
    const view = await readPacket(context, scene.actor, jobId);
    expect(view.failure).toMatchObject({ position: 5, title: "Paper 2" });
  });

  it("a source that is gone ends the job", async () => {
    const { context, worker, host } = scene;
    const source = await uploaded(scene, await pagesOfWidth(301));
    const jobId = await submitted(context, scene.actor, newBook([source]));
    await host.stores.sources.erase(sourceKey(source, "bytes"));
    await worker.deliver(jobId);
    await expectRejected(jobId, { failure_code: "source_missing", failure_position: 4 });
  });

  it("input that was erased on time ends the job rather than to make it from nothing [C90]", async () => {
    const jobId = await packet();
    await scene.context.sql("DELETE FROM payloads WHERE id = (SELECT payload_id FROM jobs WHERE id = $1)", [jobId]);
    await scene.worker.deliver(jobId);
    await expectRejected(jobId, { failure_code: "source_missing" });
  });

  it("a kind that was taken away while the job waited ends it [C125,C189]", async () => {
    const jobId = await copyOfJob(scene.context, await packet(), { changes: { kind: "retired-kind" } });
    await scene.worker.deliver(jobId);
    expect(await jobRow(scene.context, jobId)).toMatchObject({
      state: "validation_failed",
      failure_code: "unknown_kind",
      attempt: 1,
    });
  });

  it("what a child refuses ends the job with place and page [C179,C180]", async () => {
    const jobId = await packet();
    await scene.worker.deliver(
      jobId,
      failingAt("render", new PacketFailure("missing_glyphs", { position: 2, page: 1 })),
    );
    await expectRejected(jobId, { failure_code: "missing_glyphs", failure_position: 2, failure_page: 1 });
  });

  it("of one file stops the others that are on their way [C163,C272]", async () => {
    const { context, worker } = scene;
    const sources: string[] = [];
    for (const width of [301, 302, 303, 304, 305, 306]) sources.push(await uploaded(scene, await pagesOfWidth(width)));
    const jobId = await submitted(context, scene.actor, newBook(sources));
    const prepared: string[] = [];
    let atWork = 0;
    await worker.deliver(
      jobId,
      scene.asking(async ({ op, outputPath, run }) => {
        if (op !== "prepare") return run();
        atWork += 1;
        try {
          prepared.push(String(outputPath));
          if (prepared.length === 1) throw new PacketFailure("source_malformed", { page: 1 });
          return await run();
        } finally {
          atWork -= 1;
        }
      }),
    );
    expect(atWork).toBe(0);
    expect(prepared.length).toBeLessThanOrEqual(2);
    await expectRejected(jobId, { failure_code: "source_malformed", failure_stage: "fetch", failure_page: 1 });
  });
});

describe("a transient failure", () => {
  it("waits with a delivery at the very instant it is due, and the next attempt completes the job [C127,C128]", async () => {
    const { context, worker } = scene;
    const jobId = await packet();
    await worker.deliver(jobId, failingAt("render", new PacketFailure("renderer_lost")));
    const dueAt = new Date(context.clock.now().getTime() + 750);
    expect(await jobRow(context, jobId)).toMatchObject({
      state: "retry_wait",
      attempt: 1,
      failure_code: "renderer_lost",
      failure_stage: "render",
      lease_until: null,
      due_at: dueAt,
      settled_at: null,
    });
    expect((await deliveriesOf(context, jobId)).map((delivery) => delivery.start_after)).toContainEqual(dueAt);
    expect(await deliveriesOf(context, jobId)).toHaveLength(2);
    expect(await readPacket(context, scene.actor, jobId)).toMatchObject({ state: "queued", nextTryAt: dueAt });

    context.clock.advance(749);
    await worker.deliver(jobId);
    expect((await jobRow(context, jobId)).attempt).toBe(1);
    context.clock.advance(1);
    await worker.deliver(jobId);
    expect(await jobRow(context, jobId)).toMatchObject({
      state: "completed",
      attempt: 2,
      failure_code: null,
      failure_stage: null,
      first_failure_code: "renderer_lost",
    });
    expect(await attemptsOf(jobId)).toMatchObject([
      { number: 1, outcome: "retry_wait", failure_code: "renderer_lost", failure_stage: "render" },
      { number: 2, outcome: "completed", failure_code: null },
    ]);
    expect((await attemptsOf(jobId)).every((attempt) => attempt.workspace_erased_at !== null)).toBe(true);
    expect((await scene.artifactOf(jobId)).attempt).toBe(2);
  });

  it("uses up the attempts and then waits for an operator, with first and last code [C129,C143,C191,C193,C194]", async () => {
    const { context, worker } = scene;
    const jobId = await packet();
    const failures = [
      ["renderer_lost", "render"],
      ["storage_unavailable", "assemble"],
      ["renderer_busy", "verify"],
      ["workspace_failed", "assemble"],
      ["storage_unavailable", "assemble"],
    ] as const;
    const waits: number[] = [];
    for (const [code, op] of failures) {
      await worker.deliver(jobId, failingAt(op, new PacketFailure(code)));
      const job = await jobRow(context, jobId);
      if (job.state !== "retry_wait") break;
      waits.push(job.due_at.getTime() - context.clock.now().getTime());
      context.clock.advance(waits.at(-1) ?? 0);
    }
    expect(waits).toEqual([750, 1_500, 3_000, 6_000]);
    expect(await jobRow(context, jobId)).toMatchObject({
      state: "dead_letter",
      attempt: 5,
      first_failure_code: "renderer_lost",
      failure_code: "storage_unavailable",
      failure_stage: "assemble",
      settled_at: context.clock.now(),
    });
    expect(await deliveriesOf(context, jobId)).toHaveLength(5);
    expect((await attemptsOf(jobId)).map((attempt) => [attempt.failure_code, attempt.failure_stage])).toEqual(failures);
    await later(24 * 60 * MINUTE, () => worker.deliver(jobId));
    expect((await jobRow(context, jobId)).attempt).toBe(5);
  });

  it("of one stage four times over is given up, with an attempt of the job unused; what failed elsewhere does not count [C160]", async () => {
    const { context, worker } = scene;
    const failAgain = async (jobId: JobId, ops: readonly string[]) => {
      for (const op of ops) {
        await worker.deliver(jobId, failingAt(op, new PacketFailure("renderer_lost")));
        context.clock.advance(10_000);
      }
      return jobRow(context, jobId);
    };
    const stuck = await packet();
    expect((await failAgain(stuck, ["verify", "verify", "verify"])).state).toBe("retry_wait");
    expect(await failAgain(stuck, ["verify"])).toMatchObject({
      state: "dead_letter",
      attempt: 4,
      failure_stage: "verify",
    });
    const other = await packet();
    const row = await failAgain(other, ["verify", "verify", "render", "verify"]);
    expect(row).toMatchObject({ state: "retry_wait", attempt: 4, attempts_max: 5 });
    await worker.deliver(other);
    expect((await jobRow(context, other)).state).toBe("completed");
  });

  it("never moves the deadlines [C26,C144,C181,C312]", async () => {
    const { context, worker } = scene;
    const jobId = await packet();
    const { finish_by, erase_by } = await jobRow(context, jobId);
    for (let index = 0; index < 4; index += 1) {
      await worker.deliver(jobId, failingAt("verify", new PacketFailure("renderer_lost")));
      const job = await jobRow(context, jobId);
      expect([job.finish_by, job.erase_by]).toEqual([finish_by, erase_by]);
      context.clock.advance(10_000);
    }
  });

  it("is not retried once the job is an hour old: late is failed [C130,C144,C195]", async () => {
    const { context, worker } = scene;
    const jobId = await packet();
    await later(60 * MINUTE - 500, () =>
      worker.deliver(jobId, failingAt("render", new PacketFailure("renderer_lost"))),
    );
    expect(await jobRow(context, jobId)).toMatchObject({
      state: "dead_letter",
      attempt: 1,
      failure_code: "renderer_lost",
    });
  });

  it("that nobody expected is told, keeps its words to itself, and is tried three times [C165]", async () => {
    const { context, worker } = scene;
    const jobId = await packet();
    for (let index = 0; index < 3; index += 1) {
      await worker.deliver(jobId, failingAt("render", new TypeError("canary: Zoë's salary")));
      context.clock.advance(10_000);
    }
    expect(await jobRow(context, jobId)).toMatchObject({ state: "dead_letter", attempt: 3, failure_code: "internal" });
    expect(scene.takeBugs()).toHaveLength(3);
    expect(JSON.stringify([worker.lines, await jobRow(context, jobId), await attemptsOf(jobId)])).not.toContain(
      "canary",
    );
  });
});

describe("a source store that does not answer", () => {
  const timeout = () => new PacketFailure("storage_unavailable", { cause: new Error("connect ETIMEDOUT") });
  const refusing = () => ({
    sources: replacing(scene.host.stores.sources, { open: () => Promise.reject(timeout()) }),
  });
  /** Begins to answer, and breaks off. */
  const breakingOff = () => ({
    sources: replacing(scene.host.stores.sources, {
      open: async () =>
        new ReadableStream<Uint8Array>({
          start: (controller) => controller.enqueue(new Uint8Array(10)),
          pull: (controller) => controller.error(timeout()),
        }),
    }),
  });
  const book = async () =>
    submitted(scene.context, scene.actor, newBook([await uploaded(scene, await pagesOfWidth(301))]));

  it.each([
    ["at all", refusing],
    ["to the end", breakingOff],
  ])("%s makes the job wait; once it answers again, the job is done [C140,C190]", async (_, trouble) => {
    const { context, worker } = scene;
    const jobId = await book();
    await worker.deliver(jobId, trouble());
    expect(await jobRow(context, jobId)).toMatchObject({
      state: "retry_wait",
      attempt: 1,
      failure_code: "storage_unavailable",
      failure_stage: "fetch",
      failure_position: expect.any(Number),
    });
    expect(worker.asked).not.toContain("render");
    const { due_at } = await jobRow(context, jobId);
    expect((await deliveriesOf(context, jobId)).map(({ start_after }) => start_after)).toContainEqual(due_at);
    context.clock.advance(due_at.getTime() - context.clock.now().getTime());
    await worker.deliver(jobId);
    expect(await jobRow(context, jobId)).toMatchObject({ state: "completed", attempt: 2 });
  });

  it.each([0, 0.25, 0.999])(
    "is asked again after waits that double, each with its own jitter (%d of the range) [C140,C190]",
    async (random) => {
      const { context, worker } = scene;
      const jobId = await book();
      const waits: number[] = [];
      for (let attempt = 1; attempt <= 3; attempt += 1) {
        await worker.deliver(jobId, { ...refusing(), random: () => random });
        const wait = (await jobRow(context, jobId)).due_at.getTime() - context.clock.now().getTime();
        waits.push(wait);
        context.clock.advance(wait);
      }
      expect(waits).toEqual([1_000, 2_000, 4_000].map((full) => Math.round(full * (0.5 + random / 2))));
    },
  );
});

describe("each phase in which an attempt can fail", () => {
  it.each([
    [
      "workspace_full",
      "validate",
      { workspaceBudget: { bytesUsed: () => 0, hasRoom: async () => true, admit: () => fail("workspace_full") } },
    ],
    ["storage_unavailable", "publish", { archive: () => fail("storage_unavailable") }],
  ] as const)("has its own code and place: %s at %s [C197,C231]", async (code, stage, changes) => {
    const jobId = await packet();
    const tools: Partial<WorkerTools> =
      "archive" in changes ? { archive: replacing(scene.host.stores.archive, { commit: changes.archive }) } : changes;
    await scene.worker.deliver(jobId, tools as Partial<WorkerTools>);
    const job = await jobRow(scene.context, jobId);
    expect(job).toMatchObject({ state: "retry_wait", failure_code: code });
    expect([null, stage]).toContain(job.failure_stage);
  });

  it.each(["render", "assemble", "verify"])("has its own place: %s [C197]", async (op) => {
    const jobId = await packet();
    await scene.worker.deliver(jobId, failingAt(op, new PacketFailure("renderer_lost")));
    expect(await jobRow(scene.context, jobId)).toMatchObject({ state: "retry_wait", failure_stage: op });
  });

  function fail(code: "workspace_full" | "storage_unavailable"): Promise<never> {
    return Promise.reject(new PacketFailure(code));
  }
});

describe("a deadline that has passed", () => {
  it("ends the job unmade, for an operator to see [C130,C169]", async () => {
    const { context, worker } = scene;
    const jobId = await packet();
    await later(await untilDeadline(jobId), () => worker.deliver(jobId));
    expect(await jobRow(context, jobId)).toMatchObject({
      state: "dead_letter",
      failure_code: "deadline_passed",
      attempt: 1,
    });
    expect(worker.asked).toEqual([]);
  });

  it("is not passed a moment before it, and a failure then is the last [C181]", async () => {
    const { context, worker } = scene;
    const jobId = await packet();
    await later((await untilDeadline(jobId)) - 100, () =>
      worker.deliver(jobId, failingAt("render", new PacketFailure("renderer_lost"))),
    );
    expect(await jobRow(context, jobId)).toMatchObject({ state: "dead_letter", failure_code: "renderer_lost" });
  });

  async function untilDeadline(jobId: JobId): Promise<number> {
    const [row] = await scene.context.sql<{ finish_by: Date }>("SELECT finish_by FROM jobs WHERE id = $1", [jobId]);
    return (row?.finish_by.getTime() ?? Number.NaN) - scene.context.clock.now().getTime();
  }
});

describe("a render that hangs", () => {
  it("is killed at its own deadline, tried once more, and then waits for an operator [C127,C237,C245,C298]", async () => {
    const { context, worker, host, bundle } = scene;
    const hanging = createPool({
      name: "parse",
      size: 1,
      childPath: bundle.hostileChildPath,
      directory: host.workspaces,
      limits: POOL_LIMITS.parse,
      clock: systemClock,
    });
    try {
      const source = await uploaded(scene, await pagesOfWidth(301));
      const jobId = await submitted(context, scene.actor, newBook([source], { watermark: "hang" }));
      const tools: Partial<WorkerTools> = {
        renderers: {
          ask: (op, request, setting) =>
            op === "stamp"
              ? hanging.ask(op, request, { ...setting, deadlineMs: 200 })
              : worker.tools.renderers.ask(op, request, setting),
        },
      };
      for (let index = 0; index < 2; index += 1) {
        await worker.deliver(jobId, tools);
        expect(await jobRow(context, jobId)).toMatchObject({
          failure_code: "render_deadline",
          failure_stage: "watermark",
          state: index === 0 ? "retry_wait" : "dead_letter",
        });
        context.clock.advance(10_000);
      }
      const { busy, ended } = hanging.stats();
      expect(busy).toBe(0);
      expect(Object.values(ended)).toEqual([2]);
      expect(await scene.artifactsOf(jobId)).toEqual([]);
    } finally {
      await hanging.close();
    }
  });
});

describe("a packet cancelled while it is made", () => {
  it("stays cancelled: the attempt finds out, writes nothing more and leaves nothing [C148]", async () => {
    const { context, worker, actor } = scene;
    const jobId = await packet();
    await worker.deliver(
      jobId,
      scene.asking(async ({ op, run }) => {
        if (op === "assemble") expect(await cancelPacket(context, actor, jobId)).toEqual({ cancelled: true });
        return run();
      }),
    );
    expect(await jobRow(context, jobId)).toMatchObject({ state: "cancelled", failure_code: "cancelled", attempt: 1 });
    expect(await scene.artifactsOf(jobId)).toEqual([]);
    expect(worker.lines.map((line) => line.event)).toContain("attempt_fenced");
    const events = await context.sql("SELECT action FROM audit_events WHERE subject_id = $1 ORDER BY id", [jobId]);
    expect(events.map((event) => event.action)).toEqual(["packet.submitted", "packet.cancelled"]);
  });

  it("too late, while its bytes are committed, is made all the same, and has its record", async () => {
    const { context, worker, host, actor } = scene;
    const jobId = await packet();
    const archive = replacing(host.stores.archive, {
      commit: async (...args) => {
        expect(await cancelPacket(context, actor, jobId)).toEqual({ cancelled: false });
        return host.stores.archive.commit(...args);
      },
    });
    await worker.deliver(jobId, { archive });
    expect((await jobRow(context, jobId)).state).toBe("completed");
    expect(await scene.artifactsOf(jobId)).toHaveLength(1);
  });
});

describe("a worker that must stop", () => {
  it("gives the job back for another attempt, without calling it a fault of its own [C154,C209]", async () => {
    const { context, worker } = scene;
    const jobId = await packet();
    const stopping = new AbortController();
    await worker.deliver(jobId, {
      stop: stopping.signal,
      ...scene.asking(async ({ op, run }) => {
        if (op === "assemble") stopping.abort(new PacketFailure("renderer_lost"));
        return run();
      }),
    });
    expect(await jobRow(context, jobId)).toMatchObject({ state: "retry_wait", failure_code: "renderer_lost" });
    expect(LANE.archive.leaseMs).toBeGreaterThan(0);
    context.clock.advance(10_000);
    await worker.deliver(jobId);
    expect((await jobRow(context, jobId)).state).toBe("completed");
  });
});

describe("the private directory of an attempt", () => {
  const refused = new PacketFailure("missing_glyphs");
  const lost = new PacketFailure("renderer_lost");
  const stopped = new AbortController();
  stopped.abort(lost);

  /** Every way out of an attempt that has its directory. */
  const EXITS: readonly (readonly [string, string, (jobId: JobId) => Partial<WorkerTools>])[] = [
    ["success", "completed", () => ({})],
    ["a permanent failure", "validation_failed", () => failingAt("render", refused)],
    ["a transient failure", "retry_wait", () => failingAt("render", lost)],
    ["an error that nobody expected", "retry_wait", () => failingAt("verify", new RangeError("surprise"))],
    ["a failed commit", "retry_wait", () => ({ archive: withoutCommit() })],
    ["a render past its deadline", "retry_wait", () => failingAt("assemble", new PacketFailure("render_deadline"))],
    ["cancelling", "cancelled", (jobId) => cancellingAt("assemble", jobId)],
    ["a worker that must stop", "retry_wait", () => ({ stop: stopped.signal })],
  ];

  it.each(EXITS)(
    "is gone after %s, and the record says so [C209,C211,C222,C227,C228,C313,C314,C315]",
    async (_, state, tools) => {
      const { context, worker, host } = scene;
      const jobId = await packet();
      let wasThere = false;
      const budget = worker.tools.workspaceBudget;
      await worker.deliver(jobId, {
        ...tools(jobId),
        workspaceBudget: {
          ...budget,
          admit: async () => {
            await budget.admit();
            wasThere = true;
          },
        },
      });
      scene.takeBugs();
      expect(wasThere).toBe(true);
      expect((await jobRow(context, jobId)).state).toBe(state);
      expect(await host.leftovers()).toEqual([]);
      expect(await attemptsOf(jobId)).toMatchObject([{ workspace_erased_at: context.clock.now() }]);
      const erased = await context.sql("SELECT status FROM checkpoints WHERE job_id = $1 AND stage = 'erase'", [jobId]);
      expect(erased).toEqual([{ status: "passed" }]);
    },
  );

  function withoutCommit() {
    return replacing(scene.host.stores.archive, {
      commit: () => Promise.reject(new PacketFailure("storage_unavailable")),
    });
  }

  function cancellingAt(op: string, jobId: JobId): Partial<WorkerTools> {
    return scene.asking(async (ask) => {
      if (ask.op === op) await cancelPacket(scene.context, scene.actor, jobId);
      return ask.run();
    });
  }
});
