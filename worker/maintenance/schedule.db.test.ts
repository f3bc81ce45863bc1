import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { PacketFailure } from "@/server/domain/failure";
import type { JobId } from "@/server/domain/ids";
import { dayIn } from "@/server/packets/check-payload";
import { archived, jobRow, newBook, newPacket, submitted } from "@/server/services/test-requests";
import { pagesOfWidth, uploaded } from "../test-packets";
import { testScene } from "../test-scene";
import { replacing } from "../test-worker";
import { MARKER_NAME, openWorkspace } from "../workspace";
import { TASKS } from "./record-run";
import { heldSchedule } from "./test-schedule";

const scene = testScene();
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

interface RunRow {
  readonly task: string;
  readonly worker_id: string;
  readonly at: Date;
  readonly done: number;
  readonly failed: number;
  readonly lag_ms_max: string;
}

const runs = (task?: string) =>
  scene.context.sql<RunRow>("SELECT * FROM maintenance_runs WHERE $1::text IS NULL OR task = $1 ORDER BY id", [
    task ?? null,
  ]);

/** Leaves what a worker that was killed leaves: a directory with files, and a job that was claimed; last touched so long ago. */
async function killedAttempt(agoMs: number, root = scene.host.workspaces): Promise<JobId> {
  const { context, worker } = scene;
  const jobId = await submitted(context, scene.actor, newPacket(today()));
  const startedAt = new Date(context.clock.now().getTime() - agoMs);
  await context.sql(
    "UPDATE jobs SET state = 'running', attempt = 1, worker_id = 'wrk_gone', claimed_at = $2, lease_until = $2 WHERE id = $1",
    [jobId, startedAt],
  );
  await context.sql("INSERT INTO attempts (job_id, number, worker_id, started_at) VALUES ($1, 1, 'wrk_gone', $2)", [
    jobId,
    startedAt,
  ]);
  const eraseBy = (await jobRow(context, jobId)).erase_by as Date;
  const budget = worker.tools.workspaceBudget;
  const workspace = await openWorkspace({ root, marker: { jobId, attempt: 1, eraseBy }, budget });
  await writeFile(workspace.path("packet.pdf"), "half written");
  const place = join(workspace.path("packet.pdf"), "..");
  for (const path of [join(place, MARKER_NAME), place]) await utimes(path, startedAt, startedAt);
  return jobId;
}

async function erasedAt(jobId: JobId): Promise<Date | null | undefined> {
  const [attempt] = await scene.context.sql<{ workspace_erased_at: Date | null }>(
    "SELECT workspace_erased_at FROM attempts WHERE job_id = $1",
    [jobId],
  );
  return attempt?.workspace_erased_at;
}

/** Moves the clock to the instant at which the artifact's retention ends. */
async function untilEndOf(artifactId: string): Promise<void> {
  const { context } = scene;
  const [row] = await context.sql<{ retain_until: Date }>("SELECT retain_until FROM artifacts WHERE id = $1", [
    artifactId,
  ]);
  context.clock.advance((row?.retain_until.getTime() ?? 0) - context.clock.now().getTime());
}

const today = () => dayIn("UTC", scene.context.clock.now());

beforeEach(async () => {
  await scene.context.sql("DELETE FROM maintenance_runs");
});

describe("a host that comes back", () => {
  it("removes at once what its killed workers had left, and it is on record for each attempt; the rest as it comes of age [C297,C409,C413]", async () => {
    const { context, worker, host } = scene;
    const old = await killedAttempt(2 * 3_600_000);
    const older = await killedAttempt(30 * DAY_MS);
    const young = await killedAttempt(10 * MINUTE_MS);
    expect(await host.leftovers()).toHaveLength(3);
    const schedule = await heldSchedule(worker.tools);
    expect(await host.leftovers()).toHaveLength(1);
    expect([await erasedAt(old), await erasedAt(older)]).toEqual([context.clock.now(), context.clock.now()]);
    expect((await jobRow(context, old)).erased_at).toEqual(context.clock.now());
    expect(await erasedAt(young)).toBeNull();
    context.clock.advance(5 * MINUTE_MS + 1);
    await schedule.run("sweep");
    expect(await host.leftovers()).toEqual([]);
    expect(await erasedAt(young)).toEqual(context.clock.now());
    expect(worker.lines).toContainEqual(
      expect.objectContaining({ event: "maintenance_done", stage: "sweep", count: 2 }),
    );
  });
});

describe("the sweep", () => {
  it("comes every minute for as long as the host runs, and minds this host's directories only [C300]", async () => {
    const { context, worker, host } = scene;
    const schedule = await heldSchedule(worker.tools);
    expect(schedule.everyMs("sweep")).toBe(MINUTE_MS);
    const elsewhere = join(host.root, "another-host");
    await mkdir(elsewhere, { mode: 0o700 });
    await killedAttempt(3_600_000, elsewhere);
    for (let round = 1; round <= 3; round += 1) {
      const jobId = await killedAttempt(3_600_000);
      context.clock.advance(MINUTE_MS);
      await schedule.run("sweep");
      expect(await host.leftovers()).toEqual([]);
      expect(await erasedAt(jobId)).toEqual(context.clock.now());
    }
    expect(await readdir(elsewhere)).toHaveLength(1);
    const rows = await runs("sweep");
    expect(rows.filter(({ done }) => done === 1)).toHaveLength(3);
    schedule.stop();
    expect(schedule.isStopped).toBe(true);
  });
});

