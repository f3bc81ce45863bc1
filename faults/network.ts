import { setTimeout as wait } from "node:timers/promises";
import { judge, judgeAtTheEnd } from "./checker";
import { type DatabaseProxy, openDatabaseProxy, type Toxic } from "./database-proxy";
import { buildWithFaults } from "./fault-build";
import type { FaultClass } from "./fault-class";
import { KINDS } from "./packets";
import { openProcessScene, type ProcessScene } from "./process-scene";
import { shuffled } from "./shuffled";
import { supplyWork } from "./supply-work";

/** How often of sixty each comes. A commit whose outcome nobody was told is the hardest, and cheap. */
const DECK = {
  "commit unknown to the web": 20,
  "commit unknown to a worker": 12,
  reset: 8,
  down: 5,
  latency: 4,
  slow: 3,
  sliced: 3,
  "black hole": 5,
} as const;
type Trouble = keyof typeof DECK;
const TROUBLES = Object.keys(DECK) as Trouble[];

/** What a transaction of the web wrote, or of a worker: a claim, a stage's output, an artifact, any progress. */
const JOBS = /"jobs"/;
const COMMITS = [/INSERT INTO "public"."attempts"/, /"staged_files"/, /INSERT INTO "public"."artifacts"/, JOBS];

const BACK_MS_MAX = 5_000;
const COMMIT_MS_MAX = 20_000;
const LEASE_MS = 4_000;
const CYCLE = 15;

/** Everything that can happen between a process and its database, with a worker beside it whose way is free. */
export const network: FaultClass = {
  name: "network",
  ciCount: 60,
  campaignCount: 900,
  mustHit: [
    ...TROUBLES.map((trouble) => `network: ${trouble}`),
    "submit: a commit of unknown outcome had gone through",
    "a lease was lost while its worker lived",
  ],
  run: async (run) => {
    const build = await buildWithFaults(`network-${process.pid}`);
    const database = await run.newDatabase();
    const port = () => Number(new URL(database.url()).port);
    const web = await openDatabaseProxy(port, run.random);
    const worker = await openDatabaseProxy(port, run.random);
    const scene = await openProcessScene(run, {
      build,
      url: database.url,
      webUrl: web.url(database.url()),
      variables: {
        BINDERY_LANES: `archive.leaseSeconds=${LEASE_MS / 1_000},archive.renderSeconds=${LEASE_MS / 1_000 - 0.1}`,
      },
    });
    try {
      await scene.startWorker({ host: "beside" });
      await scene.prepare();
      const broken = await scene.startWorker({ host: "behind", databaseUrl: worker.url(database.url()) });
      broken.output.onLine(({ event, code }) => {
        if (event === "attempt_fenced" || code === "lease_lost")
          run.sometimes("a lease was lost while its worker lived");
      });
      const seen = new Set<string>();
      const troubles = troublesOf(run.random, run.count);
      while (troubles.length > 0 && !run.signal.aborted) {
        const supply = supplyWork(scene, KINDS, 4);
        for (const trouble of troubles.splice(0, CYCLE)) {
          if (run.signal.aborted) break;
          await make(scene, { web, worker }, trouble);
          await isBack(scene, trouble);
        }
        await supply.end();
        await (troubles.length > 0 ? judge(scene, { seen }) : judgeAtTheEnd(scene, { seen }));
      }
    } finally {
      await scene.close();
      await web.close();
      await worker.close();
      await database.drop();
      await build.remove();
    }
  },
};

function troublesOf(random: () => number, count: number): Trouble[] {
  const dealt: Trouble[] = [];
  const deck = TROUBLES.flatMap((trouble) => Array.from({ length: DECK[trouble] }, () => trouble));
  while (dealt.length < count) dealt.push(...shuffled(random, deck));
  return dealt.slice(0, count);
}

async function make(
  scene: ProcessScene,
  proxies: { web: DatabaseProxy; worker: DatabaseProxy },
  trouble: Trouble,
): Promise<void> {
  const { run } = scene;
  const proxy =
    trouble === "commit unknown to the web" || (trouble !== "commit unknown to a worker" && run.random() < 0.3)
      ? proxies.web
      : proxies.worker;
  if (trouble === "commit unknown to the web" || trouble === "commit unknown to a worker") {
    const of = proxy === proxies.web ? JOBS : (COMMITS[Math.floor(run.random() * COMMITS.length)] ?? JOBS);
    const cut = proxy.cutAfterCommit({ of }).then(() => true);
    if (proxy === proxies.web) await scene.submit("monthly-report");
    if (!(await Promise.race([cut, wait(COMMIT_MS_MAX).then(() => false)]))) {
      proxy.disarm();
      return;
    }
  } else if (trouble === "reset") {
    proxy.reset();
  } else {
    proxy.set(toxicOf(trouble, run.random));
    await wait(trouble === "black hole" ? 1.5 * LEASE_MS : 500 + run.random() * 700);
    proxy.set({ type: "none" });
  }
  run.record(trouble);
  run.sometimes(`network: ${trouble}`);
}

function toxicOf(trouble: Exclude<Trouble, "reset" | `commit unknown to ${string}`>, random: () => number): Toxic {
  switch (trouble) {
    case "down":
      return { type: "down" };
    case "latency":
      return { type: "latency", ms: 20 + random() * 80, jitterMs: 150 };
    case "slow":
      return { type: "slow", bytesPerSecond: 4_000 + random() * 16_000 };
    case "sliced":
      return { type: "sliced", bytes: 1 + Math.floor(random() * 7) };
    case "black hole":
      return { type: "black-hole" };
  }
}

/** Whoever submits by the way that was broken has an answer within seconds. */
async function isBack(scene: ProcessScene, trouble: Trouble): Promise<void> {
  const { run } = scene;
  const from = performance.now();
  await scene.submit("monthly-report");
  const ms = performance.now() - from;
  if (ms > BACK_MS_MAX) run.violation("unexpected", `no answer for ${Math.round(ms)} ms after ${trouble}`);
  else run.recovered();
}
