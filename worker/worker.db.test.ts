import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import { DISK } from "@/server/adapters/archive/file-calls";
import { FilesystemArchive } from "@/server/adapters/archive/filesystem";
import { systemClock } from "@/server/adapters/clock/system";
import { TEST_STORAGE_KEYS, testEncryption } from "@/server/adapters/encryption/test-encryption";
import type { PersonActor, Reach } from "@/server/domain/access";
import {
  type ArtifactKey,
  digestOf,
  type JobId,
  type PreviewKey,
  type SourceKey,
  type TenantId,
} from "@/server/domain/ids";
import { LANE } from "@/server/domain/lane";
import { dayIn } from "@/server/packets/check-payload";
import { monthlyReport } from "@/server/packets/monthly-report";
import { previewPacket } from "@/server/services/packets/preview-packet";
import { receiveUpload } from "@/server/services/sources/receive-upload";
import { addPerson, addTenant, openTestContext, type TestContext } from "@/server/services/test-context";
import { deliveriesOf, jobRow, newBook, newPacket, submitted } from "@/server/services/test-requests";
import { bundleForTests, type TestBundle } from "./test-bundle";
import { pagesOfWidth } from "./test-packets";

/** Words that only content holds: none of them may be seen anywhere outside of it. */
const CANARY = { name: "Canarina Zeisig", title: "canary-minutes-7719", place: "Canary Wharf 7719" };

const database = testDatabase();
const running = new Set<WorkerProcess>();
let bundle: TestBundle;
let folder: string;
let context: TestContext;
let actor: PersonActor & { tenantId: TenantId; reach: Reach };

beforeAll(async () => {
  bundle = await bundleForTests();
  folder = await mkdtemp(join(tmpdir(), "bindery-worker-"));
  const stores = {
    archive: new FilesystemArchive<ArtifactKey>(join(folder, "archive"), DISK, testEncryption),
    previews: new FilesystemArchive<PreviewKey>(join(folder, "previews"), DISK, testEncryption),
    sources: new FilesystemArchive<SourceKey>(join(folder, "sources"), DISK, testEncryption),
  };
  context = { ...(await openTestContext(database.url, stores)), clock: { ...systemClock, advance: () => undefined } };
  actor = await addPerson(context, await addTenant(context, { name: CANARY.name }));
});
afterEach(async () => {
  for (const worker of running) await worker.kill("SIGKILL");
});
afterAll(async () => {
  await context.close();
  await rm(folder, { recursive: true, force: true });
  await bundle.remove();
});

interface WorkerProcess {
  readonly process: ChildProcess;
  readonly output: { out: string; error: string };
  kill(signal: NodeJS.Signals): Promise<{ code: number | null; signal: string | null }>;
}

function environment(changes: Record<string, string> = {}): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH ?? "",
    NODE_ENV: "test",
    DATABASE_URL: database.url,
    BINDERY_DATA_DIR: folder,
    BINDERY_CHILD_PATH: bundle.childPath,
    BINDERY_SESSION_SECRET: "a secret of the tests that is long enough",
    BINDERY_STORAGE_KEYS: TEST_STORAGE_KEYS.map((pair) => pair.join(":")).join(","),
    BINDERY_LINK_KEYS: "k1:a secret of the tests that is long enough",
    ...changes,
  };
}

/** Starts the bundled worker as `npm start` does, and returns once it takes deliveries. */
async function startWorker(changes: Record<string, string> = {}): Promise<WorkerProcess> {
  const child = spawn(process.execPath, ["--disable-warning=DeprecationWarning", bundle.mainPath], {
    env: environment(changes),
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const output = { out: "", error: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output.out += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    output.error += text;
  });
  const exited = once(child, "exit");
  const worker: WorkerProcess = {
    process: child,
    output,
    kill: async (signal) => {
      child.kill(signal);
      const [code, by] = await exited;
      running.delete(worker);
      return { code, signal: by };
    },
  };
  running.add(worker);
  await Promise.race([
    once(child, "message"),
    exited.then(() => Promise.reject(new Error(`The worker did not start: ${output.error}`))),
  ]);
  return worker;
}

const today = () => dayIn("UTC", systemClock.now());

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 40_000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error("It did not come about in 40 s.");
    await wait(20);
  }
}

const isIn = (jobId: JobId, state: string) => async () => (await jobRow(context, jobId)).state === state;

async function uploadedPages(): Promise<string> {
  const bytes = await pagesOfWidth(301, 2);
  const { sourceId } = await receiveUpload(context, actor, {
    bytes: (async function* () {
      yield bytes;
    })(),
    declaredBytes: bytes.byteLength,
    title: `${CANARY.title}.pdf`,
    purpose: "pages",
    correlationId: "cor-upload",
  });
  await until(async () => {
    const [row] = await context.sql("SELECT state FROM sources WHERE id = $1", [sourceId]);
    return row?.state === "accepted";
  });
  return sourceId;
}

