import { setTimeout as wait } from "node:timers/promises";
import { judge, judgeAtTheEnd } from "./checker";
import { buildWithFaults } from "./fault-build";
import type { FaultClass } from "./fault-class";
import { KINDS } from "./packets";
import { openProcessScene, type ProcessScene } from "./process-scene";
import { supplyWork } from "./supply-work";
import type { WorkerProcess } from "./worker-process";

const BETWEEN_MS = 20_000;
const CYCLE = 9;
const SHARE_MIN = 0.7;

/** One of two workers after the other is asked to end and started again, every twenty seconds: work flows on at seven tenths of its pace. */
export const rollingRestart: FaultClass = {
  name: "rolling-restart",
  ciCount: 0,
  campaignCount: 180,
  mustHit: ["a worker was asked to end and another went on"],
  run: async (run) => {
    const build = await buildWithFaults(`rolling-${process.pid}`);
    const database = await run.newDatabase();
    const scene = await openProcessScene(run, { build, url: database.url });
    try {
      const hosts = ["one", "two"];
      const workers: WorkerProcess[] = [];
      for (const host of hosts) workers.push(await scene.startWorker({ host }));
      await scene.prepare();
      const seen = new Set<string>();
      // What two workers do when nobody disturbs them.
      const undisturbed = await pace(scene, () => wait(BETWEEN_MS));
      for (let restarts = 0; restarts < run.count && !run.signal.aborted; ) {
        const disturbed = await pace(scene, async () => {
          for (let turn = 0; turn < CYCLE && restarts < run.count && !run.signal.aborted; turn += 1) {
            const index = Math.floor(run.random() * workers.length);
            await workers[index]?.end("SIGTERM");
            workers[index] = await scene.startWorker({ host: hosts[index] ?? "one" });
            restarts += 1;
            run.record("restart of a worker");
            run.sometimes("a worker was asked to end and another went on");
            await wait(BETWEEN_MS);
          }
        });
        if (disturbed < SHARE_MIN * undisturbed) {
          run.violation("unexpected", `${disturbed.toFixed(2)} packets a second instead of ${undisturbed.toFixed(2)}`);
        }
        await judge(scene, { seen });
        run.recovered();
      }
      await judgeAtTheEnd(scene, { seen });
    } finally {
      await scene.close();
      await database.drop();
      await build.remove();
    }
  },
};

/** Returns how many packets a second were made while `work` ran. */
async function pace(scene: ProcessScene, work: () => Promise<unknown>): Promise<number> {
  const done = async () =>
    Number((await scene.sql<{ count: string }>("SELECT count(*) FROM jobs WHERE state = 'completed'"))[0]?.count);
  const supply = supplyWork(scene, KINDS, 8);
  const before = await done();
  const from = performance.now();
  await work();
  const packets = (await done()) - before;
  const seconds = (performance.now() - from) / 1_000;
  await supply.end();
  return packets / seconds;
}
