import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import type { PersonActor, Reach } from "@/server/domain/access";
import type { TenantId } from "@/server/domain/ids";
import { LANES } from "@/server/domain/lane";
import { addPerson, addTenant, anOperator, openTestContext, type TestContext } from "../test-context";
import { newPacket, submitted } from "../test-requests";
import { readLanes } from "./read-lanes";
import { readTimers, TIMERS } from "./read-timers";

const database = testDatabase();
let context: TestContext;
let actor: PersonActor & { tenantId: TenantId; reach: Reach };
const operator = anOperator();

beforeAll(async () => {
  context = await openTestContext(database.url);
  actor = await addPerson(context, await addTenant(context));
});
afterAll(() => context.close());

const ago = (ms: number) => new Date(context.clock.now().getTime() - ms);

interface Made {
  readonly lane?: string;
  readonly waitedMs: number;
  readonly stages: Readonly<Record<string, number>>;
  readonly startedAt?: Date;
  readonly status?: string;
}

/** Adds a job with one attempt that waited and worked so long, as a worker writes them. */
async function made({ lane = "archive", waitedMs, stages, startedAt = ago(600_000), status = "passed" }: Made) {
  const jobId = await submitted(context, actor, newPacket());
  const accepted = new Date(startedAt.getTime() - waitedMs);
  await context.sql("ALTER TABLE jobs DISABLE TRIGGER USER");
  await context.sql("UPDATE jobs SET lane = $2, accepted_at = $3, state = 'completed', attempt = 1 WHERE id = $1", [
    jobId,
    lane,
    accepted,
  ]);
  await context.sql("ALTER TABLE jobs ENABLE TRIGGER USER");
  await context.sql("INSERT INTO attempts (job_id, number, worker_id, started_at) VALUES ($1, 1, 'wrk_1', $2)", [
    jobId,
    startedAt,
  ]);
  for (const [stage, ms] of Object.entries(stages)) {
    await context.sql(
      "INSERT INTO checkpoints (job_id, attempt, stage, status, started_at, ms) VALUES ($1, 1, $2, $3, $4, $5)",
      [jobId, stage, status, startedAt, ms],
    );
  }
  return jobId;
}

async function timersOf(lane: string, window: "hour" | "day" = "hour") {
  const { lanes } = await readTimers(context, operator, window);
  const timers = lanes.find((view) => view.lane === lane)?.timers ?? [];
  return Object.fromEntries(timers.map(({ timer, ...figures }) => [timer, figures]));
}

describe("the timers", () => {
  it("tell queue, fetching, validation, rendering and commit apart at p50, p95 and p99, by lane [C372,C373,C374,C375,C376]", async () => {
    for (let n = 1; n <= 101; n += 1) {
      const stages = { validate: n, fetch: 7 * n, render: 100 * n, verify: 2 * n, publish: 5 * n };
      await made({ waitedMs: 1_000 * n, stages });
    }
    await made({ lane: "oversize", waitedMs: 5_000, stages: { render: 400_000 } });
    expect(await timersOf("archive")).toEqual({
      enqueue_to_start: { count: 101, p50: 51_000, p95: 96_000, p99: 100_000 },
      fetch_duration: { count: 101, p50: 357, p95: 672, p99: 700 },
      validation_duration: { count: 101, p50: 153, p95: 288, p99: 300 },
      render_duration: { count: 101, p50: 5_100, p95: 9_600, p99: 10_000 },
      archive_commit_duration: { count: 101, p50: 255, p95: 480, p99: 500 },
    });
    expect((await timersOf("oversize")).render_duration).toEqual({
      count: 1,
      p50: 400_000,
      p95: 400_000,
      p99: 400_000,
    });
    expect((await timersOf("interactive")).render_duration).toEqual({ count: 0, p50: null, p95: null, p99: null });
  });

  it("are never merged into one latency, and every lane has each of them [C403]", async () => {
    const { lanes } = await readTimers(context, operator, "hour");
    expect(lanes.map(({ lane }) => lane)).toEqual(LANES);
    for (const { timers } of lanes) expect(timers.map(({ timer }) => timer)).toEqual(TIMERS);
    expect(TIMERS).toEqual([
      "enqueue_to_start",
      "fetch_duration",
      "validation_duration",
      "render_duration",
      "archive_commit_duration",
    ]);
  });

  it("look at the last hour or the last day, and count no stage that was skipped or taken up", async () => {
    const before = await timersOf("archive");
    await made({ waitedMs: 10, stages: { render: 1 }, startedAt: ago(2 * 3_600_000) });
    await made({ waitedMs: 10, stages: { render: 1 }, startedAt: ago(25 * 3_600_000) });
    await made({ waitedMs: 51_000, stages: { render: 1 }, status: "resumed" });
    await made({ waitedMs: 51_000, stages: { fetch: 1 }, status: "skipped" });
    const after = await timersOf("archive");
    expect(after.render_duration).toEqual(before.render_duration);
    expect(after.fetch_duration).toEqual(before.fetch_duration);
    expect(after.enqueue_to_start?.count).toBe(103);
    expect((await timersOf("archive", "day")).render_duration?.count).toBe(102);
  });
});

