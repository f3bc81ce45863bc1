import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { systemClock } from "@/server/adapters/clock/system";
import { openDatabase } from "@/server/db/client";
import type { PersonActor, Reach } from "@/server/domain/access";
import { PacketFailure } from "@/server/domain/failure";
import type { JobId, SourceId, TenantId } from "@/server/domain/ids";
import { LANE } from "@/server/domain/lane";
import { openSender } from "@/server/queue/boss";
import { bulkEnqueuer, enqueuer } from "@/server/queue/enqueue";
import { type Submission, submitPacket } from "@/server/services/packets/submit-packet";
import { receiveUpload } from "@/server/services/sources/receive-upload";
import { addPerson, addTenant, type TestContext } from "@/server/services/test-context";
import { openTestHost, type TestHost } from "@/worker/test-worker";
import type { FaultBuild } from "./fault-build";
import type { FaultRun } from "./fault-class";
import { type KindName, newRequest, uploads, WIDTHS } from "./packets";
import { startWorker, type WorkerProcess } from "./worker-process";

/** What the client of a submission knows: it must be true to the end. */
export interface Acknowledged {
  readonly jobId: JobId;
  readonly kind: KindName;
  /** The request as it was made, with its key. */
  readonly submission: Submission;
  /** Widths of the pages of its sources, in their order. */
  readonly widths: readonly number[];
  /** As they were at acceptance. */
  readonly finishBy: Date;
  readonly eraseBy: Date;
}