describe("whatever is cleaned up", () => {
  it("leaves a row of who did it, how much and how late, and each thing an owner, a deadline and the time it went [C309,C409]", async () => {
    const { context, worker, host } = scene;
    const gone = await killedAttempt(3_600_000);
    const source = await uploaded(scene, await pagesOfWidth(301));
    const made = await submitted(context, scene.actor, newBook([source], {}, today()));
    await worker.deliver(made, { stageMsMin: 0 });
    const { artifactId } = await archived(context, scene.actor, newPacket(today()));
    const schedule = await heldSchedule(worker.tools, Object.values(host.stores));
    const lagMs = 3_600_000 - 15 * MINUTE_MS;
    const swept = { worker_id: "wrk_1", done: 1, failed: 0, lag_ms_max: String(lagMs) };
    expect(await runs("sweep")).toMatchObject([swept]);
    // Long after, all at once: what is late says by how much.
    await untilEndOf(artifactId);
    context.clock.advance(100 * DAY_MS);
    for (const task of TASKS) await schedule.run(task);

    const rows = new Map((await runs()).filter(({ done }) => done > 0).map((row) => [row.task, row]));
    expect(rows.get("dispose")).toMatchObject({ worker_id: "wrk_1", failed: 0, lag_ms_max: String(100 * DAY_MS) });
    for (const task of ["erase_inputs", "erase_staged"]) {
      expect(rows.get(task), task).toMatchObject({ worker_id: "wrk_1", failed: 0 });
      expect(Number(rows.get(task)?.lag_ms_max), task).toBeGreaterThan(DAY_MS);
    }
    const tellings = await context.sql(
      `SELECT 'attempt' AS what, a.worker_id AS owner, j.erase_by AS due, a.workspace_erased_at AS done
         FROM attempts a JOIN jobs j ON j.id = a.job_id WHERE j.id IN ($1, $2)
       UNION ALL SELECT 'staged', a.worker_id, s.erase_by, s.erased_at FROM staged_files s
         JOIN attempts a ON a.job_id = s.job_id AND a.number = s.attempt WHERE s.job_id = $2
       UNION ALL SELECT 'source', 'worker', erase_by, erased_at FROM sources WHERE id = $3
       UNION ALL SELECT 'artifact', erased_by, retain_until, erased_at FROM artifacts WHERE id = $4`,
      [gone, made, source, artifactId],
    );
    expect(new Set(tellings.map(({ what }) => what))).toEqual(new Set(["attempt", "staged", "source", "artifact"]));
    for (const { what, owner, due, done } of tellings) {
      expect(owner, String(what)).toMatch(/^w/);
      expect(due, String(what)).toBeInstanceOf(Date);
      expect(done, String(what)).toBeInstanceOf(Date);
    }
    const [left] = await context.sql("SELECT count(*)::int AS n FROM payloads");
    expect(left?.n).toBe(0);
  });

  it("and what cannot be is counted as failed; a task that breaks off too, and keeps no other [C409]", async () => {
    const { context, worker, host } = scene;
    const { artifactId } = await archived(context, scene.actor, newPacket(today()));
    await untilEndOf(artifactId);
    const archive = replacing(host.stores.archive, {
      erase: () => Promise.reject(new PacketFailure("storage_unavailable")),
    });
    const broken = { sweepStaging: () => Promise.reject(new PacketFailure("storage_unavailable")) };
    const schedule = await heldSchedule({ ...worker.tools, archive }, [broken]);
    await schedule.run("dispose");
    await expect(schedule.run("sweep_stores")).rejects.toMatchObject({ code: "storage_unavailable" });
    const [disposal] = await runs("dispose");
    expect(disposal?.done).toBe(0);
    expect(disposal?.failed).toBeGreaterThan(0);
    expect(await runs("sweep_stores")).toMatchObject([{ done: 0, failed: 1 }]);
    expect(worker.lines).toContainEqual(expect.objectContaining({ event: "maintenance_failed", stage: "dispose" }));
  });

  it("or not: a task without work is seen once an hour, and rows go after seven days", async () => {
    const { context, worker } = scene;
    const schedule = await heldSchedule(worker.tools);
    await schedule.run("erase_staged");
    const first = context.clock.now();
    for (let minute = 1; minute < 60; minute += 1) {
      context.clock.advance(MINUTE_MS);
      await schedule.run("erase_staged");
    }
    expect((await runs("erase_staged")).map(({ at }) => at)).toEqual([first]);
    context.clock.advance(MINUTE_MS);
    await schedule.run("erase_staged");
    expect(await runs("erase_staged")).toMatchObject([{ at: first }, { at: context.clock.now(), done: 0, failed: 0 }]);
    context.clock.advance(7 * DAY_MS - MINUTE_MS);
    await schedule.run("erase_staged");
    const at = (await runs()).map((row) => row.at.getTime());
    expect(Math.min(...at)).toBe(first.getTime() + 60 * MINUTE_MS);
    expect(at).toHaveLength(2);
  });
});