describe("what is tried again or refused", () => {
  it("is counted by code, and the oldest backoff has an age of its own [C380,C404,C405]", async () => {
    const empty = await readTimers(context, operator, "hour");
    expect([empty.retries, empty.oldestBackoffMs]).toEqual([[], 0]);
    const failures = [
      ["retry_wait", "storage_unavailable", 90_000],
      ["retry_wait", "storage_unavailable", 20_000],
      ["lost", "lease_lost", 5_000],
      ["dead_letter", "renderer_lost", 1_000],
    ] as const;
    for (const [outcome, code, endedAgo] of failures) {
      const jobId = await submitted(context, actor, newPacket());
      await context.sql("UPDATE jobs SET state = $2, attempt = 1, due_at = $3 WHERE id = $1", [
        jobId,
        outcome === "retry_wait" ? "retry_wait" : "cancelled",
        ago(-1_000),
      ]);
      await context.sql(
        `INSERT INTO attempts (job_id, number, worker_id, started_at, ended_at, outcome, failure_code)
         VALUES ($1, 1, 'wrk_1', $2, $3, $4, $5)`,
        [jobId, ago(100_000), ago(endedAgo), outcome, code],
      );
    }
    const view = await readTimers(context, operator, "hour");
    expect(view.retries).toEqual([
      { code: "storage_unavailable", count: 2 },
      { code: "lease_lost", count: 1 },
    ]);
    expect(view.oldestBackoffMs).toBe(90_000);
  });

  it("shows rejected manifests, the fidelity that was chosen, workspace bytes, memory and deletion lag [C379,C381,C390]", async () => {
    const jobId = await submitted(context, actor, newPacket());
    await context.sql(
      "UPDATE jobs SET state = 'validation_failed', failure_code = 'missing_glyphs', settled_at = $2 WHERE id = $1",
      [jobId, ago(1_000)],
    );
    await context.sql(
      `INSERT INTO maintenance_runs (task, worker_id, at, ms, done, failed, lag_ms_max)
       VALUES ('erase_inputs', 'wrk_1', $1, 5, 3, 1, 4000), ('erase_inputs', 'wrk_1', $2, 5, 2, 0, 21000),
         ('erase_inputs', 'wrk_1', $3, 5, 9, 0, 99000)`,
      [ago(1_000), ago(2_000), ago(3 * 3_600_000)],
    );
    await context.sql(
      `INSERT INTO worker_instances (id, started_at, last_seen_at, renderer_build, rss_bytes, workspace_bytes, running)
       VALUES ('wrk_1', $1, $1, 'build', 123000000, 456000, 2)`,
      [ago(1_000)],
    );
    const view = await readTimers(context, operator, "hour");
    expect(view.rejected).toEqual([{ code: "missing_glyphs", count: 1 }]);
    expect(view.fidelities).toEqual({ archival: expect.any(Number) });
    expect(view.deletions).toEqual([
      { task: "erase_inputs", lastAt: ago(1_000), done: 5, failed: 1, lagMsMax: 21_000 },
    ]);
    const { workers } = await readLanes(context, operator);
    expect(workers).toEqual([
      expect.objectContaining({ workerId: "wrk_1", rssBytes: 123_000_000, workspaceBytes: 456_000 }),
    ]);
  });

  it("is for operators", async () => {
    await expect(readTimers(context, actor, "hour")).rejects.toMatchObject({ code: "not_found" });
  });
});
