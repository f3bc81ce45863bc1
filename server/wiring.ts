import { storageKeys } from "@/server/adapters/encryption/storage-keys";
import { openDatabase } from "@/server/db/client";
import type { Actor } from "@/server/domain/access";
import type { ArtifactKey, PreviewKey, SourceKey } from "@/server/domain/ids";
import { lanesWith } from "@/server/domain/lane";
import { DISK } from "./adapters/archive/file-calls";
import { FilesystemArchive } from "./adapters/archive/filesystem";
import { systemClock } from "./adapters/clock/system";
import type { Env } from "./env";
import { openSender } from "./queue/boss";
import { bulkEnqueuer, enqueuer } from "./queue/enqueue";
import type { Context } from "./services/context";
import { sweepIncoming } from "./services/sources/sweep-incoming";
import { type Log, openLog } from "./telemetry/log";

export interface Web extends Context {
  readonly log: Log;
  /** The address people use. Links are made from it and from nothing a request says. */
  readonly baseUrl: string;
  /** Rejects where the database does not answer. */
  isReady(): Promise<void>;
  close(): Promise<void>;
}

const UPLOAD_MS_MAX = 3_600_000;
const PROBE: Actor = { type: "system", name: "sign-in" };

/** Puts the web process together: adapters, database, queue. The only place that chooses them. */
export async function openWeb(env: Env): Promise<Web> {
  const log = openLog(env.logLevel);
  const db = openDatabase({ url: env.databaseUrl, role: "bindery_web", connectionsMax: 10 });
  // An upload takes minutes, not hours: what is older was left by a process that died.
  await sweepIncoming(env.incomingDirectory, new Date(systemClock.now().getTime() - UPLOAD_MS_MAX));
  const encryption = storageKeys(env.storageKeys);
  const boss = await openSender(env.databaseUrl, () => log.warn({ event: "queue_connection_lost" }));
  return {
    db,
    log,
    baseUrl: env.baseUrl,
    enqueue: enqueuer(boss),
    enqueueMany: bulkEnqueuer(boss),
    clock: systemClock,
    archive: new FilesystemArchive<ArtifactKey>(env.archiveDirectory, DISK, encryption),
    previews: new FilesystemArchive<PreviewKey>(env.previewDirectory, DISK, encryption),
    sources: new FilesystemArchive<SourceKey>(env.sourceDirectory, DISK, encryption),
    lanes: lanesWith(env.laneChanges),
    incomingDirectory: env.incomingDirectory,
    uploadBytesMax: env.uploadBytesMax,
    linkKeys: env.linkKeys,
    linkMsMax: env.linkMsMax,
    isReady: () => db.transact(PROBE, async () => undefined),
    close: async () => {
      await boss.stop({ graceful: false, close: true });
      await db.close();
    },
  };
}
