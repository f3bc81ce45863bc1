import { join } from "node:path";
import { DISK } from "@/server/adapters/archive/file-calls";
import { FilesystemArchive } from "@/server/adapters/archive/filesystem";
import { systemClock } from "@/server/adapters/clock/system";
import { storageKeys } from "@/server/adapters/encryption/storage-keys";
import { isAttemptLive } from "@/server/db/attempts";
import { type Database, openDatabase } from "@/server/db/client";
import { isInspectionLive } from "@/server/db/sources";
import { holdPresence } from "@/server/db/worker-presence";
import { showWorker } from "@/server/db/workers";
import { PacketFailure } from "@/server/domain/failure";
import {
  type ArtifactKey,
  type JobId,
  type PreviewKey,
  parseId,
  type SourceId,
  type SourceKey,
  type StagedKey,
} from "@/server/domain/ids";
import { LANES, lanesWith } from "@/server/domain/lane";
import type { Env } from "@/server/env";
import { openWorkerQueue, QUEUES } from "@/server/queue/boss";
import { enqueuer } from "@/server/queue/enqueue";
import { openLog } from "@/server/telemetry/log";
import { recordsIn } from "./archive-records";
import { consume, idIn } from "./consume";
import { type InspectionTools, inspectSource } from "./inspect-source";
import { WORKER } from "./journal";
import { eraseExpiredInputs } from "./maintenance/erase-expired-inputs";
import { eraseStagedFiles } from "./maintenance/erase-staged-files";
import { rescueLostAttempts } from "./maintenance/rescue-lost-attempts";
import { sweepWorkspaces } from "./maintenance/sweep-workspaces";
import { readRendererBuild } from "./renderer-build";
import { openRenderers } from "./renderers";
import { repeat } from "./repeat";
import { type AttemptTools, runAttempt } from "./run-attempt";
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
/** Copies that a killed process left half written go after this long. */
const STAGING_AGE_MS = 30 * 60_000;
/** Longer than any lease: a directory younger than this is left alone, whatever its job says. */
const SWEEP_AGE_MS = 15 * 60_000;

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
  for (const lane of LANES) {
    await consume(boss, {
      queue: lane,
      concurrency: lanes[lane].concurrency,
      onError: onBug,
      handle: async (delivery) => {
        const jobId = idIn("job", delivery);
        if (jobId !== null) await track(runAttempt(jobId as JobId, lane, tools));
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

  const startedAt = clock.now();
  const show = () =>
    db.transact(WORKER, (tx) =>
      showWorker(tx, {
        id: options.workerId,
        startedAt,
        lastSeenAt: clock.now(),
        rendererBuild,
        rssBytes: process.memoryUsage.rss(),
        workspaceBytes: workspaceBudget.bytesUsed(),
        running: running.size,
      }),
    );
  await show();
  const stopTasks = [
    repeat(5_000, onBug, show),
    repeat(3_000, onBug, () => rescueLostAttempts(tools)),
    repeat(20_000, onBug, async () => {
      const erased = await eraseExpiredInputs(tools);
      const staged = await eraseStagedFiles(tools);
      const count = erased.previews + erased.sources + erased.payloads + staged.count;
      const failed = erased.failed + staged.failed;
      if (count > 0) log.info({ event: "inputs_erased", count, lagMs: Math.max(erased.lagMsMax, staged.lagMsMax) });
      if (failed > 0) log.error({ event: "inputs_not_erased", count: failed });
    }),
    repeat(60_000, onBug, () =>
      sweepWorkspaces({
        root: env.workspaceDirectory,
        now: clock.now(),
        thresholdMs: SWEEP_AGE_MS,
        isLive: (jobId, attempt) => isLive(db, clock.now(), jobId, attempt),
        log,
      }),
    ),
    repeat(STAGING_AGE_MS, onBug, async () => {
      const before = new Date(clock.now().getTime() - STAGING_AGE_MS);
      for (const store of [archive, previews, sources, staging]) await store.sweepStaging(before);
    }),
  ];

  return {
    drain: async () => {
      for (const stopTask of stopTasks) stopTask();
      // Nothing new; what runs still needs the queue to settle.
      await Promise.all(QUEUES.map((queue) => boss.offWork(queue, { wait: false })));
      const late = AbortSignal.timeout(DRAIN_MS_MAX);
      const overtime = new Promise<void>((resolve) => late.addEventListener("abort", () => resolve(), { once: true }));
      await Promise.race([Promise.allSettled(running), overtime]);
      stopNow.abort(new PacketFailure("renderer_lost", { detail: "the worker stops" }));
      await Promise.allSettled(running);
      await renderers.close();
      await boss.stop({ graceful: false, close: true });
      await presence.close();
      await db.close();
    },
  };
}

/** A directory belongs to an attempt at a job, or to the inspection of an upload. */
function isLive(db: Database, now: Date, id: string, attempt: number): Promise<boolean> {
  return db.transact(WORKER, (tx) => {
    const jobId = parseId("job", id);
    if (jobId !== null) return isAttemptLive(tx, { jobId, attempt }, now);
    const sourceId = parseId("source", id);
    return sourceId === null ? Promise.resolve(false) : isInspectionLive(tx, sourceId, attempt);
  });
}