/** A book whose every text is a canary. */
async function canaryBook(): Promise<JobId> {
  const source = await uploadedPages();
  const request = newBook([source], {}, today());
  const { meeting } = Object(request.payload);
  const sections = [{ title: CANARY.name, sources: [{ source, title: CANARY.title, closed: false }] }];
  const payload = {
    ...Object(request.payload),
    meeting: { ...meeting, title: CANARY.title, place: CANARY.place },
    sections,
  };
  return submitted(context, actor, { ...request, payload });
}

/** Long enough in the making to be interrupted. */
function largePacket(ref: string): Promise<JobId> {
  const { period, weeks } = monthlyReport.samples.typicalOn(today()).payload;
  const { payload } = monthlyReport.samples.largest;
  return submitted(context, actor, {
    kind: "monthly-report",
    payload: { ...payload, period, weeks, school: { ref, name: CANARY.name } },
    correlationId: "cor-large",
  });
}

async function leftovers(): Promise<string[]> {
  return readdir(join(folder, "workspaces")).catch(() => []);
}

describe("a worker process", () => {
  it("inspects, previews and archives what is asked, and stops at once when told to", async () => {
    const worker = await startWorker();
    const jobId = await canaryBook();
    const preview = await previewPacket(context, actor, newPacket(today()));
    await until(isIn(jobId, "completed"));
    await until(isIn(preview.jobId, "completed"));
    const [artifact] = await context.sql<{ archive_key: ArtifactKey; digest: string }>(
      "SELECT archive_key, digest FROM artifacts WHERE job_id = $1",
      [jobId],
    );
    const key = artifact?.archive_key ?? ("" as ArtifactKey);
    const bytes = await new Response(await context.archive.open(key)).arrayBuffer();
    expect(digestOf(new Uint8Array(bytes))).toBe(artifact?.digest);
    expect(await worker.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    expect(await leftovers()).toEqual([]);
  });

  it("says nothing but JSON lines of listed fields, and nothing of the content [C165,C383,C385,C388,C389,C394,C397]", async () => {
    const worker = await startWorker();
    const jobId = await canaryBook();
    const broken = await largePacket("S-canary");
    await context.sql(
      'UPDATE payloads SET content = content || \'{"headline":"Canarina"}\' WHERE id = (SELECT payload_id FROM jobs WHERE id = $1)',
      [broken],
    );
    await until(isIn(jobId, "completed"));
    await until(async () => ["validation_failed", "completed"].includes((await jobRow(context, broken)).state));
    await worker.kill("SIGTERM");
    const { out, error } = worker.output;
    expect(error).toBe("");
    const allowed = new Set([
      ...[
        "level",
        "time",
        "event",
        "jobId",
        "sourceId",
        "attempt",
        "stage",
        "lane",
        "kind",
        "code",
        "outcome",
        "ms",
        "bytes",
      ],
      ...["pages", "rows", "count", "status", "correlationId", "workerId", "pid", "lagMs"],
    ]);
    const lines = out
      .trim()
      .split("\n")
      .map((line): Record<string, unknown> => JSON.parse(line));
    expect(lines.length).toBeGreaterThan(8);
    for (const line of lines) {
      for (const [name, value] of Object.entries(line)) {
        expect(allowed.has(name), name).toBe(true);
        expect(["string", "number"]).toContain(typeof value);
        expect(String(value)).toMatch(/^[\w:.-]+$/);
      }
    }
    for (const secret of [...Object.values(CANARY), "Canar", "canary-m", folder, tmpdir(), "/"]) {
      expect(out).not.toContain(secret);
    }
    // What is correlated is correlated by the job's opaque id.
    expect(lines.filter((line) => line.jobId === jobId && line.event === "stage_done")).toHaveLength(8);
  });

  it("leaves no content in the queue's tables [C145,C393]", async () => {
    const rows = await context.sql<{ text: string }>("SELECT j::text AS text FROM pgboss.job j");
    expect(rows.length).toBeGreaterThan(3);
    for (const { text } of rows) expect(text).not.toMatch(/canar/i);
    expect(await deliveriesOf(context, "unknown")).toEqual([]);
  });
});

describe("a worker killed in the middle of a render", () => {
  it("ends, once there is another, in one artifact, with no directory left [C141,C154,C167,C198,C296,C447]", async () => {
    const first = await startWorker();
    const jobId = await largePacket("S-killed");
    await until(async () => {
      const job = await jobRow(context, jobId);
      return job.state === "running" && job.stage === "render";
    });
    expect(await first.kill("SIGKILL")).toEqual({ code: null, signal: "SIGKILL" });
    expect(await jobRow(context, jobId)).toMatchObject({ state: "running", attempt: 1 });
    expect(await leftovers()).toHaveLength(1);

    const second = await startWorker();
    await until(isIn(jobId, "completed"));
    await until(async () => (await leftovers()).length === 0);
    const artifacts = await context.sql("SELECT attempt FROM artifacts WHERE job_id = $1", [jobId]);
    expect(artifacts).toEqual([{ attempt: (await jobRow(context, jobId)).attempt }]);
    expect(
      await context.sql("SELECT 1 FROM audit_events WHERE subject_id = $1 AND action = 'packet.completed'", [jobId]),
    ).toHaveLength(1);
    await second.kill("SIGTERM");
  });
});

describe("a worker whose directories are full", () => {
  it("says so before anything fails of it, and packets are refused while no other has room [C67,C69]", async () => {
    await context.sql("DELETE FROM worker_instances");
    const place = join(folder, "full");
    await mkdir(place, { mode: 0o700 });
    await writeFile(join(place, "left"), Buffer.alloc(2_000));
    const full = await startWorker({ BINDERY_WORKSPACE_DIR: place, BINDERY_WORKSPACE_BYTES_MAX: "2048" });
    const seen = () => context.sql("SELECT has_room, workspace_bytes FROM worker_instances");
    expect(await seen()).toEqual([{ has_room: false, workspace_bytes: "2000" }]);
    const refusal = { code: "workspace_full", retryAfterSeconds: expect.any(Number) };
    await expect(submitted(context, actor, newPacket(today()))).rejects.toMatchObject(refusal);
    await full.kill("SIGKILL");
    await context.sql("DELETE FROM worker_instances");
  });
});

describe("a worker whose settings cannot be kept", () => {
  it.each([
    "archive.leaseSeconds=90",
    "oversize.renderSeconds=900",
    "interactive.durationSeconds=19",
    "archive.depth=1",
  ])("(%s) does not start, and says in one line which setting it is [C171]", async (lanes) => {
    const child = spawn(process.execPath, [bundle.mainPath], { env: environment({ BINDERY_LANES: lanes }) });
    let error = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      error += text;
    });
    const [code] = await once(child, "close");
    expect(code).toBe(1);
    expect(error).toMatch(/^Bindery cannot start: .*BINDERY_LANES.*\n$/);
    expect(error).not.toContain("    at ");
  });
});

