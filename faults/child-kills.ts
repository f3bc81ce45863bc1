import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { killGroup, readUsage } from "@/worker/renderer/process-group";
import { judgeAtTheEnd } from "./checker";
import { buildWithFaults } from "./fault-build";
import type { FaultClass } from "./fault-class";
import { KINDS } from "./packets";
import { openProcessScene } from "./process-scene";
import { supplyWork } from "./supply-work";

const LOOK_MS = 30;
const BUSY_MS_MAX = 20_000;

/** SIGKILL of the processes that make and parse pages, in the middle of their work: a transient failure, never a lost packet. [C447] */
export const childKills: FaultClass = {
  name: "child-kill",
  ciCount: 30,
  campaignCount: 300,
  mustHit: ["an attempt lost its child and was made again"],
  run: async (run) => {
    const build = await buildWithFaults(`child-${process.pid}`);
    const database = await run.newDatabase();
    const scene = await openProcessScene(run, { build, url: database.url });
    try {
      const worker = await scene.startWorker({ host: "one" });
      await scene.prepare();
      const supply = supplyWork(scene, KINDS);
      for (let faults = 0; faults < run.count && !run.signal.aborted; ) {
        await wait(run.random() * 300);
        const busy = await busyChild(worker.pid);
        if (busy === null) {
          run.violation("unexpected", "no child of the worker had anything to do");
          break;
        }
        killGroup(busy);
        faults += 1;
        run.record("kill of a child");
      }
      await supply.end();
      await judgeAtTheEnd(scene, { seen: new Set() });
      const [again] = await scene.sql<{ count: string }>(
        "SELECT count(*) FROM jobs WHERE state = 'completed' AND first_failure_code = 'renderer_lost'",
      );
      const count = Number(again?.count);
      if (count > 0) run.sometimes("an attempt lost its child and was made again");
      run.recovered(count);
    } finally {
      await scene.close();
      await database.drop();
      await build.remove();
    }
  },
};

/** Returns a child that is computing, or null where none is for a while. */
async function busyChild(worker: number): Promise<number | null> {
  for (const until = performance.now() + BUSY_MS_MAX; performance.now() < until; ) {
    const before = new Map(childrenOf(worker).map((pid) => [pid, readUsage(pid)?.cpuMs ?? 0]));
    await wait(LOOK_MS);
    for (const [pid, cpuMs] of before) if ((readUsage(pid)?.cpuMs ?? 0) > cpuMs) return pid;
  }
  return null;
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
