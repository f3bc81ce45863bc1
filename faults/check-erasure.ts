import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { manualClock } from "@/server/adapters/clock/manual";
import { systemClock } from "@/server/adapters/clock/system";
import { isAttemptLive } from "@/server/db/attempts";
import { type Database, openDatabase } from "@/server/db/client";
import { parseId } from "@/server/domain/ids";
import type { Log } from "@/server/telemetry/log";
import { WORKER } from "@/worker/journal";
import { eraseExpiredInputs } from "@/worker/maintenance/erase-expired-inputs";
import { eraseStagedFiles } from "@/worker/maintenance/erase-staged-files";
import { sweepWorkspaces } from "@/worker/maintenance/sweep-workspaces";
import type { ProcessScene } from "./process-scene";

const QUIET: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Sweeps every host's root as its workers do, only sooner; what is left then belongs to nobody. [C462] */
export async function sweepRoots(scene: ProcessScene): Promise<void> {
  const { run, roots } = scene;
  const db = openDatabase({ url: scene.url(), role: "bindery_worker", connectionsMax: 2 });
  try {
    for (const root of roots) {
      const { swept } = await sweep(db, root);
      if (swept > 0) run.sometimes("an abandoned directory was swept");
      // An attempt that has just settled its job is about to remove its directory itself.
      for (let tries = 1; (await leftIn(root)).length > 0 && tries < 20; tries += 1) {
        await wait(100);
        await sweep(db, root);
      }
      for (const name of await leftIn(root)) run.violation("overdue", `a directory outlived the sweep: ${name}`);
    }
    const { stores, root } = scene.host;
    for (const name of ["archive", "previews", "sources", "staging"] as const) {
      await stores[name].sweepStaging(new Date(systemClock.now().getTime() + 60_000));
      const parts = await readdir(join(root, name, "staging")).catch(() => []);
      if (parts.length > 0) run.violation("overdue", `${name} keeps ${parts.length} half-written files`);
    }
  } finally {
    await db.close();
  }
}

function sweep(db: Database, root: string) {
  return sweepWorkspaces({
    root,
    now: systemClock.now(),
    // Not none: what is only being opened is left alone.
    thresholdMs: 1,
    isLive: async (id, attempt) => {
      const jobId = parseId("job", id);
      return (
        jobId !== null && (await db.transact(WORKER, (tx) => isAttemptLive(tx, { jobId, attempt }, systemClock.now())))
      );
    },
    log: QUIET,
  });
}

/** Names of attempts' directories; children stand in folders of the pool's own beside them. */
async function leftIn(root: string): Promise<string[]> {
  const names = await readdir(root).catch(() => []);
  return names.filter((name) => /^[0-9a-f]{32}$/.test(name));
}

/** On the last day of what was accepted, the clock moved there: inputs and what stages left are gone, rows and bytes. [C465] */
export async function checkErasure(scene: ProcessScene): Promise<void> {
  const { run, sql, host } = scene;
  const [last] = await sql<{ at: Date | null }>(
    `SELECT max(at) AS at FROM (SELECT max(erase_by) AS at FROM jobs UNION SELECT max(erase_by) FROM payloads
       UNION SELECT max(erase_by) FROM sources UNION SELECT max(erase_by) FROM staged_files) t`,
  );
  if (last?.at == null) return;
  const db = openDatabase({ url: scene.url(), role: "bindery_worker", connectionsMax: 2 });
  const clock = manualClock(new Date(last.at.getTime() + 1));
  try {
    for (let rounds = 0; rounds < 50; rounds += 1) {
      const erased = await eraseExpiredInputs({ db, clock, ...host.stores });
      const { lagMsMax: _lag, failed: _failed, ...counts } = erased;
      const staged = await eraseStagedFiles({ db, clock, staging: host.stores.staging });
      if (staged.count === 0 && Object.values(counts).every((count) => count === 0)) break;
    }
  } finally {
    await db.close();
  }
  const [left] = await sql<{ payloads: string; sources: string; staged: string }>(
    `SELECT (SELECT count(*) FROM payloads WHERE erase_by <= $1) AS payloads,
       (SELECT count(*) FROM sources WHERE erased_at IS NULL AND erase_by <= $1) AS sources,
       (SELECT count(*) FROM staged_files WHERE erased_at IS NULL AND erase_by <= $1) AS staged`,
    [clock.now()],
  );
  for (const [what, count] of Object.entries(left ?? {})) {
    if (Number(count) > 0) run.violation("overdue", `${count} ${what} are left after their last day`);
  }
  for (const store of ["sources", "staging"]) {
    const files = await filesIn(join(host.root, store));
    if (files > 0) run.violation("overdue", `${files} files are left in ${store} after their last day`);
  }
}

async function filesIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const found = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => null)));
  return found.filter((entry) => entry?.isFile()).length;
}
