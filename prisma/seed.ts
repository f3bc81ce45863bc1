import { mkdir } from "node:fs/promises";
import { DISK } from "@/server/adapters/archive/file-calls";
import { FilesystemArchive } from "@/server/adapters/archive/filesystem";
import { systemClock } from "@/server/adapters/clock/system";
import { storageKeys } from "@/server/adapters/encryption/storage-keys";
import { openDatabase } from "@/server/db/client";
import type { SourceKey } from "@/server/domain/ids";
import { type Env, readEnv } from "@/server/env";
import { openLog } from "@/server/telemetry/log";
import { openWeb } from "@/server/wiring";
import { inspectSource } from "@/worker/inspect-source";
import { openRenderers } from "@/worker/renderers";
import { createWorkspaceBudget } from "@/worker/workspace";
import { type Inspect, SIGN_INS, seedDemo } from "./demo";

// On an empty database: the demonstration's tenants, people, documents and one typical packet of each kind, submitted like any other.
// The last line of the output is what `npm start` tells about signing in.

process.stdout.write(`${JSON.stringify({ signIns: await seed(readEnv()) })}\n`);

async function seed(settings: Env): Promise<readonly { who: string; email: string; password: string }[]> {
  const web = await openWeb({ ...settings, logLevel: "silent" });
  try {
    await seedDemo(web, (work) => withInspections(settings, work));
    return SIGN_INS;
  } finally {
    await web.close();
  }
}

async function withInspections(settings: Env, work: (inspect: Inspect) => Promise<void>): Promise<void> {
  await mkdir(settings.workspaceDirectory, { recursive: true, mode: 0o700 });
  const db = openDatabase({ url: settings.databaseUrl, role: "bindery_worker", connectionsMax: 2 });
  const renderers = openRenderers({
    childPath: settings.childPath,
    directory: settings.workspaceDirectory,
    size: 2,
    clock: systemClock,
  });
  const tools = {
    db,
    clock: systemClock,
    renderers,
    sources: new FilesystemArchive<SourceKey>(settings.sourceDirectory, DISK, storageKeys(settings.storageKeys)),
    log: openLog("silent"),
    workspaceDirectory: settings.workspaceDirectory,
    workspaceBudget: createWorkspaceBudget({ root: settings.workspaceDirectory, bytesMax: settings.workspaceBytesMax }),
    sourceBytesMax: settings.uploadBytesMax,
    stop: new AbortController().signal,
  };
  try {
    await work((sourceId) => inspectSource(sourceId, tools));
  } finally {
    await renderers.close();
    await db.close();
  }
}
