import { setTimeout as wait } from "node:timers/promises";
import { judge, judgeAtTheEnd } from "./checker";
import { openDatabaseProxy } from "./database-proxy";
import { type DurablePostgres, onServer, openDurablePostgres } from "./durable-postgres";
import { buildWithFaults } from "./fault-build";
import type { FaultClass } from "./fault-class";
import { KINDS } from "./packets";
import { openProcessScene, type ProcessScene } from "./process-scene";
import { dealt } from "./shuffled";
import { supplyWork } from "./supply-work";

const STOPS = ["immediate stop", "kill of the postmaster", "kill of a backend", "restart"] as const;
type Stop = (typeof STOPS)[number];

/** From the moment that PostgreSQL takes connections again. */
const BACK_MS_MAX = 10_000;
const CYCLE = 5;

/** PostgreSQL stopped hard while packets are submitted and made: what it acknowledged is there, and work goes on by itself. */
export const databaseStops: FaultClass = {
  name: "database-stop",
  ciCount: 15,
  campaignCount: 300,
  mustHit: STOPS.map((stop) => `database: ${stop}`),
  run: async (run) => {
    const build = await buildWithFaults(`stop-${process.pid}`);
    const postgres = await openDurablePostgres();
    // A restarted server has another port; those who are connected to it need not know.
    const proxy = await openDatabaseProxy(postgres.port, run.random);
    const database = await postgres.newDatabase();
    const url = () => postgres.url(database);
    const way = proxy.url(url());
    // What a worker could not settle while there was no database waits until its lease has run out.
    const variables = { BINDERY_LANES: "archive.leaseSeconds=6,archive.renderSeconds=5.9" };
    const scene = await openProcessScene(run, { build, url, webUrl: way, workerUrl: way, variables });
    scene.texts.push(() => postgres.log());
    try {
      await scene.startWorker({ host: "one" });
      await scene.prepare();
      const seen = new Set<string>();
      const stops = dealt(run.random, STOPS, run.count);
      while (stops.length > 0 && !run.signal.aborted) {
        const supply = supplyWork(scene, KINDS);
        for (const stop of stops.splice(0, CYCLE)) {
          await wait(300 + run.random() * 700);
          await breakDatabase(postgres, url(), stop);
          run.record(stop);
          run.sometimes(`database: ${stop}`);
          await isBack(scene, stop);
        }
        await supply.end();
        await (stops.length > 0 ? judge(scene, { seen }) : judgeAtTheEnd(scene, { seen }));
      }
    } finally {
      await scene.close();
      await proxy.close();
      await postgres.close();
      await build.remove();
    }
  },
};

async function breakDatabase(postgres: DurablePostgres, url: string, stop: Stop): Promise<void> {
  if (stop === "kill of a backend") {
    const [row] = await onServer(
      url,
      "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1",
    );
    // The server then ends every other backend too and recovers from its log.
    if (row !== undefined) process.kill(Number(row.pid), "SIGKILL");
    return;
  }
  await postgres.stop(stop === "immediate stop" ? "immediate" : stop === "restart" ? "fast" : "kill");
  await postgres.start();
}

/** A packet that is submitted now is accepted, and one that waits is made, within seconds of the database's return. */
async function isBack(scene: ProcessScene, stop: Stop): Promise<void> {
  const { run } = scene;
  await scene.sql("SELECT 1");
  const from = performance.now();
  await scene.submit("monthly-report");
  const ms = performance.now() - from;
  if (ms > BACK_MS_MAX) run.violation("unexpected", `nothing was accepted for ${Math.round(ms)} ms after ${stop}`);
  else run.recovered();
}