/** The web side in this process, workers in processes of their own, one database, one archive, a temporary root for each host. */
export interface ProcessScene {
  readonly run: FaultRun;
  readonly host: TestHost;
  readonly context: TestContext;
  readonly actor: PersonActor & { readonly tenantId: TenantId; readonly reach: Reach };
  readonly acknowledged: readonly Acknowledged[];
  /** Every worker that was ever started. */
  readonly workers: readonly WorkerProcess[];
  /** Temporary roots of the hosts. */
  readonly roots: readonly string[];
  /** The address of the database by the way that does not break. */
  url(): string;
  /** Further text that was written somewhere: to be searched for canaries. */
  readonly texts: (() => string)[];
  startWorker(options?: {
    readonly host?: string;
    readonly fault?: string;
    readonly variables?: Readonly<Record<string, string>>;
    readonly databaseUrl?: string;
    readonly workspaceDirectory?: string;
  }): Promise<WorkerProcess>;
  /** Uploads what packets bind and has it inspected, by a worker that lives: before anything is broken. */
  prepare(): Promise<void>;
  /** Submits as a client does: the same key again until there is an answer. */
  submit(kind: KindName): Promise<Acknowledged>;
  /** Notes a submission that was answered elsewhere. */
  acknowledge(answer: Omit<Acknowledged, "finishBy" | "eraseBy">): Promise<Acknowledged>;
  /** Returns a request nobody has made yet. */
  newRequest(kind: KindName): ReturnType<typeof newRequest>;
  /** Makes a request again, as a client that was not answered; it must get the job that exists. */
  repeat(answer: Acknowledged): Promise<void>;
  /** Waits until every job that was acknowledged is at an end, in a run that is cut short too; false where that takes longer. */
  drained(msMax: number): Promise<boolean>;
  sql<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

export const OVER = ["completed", "validation_failed", "dead_letter", "cancelled"] as const;
const ANSWER_MS_MAX = 60_000;

/** Sets the scene on a migrated database. `webUrl` and `workerUrl` may lead through something that breaks; `url` must not. */
export async function openProcessScene(
  run: FaultRun,
  setup: {
    readonly build: FaultBuild;
    readonly url: () => string;
    readonly webUrl?: string;
    readonly workerUrl?: string;
    readonly variables?: Readonly<Record<string, string>>;
    readonly dataDirectory?: string;
  },
): Promise<ProcessScene> {
  const dataDirectory = setup.dataDirectory ?? join(run.directory, "data");
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const host = await openTestHost(dataDirectory);
  const webUrl = setup.webUrl ?? setup.url();
  const db = openDatabase({ url: webUrl, role: "bindery_web", connectionsMax: 6 });
  const boss = await openSender(webUrl, () => undefined);
  const workers: WorkerProcess[] = [];
  const roots = new Set<string>();
  const acknowledged: Acknowledged[] = [];
  const sources = new Map<string, SourceId>();
  const texts: (() => string)[] = [];
  const sql = <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
    patient(() => query<Row>(setup.url(), text, values));
  const context: TestContext = {
    databaseUrl: setup.url(),
    db,
    enqueue: enqueuer(boss),
    enqueueMany: bulkEnqueuer(boss),
    clock: { ...systemClock, advance: () => undefined },
    ...host.stores,
    lanes: LANE,
    incomingDirectory: join(dataDirectory, "incoming"),
    uploadBytesMax: 1024 * 1024,
    linkKeys: [["k1", "a secret of the tests, long enough to sign with"]],
    linkMsMax: 5 * 60_000,
    sql,
    sqlAs: () => Promise.reject(new Error("not here")),
    close: async () => undefined,
  };
  const actor = await addPerson(context, await addTenant(context, { name: "Faults", outstandingMax: 100_000 }));
  let requests = 0;

  const scene: ProcessScene = {
    run,
    host,
    context,
    actor,
    acknowledged,
    workers,
    texts,
    url: setup.url,
    get roots() {
      return [...roots];
    },
    startWorker: async ({ host: name = "one", fault, variables = {}, databaseUrl, workspaceDirectory } = {}) => {
      const root = workspaceDirectory ?? join(run.directory, `temporary-${name}`);
      roots.add(root);
      const worker = startWorker({
        build: setup.build,
        databaseUrl: databaseUrl ?? setup.workerUrl ?? setup.url(),
        dataDirectory,
        workspaceDirectory: root,
        ...(fault === undefined ? {} : { fault }),
        variables: { ...setup.variables, ...variables },
      });
      workers.push(worker);
      // One that is to die may do so before it says that it is there.
      // One that stands still may have taken a job, and come to its point, before it said that it is ready.
      const still = new Promise<void>((resolve) => {
        worker.output.onLine(({ event }) => event === "fault_point" && resolve());
      });
      await (fault === undefined ? worker.ready : Promise.race([worker.ready, worker.exited, still]));
      return worker;
    },
    newRequest: (kind) => {
      requests += 1;
      const order = [...WIDTHS].map((width) => ({ width, rank: run.random() })).sort((a, b) => a.rank - b.rank);
      const now = context.clock.now();
      return newRequest(kind, requests, { sources, order: order.slice(0, 3).map(({ width }) => width), now });
    },
    prepare: () => uploadAll(scene, sources),
    submit: async (kind) => {
      const { submission, widths } = scene.newRequest(kind);
      const until = performance.now() + ANSWER_MS_MAX;
      for (let tries = 1; ; tries += 1) {
        try {
          const { jobId, replayed } = await submitPacket(context, actor, submission);
          if (tries > 1 && replayed) run.sometimes("submit: a commit of unknown outcome had gone through");
          return await scene.acknowledge({ jobId, kind, submission, widths });
        } catch (error) {
          if (error instanceof PacketFailure && error.code !== "lane_closed") throw error;
          if (performance.now() > until)
            throw new Error("There was no answer to a submission for a minute.", { cause: error });
          await wait(100);
        }
      }
    },
    acknowledge: async ({ jobId, ...answer }) => {
      const [row] = await sql<{ finish_by: Date; erase_by: Date }>(
        "SELECT finish_by, erase_by FROM jobs WHERE id = $1",
        [jobId],
      );
      if (row === undefined) {
        run.violation("lost", `${jobId}: acknowledged, and there is no row`);
        throw new Error("An acknowledged job has no row.");
      }
      const noted = { jobId, ...answer, finishBy: row.finish_by, eraseBy: row.erase_by };
      acknowledged.push(noted);
      return noted;
    },
    repeat: async ({ jobId, submission }) => {
      const again = await submitPacket(context, actor, submission);
      if (again.jobId !== jobId) run.violation("duplicated", `${jobId}: the same key opened ${again.jobId}`);
    },
    drained: async (msMax) => {
      const ids = acknowledged.map(({ jobId }) => jobId);
      for (const until = performance.now() + msMax; performance.now() < until; await wait(100)) {
        const [row] = await sql<{ count: string }>("SELECT count(*) FROM jobs WHERE id = ANY($1) AND state = ANY($2)", [
          ids,
          OVER,
        ]);
        if (Number(row?.count) === new Set(ids).size) return true;
      }
      return false;
    },
    sql,
    close: async () => {
      await Promise.all(workers.map((worker) => worker.end()));
      await boss.stop({ graceful: false, close: true }).catch(() => undefined);
      await db.close().catch(() => undefined);
    },
  };
  return scene;
}

/** Uploads what the packets bind and waits until a worker has inspected it. */
async function uploadAll(scene: ProcessScene, sources: Map<string, SourceId>): Promise<void> {
  const { context, actor } = scene;
  for (const { name, title, purpose, bytes: make } of uploads(context.clock.now().toISOString().slice(0, 10))) {
    const bytes = await make();
    const stream = (async function* () {
      yield bytes;
    })();
    const about = { declaredBytes: bytes.byteLength, title, purpose, correlationId: "cor-upload" };
    sources.set(name, (await receiveUpload(context, actor, { bytes: stream, ...about })).sourceId);
  }
  for (const until = performance.now() + ANSWER_MS_MAX; ; await wait(50)) {
    const rows = await scene.sql<{ state: string }>("SELECT state FROM sources");
    if (rows.every(({ state }) => state === "accepted")) return;
    if (rows.some(({ state }) => state === "refused") || performance.now() > until)
      throw new Error(
        `Sources were not accepted: ${JSON.stringify(rows)} ${scene.workers[0]?.output.text().slice(-2000)}`,
      );
  }
}

async function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Asks again for a while: whoever looks is not the one that is tested. */
async function patient<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      const isSyntax = error instanceof pg.DatabaseError && /^(42|22|23)/.test(error.code ?? "");
      if (isSyntax || tries >= 200) throw error;
      await wait(100);
    }
  }
}
