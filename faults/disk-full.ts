import { mkdir, open, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { judge, judgeAtTheEnd } from "./checker";
import { exitCodeOf } from "./exit-code";
import { buildWithFaults } from "./fault-build";
import { type FaultClass, NotRun } from "./fault-class";
import { KINDS } from "./packets";
import { openProcessScene } from "./process-scene";
import { dealt } from "./shuffled";
import { supplyWork } from "./supply-work";

const DISKS = ["workspace", "staging", "archive"] as const;
type DiskName = (typeof DISKS)[number];

const MEBIBYTE = 1024 * 1024;
/** An attempt is not begun where less than its share is left: the workspaces need more. */
const SIZE_MIB: Readonly<Record<DiskName, number>> = { workspace: 384, staging: 48, archive: 48 };
/** Said by a worker that could not write, or looked at what was left before it began. */
const SIGNS: Readonly<Record<DiskName, (line: Readonly<Record<string, unknown>>) => boolean>> = {
  workspace: ({ code }) => code === "workspace_full" || code === "workspace_failed" || code === "storage_unavailable",
  staging: ({ event }) => event === "output_not_staged",
  archive: ({ code }) => code === "storage_unavailable",
};
const SIGN_MS_MAX = 12_000;

/**
 * The disk fills under the workspaces, under what stages leave, and under the archive, each a small file system of its own: a transient
 * failure, nothing half written, and work goes on once there is room. [C461]
 */
export const diskFull: FaultClass = {
  name: "disk-full",
  ciCount: 8,
  campaignCount: 120,
  mustHit: DISKS.map((disk) => `no room: ${disk}`),
  run: async (run) => {
    const dataDirectory = join(run.directory, "data");
    const places: Record<DiskName, string> = {
      workspace: join(run.directory, "temporary-small"),
      staging: join(dataDirectory, "staging"),
      archive: join(dataDirectory, "archive"),
    };
    const mounted: string[] = [];
    const build = await buildWithFaults(`disk-${process.pid}`);
    const database = await run.newDatabase();
    try {
      for (const disk of DISKS) {
        await mount(places[disk], SIZE_MIB[disk]);
        mounted.push(places[disk]);
      }
      const scene = await openProcessScene(run, { build, url: database.url, dataDirectory });
      try {
        const { output } = await scene.startWorker({ workspaceDirectory: places.workspace });
        await scene.prepare();
        const seen = new Set<string>();
        for (const disk of dealt(run.random, DISKS, run.count)) {
          if (run.signal.aborted) break;
          const supply = supplyWork(scene, KINDS);
          const sign = new Promise<boolean>((resolve) => {
            output.onLine((line) => SIGNS[disk](line) && resolve(true));
          });
          await wait(200 + run.random() * 500);
          const filler = await fill(places[disk], run.random() * 24);
          const isSeen = await Promise.race([sign, wait(SIGN_MS_MAX).then(() => false)]);
          await rm(filler, { force: true });
          if (isSeen) {
            run.record(`disk full: ${disk}`);
            run.sometimes(`no room: ${disk}`);
          }
          await supply.end();
          await judge(scene, { seen });
          run.recovered();
        }
        await judgeAtTheEnd(scene, { seen });
      } finally {
        await scene.close();
      }
    } finally {
      for (const place of mounted) await exitCodeOf("umount", ["--lazy", place]);
      await database.drop();
      await build.remove();
    }
  },
};

/** Throws a NotRun where this machine does not let us. */
async function mount(place: string, sizeMib: number): Promise<void> {
  await mkdir(place, { recursive: true, mode: 0o700 });
  const options = `size=${sizeMib}m,mode=0700`;
  if ((await exitCodeOf("mount", ["-t", "tmpfs", "-o", options, "bindery-faults", place])) !== 0) {
    throw new NotRun("a small file system cannot be mounted here: it takes root, or a namespace of mounts");
  }
}

/** Fills the file system but for so many KiB, and returns the file that takes the room. */
async function fill(place: string, leftKib: number): Promise<string> {
  const path = join(place, "filler");
  const file = await open(path, "w", 0o600);
  const block = Buffer.alloc(4096);
  try {
    for (;;) {
      const { bavail, bsize } = await statfs(place);
      const room = bavail * bsize - leftKib * 1024;
      if (room < block.length) return path;
      await file.write(Buffer.alloc(Math.min(MEBIBYTE, room)));
    }
  } catch {
    // Others wrote at the same moment: it is full.
    return path;
  } finally {
    await file.close().catch(() => undefined);
  }
}
