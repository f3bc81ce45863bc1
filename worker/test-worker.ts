import { chmod, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DISK } from "@/server/adapters/archive/file-calls";
import { FilesystemArchive } from "@/server/adapters/archive/filesystem";
import { systemClock } from "@/server/adapters/clock/system";
import { testEncryption } from "@/server/adapters/encryption/test-encryption";
import { openDatabase } from "@/server/db/client";
import type { ArtifactKey, JobId, PreviewKey, SourceId, SourceKey, StagedKey } from "@/server/domain/ids";
import { LANE, type LaneName } from "@/server/domain/lane";
import type { Clock } from "@/server/ports/clock";
import { openSender } from "@/server/queue/boss";
import { enqueuer } from "@/server/queue/enqueue";
import { openLog } from "@/server/telemetry/log";
import { recordsIn } from "./archive-records";
import { type InspectionTools, inspectSource } from "./inspect-source";
import type { Operation } from "./renderer/requests";
import { readRendererBuild } from "./renderer-build";
import { openRenderers } from "./renderers";
import { type AttemptTools, runAttempt } from "./run-attempt";
import { createWorkspaceBudget } from "./workspace";

export type WorkerTools = AttemptTools & InspectionTools;

/** Where one host keeps what: archives and workspaces in a directory of the test's own. */
export interface TestHost {
  readonly root: string;
  readonly workspaces: string;
  readonly records: string;
  readonly stores: {
    readonly archive: FilesystemArchive<ArtifactKey>;
    readonly previews: FilesystemArchive<PreviewKey>;
    readonly sources: FilesystemArchive<SourceKey>;
    readonly staging: FilesystemArchive<StagedKey>;
  };
  /** Names of the directories that attempts have left; none while nothing runs. */
  leftovers(): Promise<string[]>;
  remove(): Promise<void>;
}

/** Makes a directory for a host, or opens the one at `root`; its attempts may work in another place than beside its stores. */
export async function openTestHost(
  root?: string,
  { workspaces: elsewhere }: { readonly workspaces?: string } = {},
): Promise<TestHost> {
  const place = root ?? (await mkdtemp(join(tmpdir(), "bindery-host-")));
  const workspaces = elsewhere ?? join(place, "workspaces");
  await mkdir(workspaces, { recursive: true, mode: 0o700 });
  await chmod(workspaces, 0o700);
  return {
    root: place,
    workspaces,
    records: join(place, "records"),
    stores: {
      archive: new FilesystemArchive<ArtifactKey>(join(place, "archive"), DISK, testEncryption),
      previews: new FilesystemArchive<PreviewKey>(join(place, "previews"), DISK, testEncryption),
      staging: new FilesystemArchive<StagedKey>(join(place, "staging"), DISK, testEncryption),
      sources: new FilesystemArchive<SourceKey>(join(place, "sources"), DISK, testEncryption),
    },
    leftovers: () => readdir(workspaces),
    remove: () => rm(place, { recursive: true, force: true }),
  };
}

/** Makes another host: a directory for attempts of its own, which knows nothing of this one's but the stores that both share. */
export async function openHostBeside(host: TestHost): Promise<TestHost> {
  const workspaces = await mkdtemp(join(tmpdir(), "bindery-elsewhere-"));
  const beside = await openTestHost(host.root, { workspaces });
  return { ...beside, remove: () => rm(workspaces, { recursive: true, force: true }) };
}

/** A worker's tools on a real database with real children; what is missing of the worker is the queue's loop: tests deliver. */
export interface TestWorker {
  readonly tools: WorkerTools;
  /** Operations that children were asked for, in order. */
  readonly asked: Operation[];
  /** What was logged, one object per line. */
  readonly lines: Record<string, unknown>[];
  /** What nobody expected. */
  readonly bugs: unknown[];
  /** Delivers a job, as the queue would; `changes` are tools that differ this once. */
  deliver(jobId: JobId, changes?: Partial<WorkerTools>, lane?: LaneName): Promise<void>;
  inspect(sourceId: SourceId): Promise<void>;
  close(): Promise<void>;
}

/** Opens a worker on this host. Two of them are two workers: ids and children of their own. */
export async function openTestWorker(setup: {
  readonly databaseUrl: string;
  readonly host: TestHost;
  readonly childPath: string;
  readonly clock: Clock;
  readonly workerId?: string;
}): Promise<TestWorker> {
  const { host, clock, childPath, workerId = "wrk_1" } = setup;
  const db = openDatabase({ url: setup.databaseUrl, role: "bindery_worker", connectionsMax: 6 });
  const boss = await openSender(setup.databaseUrl, () => undefined);
  const pools = openRenderers({ childPath, directory: host.workspaces, size: 2, clock: systemClock });
  const asked: Operation[] = [];
  const lines: Record<string, unknown>[] = [];
  const bugs: unknown[] = [];
  const tools: WorkerTools = {
    ...host.stores,
    db,
    clock,
    enqueue: enqueuer(boss),
    log: openLog("info", { write: (line) => lines.push(JSON.parse(line)) }),
    renderers: {
      ask: (op, request, setting) => {
        asked.push(op);
        return pools.ask(op, request, setting);
      },
    },
    records: recordsIn(host.records),
    rendererBuild: await readRendererBuild(childPath),
    workerId,
    lanes: LANE,
    stageMsMin: 2_000,
    workspaceDirectory: host.workspaces,
    workspaceBudget: createWorkspaceBudget({ root: host.workspaces, bytesMax: 1024 ** 3 }),
    packetBytesMax: 64 * 1024 * 1024,
    sourceBytesMax: 8 * 1024 * 1024,
    retention: {},
    previewMsMax: 15 * 60_000,
    stop: new AbortController().signal,
    random: () => 0.5,
    onArchived: () => undefined,
    onBug: (error) => bugs.push(error),
  };
  return {
    tools,
    asked,
    lines,
    bugs,
    deliver: (jobId, changes = {}, lane = "archive") => runAttempt(jobId, lane, { ...tools, ...changes }),
    inspect: (sourceId) => inspectSource(sourceId, tools),
    close: async () => {
      await pools.close();
      await boss.stop({ graceful: false, close: true });
      await db.close();
    },
  };
}

/** Returns `target` with these methods in place of its own. */
export function replacing<Target extends object>(target: Target, methods: Partial<Target>): Target {
  return new Proxy(target, {
    get(_, property) {
      const own: unknown = Reflect.get(methods, property);
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(target, property);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
