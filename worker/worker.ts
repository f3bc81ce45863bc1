import { join } from "node:path";
import { DISK } from "@/server/adapters/archive/file-calls";
import { FilesystemArchive } from "@/server/adapters/archive/filesystem";
import { systemClock } from "@/server/adapters/clock/system";
import { storageKeys } from "@/server/adapters/encryption/storage-keys";
import { openDatabase } from "@/server/db/client";
import { holdPresence } from "@/server/db/worker-presence";
import { showWorker } from "@/server/db/workers";
import { PacketFailure } from "@/server/domain/failure";
import type { ArtifactKey, JobId, PreviewKey, SourceId, SourceKey, StagedKey } from "@/server/domain/ids";
import { LANES, lanesWith } from "@/server/domain/lane";
import type { Env } from "@/server/env";
import { openWorkerQueue, QUEUES } from "@/server/queue/boss";
import { enqueuer } from "@/server/queue/enqueue";
import { openLog } from "@/server/telemetry/log";
import { recordsIn } from "./archive-records";
import { consume, idIn } from "./consume";
import { type InspectionTools, inspectSource } from "./inspect-source";
import { WORKER } from "./journal";
import { startMaintenance } from "./maintenance/schedule";
import { readRendererBuild } from "./renderer-build";
import { openRenderers } from "./renderers";
import { repeat } from "./repeat";
import { type AttemptTools, runNext } from "./run-attempt";
import { createWorkspaceBudget } from "./workspace";

export interface WorkerOptions {
  readonly workerId: string;
  onArchived(kind: string, pages: number): void;
}

export interface Worker {
  /** Takes nothing new, lets what runs finish for a while, then stops it, and closes everything. */
  drain(): Promise<void>;
}

const INSPECTIONS_AT_ONCE = 2;
const DRAIN_MS_MAX = 20_000;

/** Puts the worker process together and starts it: lanes, inspections and maintenance. */
export async function openWorker(env: Env, options: WorkerOptions): Promise<Worker> {
  const log = openLog(env.logLevel);
  const clock = systemClock;
  // Refuses a lease that its renderer's deadline would outlast, before anything is claimed.
  const lanes = lanesWith(env.laneChanges);
  // Lanes hold at most this many attempts at once, so that a preview never waits for an archive copy.
  const children = LANES.reduce((sum, lane) => sum + lanes[lane].concurrency, 0);
  const db = openDatabase({ url: env.databaseUrl, role: "bindery_worker", connectionsMax: 8 });
  const boss = await openWorkerQueue(env.databaseUrl, () => log.warn({ event: "queue_connection_lost" }));
  const enqueue = enqueuer(boss);
  // Before anything is claimed: a lease of ours is worth something only while we can be seen.
  const presence = await holdPresence(env.databaseUrl, options.workerId);
  const rendererBuild = await readRendererBuild(env.childPath);
  const renderers = openRenderers({
    childPath: env.childPath,
    directory: env.workspaceDirectory,
    size: children,
    clock,
  });
  const stopNow = new AbortController();
  const workspaceBudget = createWorkspaceBudget({ root: env.workspaceDirectory, bytesMax: env.workspaceBytesMax });
  const encryption = storageKeys(env.storageKeys);
  const archive = new FilesystemArchive<ArtifactKey>(env.archiveDirectory, DISK, encryption);
  const previews = new FilesystemArchive<PreviewKey>(env.previewDirectory, DISK, encryption);
  const staging = new FilesystemArchive<StagedKey>(env.stagingDirectory, DISK, encryption);
  const sources = new FilesystemArchive<SourceKey>(env.sourceDirectory, DISK, encryption);
  const onBug = (error: unknown) => {
    const name = error instanceof Error ? error.name : typeof error;
    log.error({ event: "unexpected", code: name });
  };
  const tools: AttemptTools & InspectionTools = {
    db,
    clock,
    enqueue,
    log,
    renderers,
    sources,
    archive,
    previews,
    staging,
    stageMsMin: env.stageMsMin,
    records: recordsIn(join(env.archiveDirectory, "records")),
    rendererBuild,
    workerId: options.workerId,
    lanes,
    workspaceDirectory: env.workspaceDirectory,
    workspaceBudget,
    packetBytesMax: env.packetBytesMax,
    sourceBytesMax: env.uploadBytesMax,
    retention: env.retention,
    previewMsMax: env.previewMsMax,
    stop: stopNow.signal,
    random: Math.random,
    onArchived: options.onArchived,
    onBug,
  };

  const running = new Set<Promise<void>>();
  const track = (work: Promise<void>): Promise<void> => {
    running.add(work);
    return work.finally(() => running.delete(work));
  };
  const startedAt = clock.now();
  const show = async () => {
    const hasRoom = await workspaceBudget.hasRoom();
    await db.transact(WORKER, (tx) =>
      showWorker(tx, {
        id: options.workerId,
        startedAt,
        lastSeenAt: clock.now(),
        rendererBuild,
        rssBytes: process.memoryUsage.rss(),
        workspaceBytes: workspaceBudget.bytesUsed(),
        hasRoom,
        running: running.size,
      }),
    );
  };
  // Before it takes anything: whoever holds a job can be seen.
  await show();
  for (const lane of LANES) {
    await consume(boss, {
      queue: lane,
      concurrency: lanes[lane].concurrency,
      onError: onBug,
      handle: async (delivery) => {
        // A delivery is a wake-up call: the job it names, or one that has waited longer for its tenant's turn.
        const jobId = idIn("job", delivery);
        if (jobId !== null) await track(runNext(jobId as JobId, lane, tools));
      },
    });
  }
  await consume(boss, {
    queue: "inspection",
    concurrency: INSPECTIONS_AT_ONCE,
    onError: onBug,
    handle: async (delivery) => {
      const sourceId = idIn("source", delivery);
      if (sourceId !== null) await track(inspectSource(sourceId as SourceId, tools));
    },
  });
  const stopShowing = repeat(5_000, onBug, show);
  const maintenance = startMaintenance({ ...tools, stores: [archive, previews, sources, staging] });

  return {
    drain: async () => {
      stopShowing();
      maintenance.stop();
      // Nothing new; what runs still needs the queue to settle.
      await Promise.all(QUEUES.map((queue) => boss.offWork(queue, { wait: false })));
      const late = AbortSignal.timeout(DRAIN_MS_MAX);
      const overtime = new Promise<void>((resolve) => late.addEventListener("abort", () => resolve(), { once: true }));
      await Promise.race([Promise.allSettled(running), overtime]);
      stopNow.abort(new PacketFailure("renderer_lost", { detail: "the worker stops" }));
      await Promise.allSettled([...running, maintenance.firstSweep]);
      await renderers.close();
      await boss.stop({ graceful: false, close: true });
      await presence.close();
      await db.close();
    },
  };
}