describe("the product's bundle", () => {
  it("holds nothing that lets a worker die at a point of somebody's choice", async () => {
    const folder = join(bundle.mainPath, "..", "..");
    const files = await reachable(bundle.mainPath);
    expect(files.length).toBeGreaterThan(1);
    for (const path of [...files, ...(await reachable(bundle.childPath))]) {
      const text = await readFile(path, "utf8");
      expect(text, path.slice(folder.length)).not.toMatch(/BINDERY_CRASH|dieAt/);
    }
    // The same look at a bundle that is armed finds it.
    const armed = await Promise.all((await reachable(bundle.attemptPath)).map((path) => readFile(path, "utf8")));
    expect(armed.some((text) => /dieAt/.test(text))).toBe(true);
  });

  /** The bundle's entry and every chunk it can load. */
  async function reachable(entry: string): Promise<string[]> {
    const found = new Set<string>();
    const waiting = [entry];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (found.has(path) || !existsSync(path)) continue;
      found.add(path);
      const text = await readFile(path, "utf8");
      for (const [, relative] of text.matchAll(/["'](\.{1,2}\/[\w./-]+\.js)["']/g)) {
        if (relative !== undefined) waiting.push(join(path, "..", relative));
      }
    }
    return [...found];
  }
});

describe("work that waits while no worker is there", () => {
  it("is all done when two of them come, each piece once, and no more at once than there are slots [C38,C63,C149,C153,C154,C198,C199]", async () => {
    const jobs: JobId[] = [];
    for (let index = 0; index < 8; index += 1) jobs.push(await submitted(context, actor, newPacket(today())));
    // Every delivery twice.
    for (const jobId of jobs) {
      await context.db.transact({ type: "system", name: "seed" }, (tx) =>
        context.enqueue(tx, "archive", { jobId }, { dueAt: null, outstanding: 0 }),
      );
    }
    const workers = await Promise.all([startWorker(), startWorker()]);
    for (const jobId of jobs) await until(isIn(jobId, "completed"));
    const [row] = await context.sql(
      `SELECT count(*)::int AS artifacts, count(DISTINCT job_id)::int AS jobs, max(attempt) AS attempts FROM artifacts WHERE job_id = ANY($1)`,
      [jobs],
    );
    expect(row).toEqual({ artifacts: 8, jobs: 8, attempts: 1 });
    // No worker makes more books at once than its lane has slots.
    const [most] = await context.sql(
      `SELECT max(at_once)::int AS at_once FROM (
         SELECT count(*) AS at_once FROM attempts a JOIN attempts b ON b.worker_id = a.worker_id AND b.job_id = ANY($1)
           AND b.started_at <= a.started_at AND b.ended_at > a.started_at
         WHERE a.job_id = ANY($1) GROUP BY a.job_id) counted`,
      [jobs],
    );
    expect(most?.at_once).toBeLessThanOrEqual(LANE.archive.concurrency);
    for (const worker of workers) await worker.kill("SIGTERM");
    expect(await leftovers()).toEqual([]);
  });
});
