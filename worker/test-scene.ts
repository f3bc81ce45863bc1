import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import type { PersonActor, Reach } from "@/server/domain/access";
import type { ArtifactKey, TenantId } from "@/server/domain/ids";
import { addPerson, addTenant, openTestContext, type TestContext } from "@/server/services/test-context";
import { bundleForTests, type TestBundle } from "./test-bundle";
import type { Scene } from "./test-packets";
import {
  openHostBeside,
  openTestHost,
  openTestWorker,
  type TestHost,
  type TestWorker,
  type WorkerTools,
} from "./test-worker";

export interface ArtifactRow {
  readonly archive_key: ArtifactKey;
  readonly digest: string;
  readonly bytes: string;
  readonly pages: number;
  readonly attempt: number;
  readonly page_map: readonly {
    readonly position: number;
    readonly from: number;
    readonly to: number;
    readonly digest: string | null;
    readonly disclosures: readonly string[];
  }[];
  readonly [column: string]: unknown;
}

/** Both sides of the product on one database and one host, with a coordinator who submits. */
export interface TestScene extends Scene {
  readonly databaseUrl: string;
  readonly bundle: TestBundle;
  readonly host: TestHost;
  readonly context: TestContext;
  readonly worker: TestWorker;
  readonly actor: PersonActor & { tenantId: TenantId; reach: Reach };
  /** Returns another worker on the same host, with children of its own. */
  secondWorker(): Promise<TestWorker>;
  /** Returns a worker on another host, which shares nothing with the first but the database and the stores. */
  workerElsewhere(): Promise<{ readonly host: TestHost; readonly worker: TestWorker }>;
  /** Tools whose children are asked by way of `around`. */
  asking(around: (ask: Asked) => Promise<unknown>): Partial<WorkerTools>;
  artifactsOf(jobId: string): Promise<ArtifactRow[]>;
  /** Returns the job's artifact; throws where there is none, or more than one. */
  artifactOf(jobId: string): Promise<ArtifactRow>;
  archivedBytes(jobId: string): Promise<Buffer>;
  /** Returns what nobody expected so far, and forgets it: a test that does not take it fails for it. */
  takeBugs(): unknown[];
}

export interface Asked {
  readonly op: string;
  readonly path: string | undefined;
  readonly outputPath: string | undefined;
  run(): Promise<unknown>;
}

/**
 * Registers the hooks that set the scene for the calling test file. After each test no directory and no bug may be left. `startAt` is the
 * manual clock's first instant, where the test's own day will not do.
 */
export function testScene({ startAt }: { readonly startAt?: Date } = {}): TestScene {
  const database = testDatabase();
  let stage: Omit<TestScene, keyof ReturnType<typeof looksAt>> | undefined;
  let second: TestWorker | undefined;
  let elsewhere: { host: TestHost; worker: TestWorker } | undefined;

  beforeAll(async () => {
    const bundle = await bundleForTests();
    const host = await openTestHost();
    const context = await openTestContext(database.url, host.stores, startAt);
    const open = (workerId: string, on = host) =>
      openTestWorker({
        databaseUrl: database.url,
        host: on,
        childPath: bundle.childPath,
        clock: context.clock,
        workerId,
      });
    const worker = await open("wrk_1");
    const secondWorker = async () => {
      second ??= await open("wrk_2");
      return second;
    };
    const workerElsewhere = async () => {
      const beside = elsewhere?.host ?? (await openHostBeside(host));
      elsewhere ??= { host: beside, worker: await open("wrk_elsewhere", beside) };
      return elsewhere;
    };
    const actor = await addPerson(context, await addTenant(context));
    stage = { databaseUrl: database.url, bundle, host, context, worker, actor, secondWorker, workerElsewhere };
  });
  afterAll(async () => {
    if (stage === undefined) return;
    await second?.close();
    await elsewhere?.worker.close();
    await elsewhere?.host.remove();
    await stage.worker.close();
    await stage.context.close();
    await stage.host.remove();
    await stage.bundle.remove();
  });
  beforeEach(async () => {
    // What an earlier test left waiting would close the lane.
    await set().context.sql("UPDATE jobs SET state = 'cancelled' WHERE state IN ('queued', 'retry_wait')");
    set().worker.asked.length = 0;
    set().worker.lines.length = 0;
    if (second !== undefined) second.asked.length = 0;
    if (elsewhere !== undefined) elsewhere.worker.asked.length = 0;
  });
  afterEach(async () => {
    const { worker, host } = set();
    expect(worker.bugs.splice(0)).toEqual([]);
    expect(await host.leftovers()).toEqual([]);
    if (elsewhere === undefined) return;
    expect(elsewhere.worker.bugs.splice(0)).toEqual([]);
    expect(await elsewhere.host.leftovers()).toEqual([]);
  });

  function set() {
    if (stage === undefined) throw new Error("The scene is set only within hooks and tests.");
    return stage;
  }
  return {
    get databaseUrl() {
      return set().databaseUrl;
    },
    get bundle() {
      return set().bundle;
    },
    get host() {
      return set().host;
    },
    get context() {
      return set().context;
    },
    get worker() {
      return set().worker;
    },
    get actor() {
      return set().actor;
    },
    secondWorker: () => set().secondWorker(),
    workerElsewhere: () => set().workerElsewhere(),
    ...looksAt(set),
  };
}

function looksAt(set: () => { worker: TestWorker; context: TestContext; host: TestHost }) {
  const artifactsOf: TestScene["artifactsOf"] = (jobId) =>
    set().context.sql<ArtifactRow>("SELECT * FROM artifacts WHERE job_id = $1", [jobId]);
  const artifactOf: TestScene["artifactOf"] = async (jobId) => {
    const [artifact, ...others] = await artifactsOf(jobId);
    if (artifact === undefined || others.length > 0) throw new RangeError("There is not exactly one artifact.");
    return artifact;
  };
  const asking: TestScene["asking"] = (around) => ({
    renderers: {
      ask: async (op, request, setting) => {
        const { renderers } = set().worker.tools;
        const path = "path" in request ? request.path : undefined;
        const outputPath = "outputPath" in request ? request.outputPath : undefined;
        const answer = around({ op, path, outputPath, run: () => renderers.ask(op, request, setting) });
        return answer as ReturnType<typeof renderers.ask<typeof op>>;
      },
    },
  });
  return {
    artifactsOf,
    artifactOf,
    asking,
    archivedBytes: async (jobId: string) => {
      const stream = await set().host.stores.archive.open((await artifactOf(jobId)).archive_key);
      return Buffer.from(await new Response(stream).arrayBuffer());
    },
    takeBugs: () => set().worker.bugs.splice(0),
  };
}
