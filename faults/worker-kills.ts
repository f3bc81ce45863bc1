import { setTimeout as wait } from "node:timers/promises";
import type { CrashPoint } from "@/worker/crash-point";
import { FILE_POINTS } from "./armed-file-calls";
import { judgeAtTheEnd } from "./checker";
import { buildWithFaults, type FaultBuild } from "./fault-build";
import type { FaultClass, FaultRun } from "./fault-class";
import { KINDS, type KindName } from "./packets";
import { openProcessScene, type ProcessScene } from "./process-scene";
import { dealt } from "./shuffled";
import { supplyWork } from "./supply-work";
import type { WorkerProcess } from "./worker-process";

type Place = CrashPoint | (typeof FILE_POINTS)[number];

/** Every place where an attempt can die: none half done may be seen by anybody. */
export const PLACES: readonly Place[] = [
  ...["before claim", "after claim", "before validate", "after validate", "before fetch", "after fetch"],
  ...["before render", "after render", "before watermark", "after watermark", "before assemble", "after assemble"],
  ...["before stage-write", "amid stage-write", "after stage-write", "before checkpoint", "after checkpoint"],
  ...[
    "before verify",
    "after verify",
    "before publish",
    "before commit",
    "after commit",
    "before published",
    "after published",
  ],
  ...["after publish", "before record", "after record", "before settle", "after settle", "before erase", "after erase"],
  ...["before resume", "after resume"],
  ...FILE_POINTS,
] as Place[];

/** A worker that has not come by its point in this time never will. */
const HIT_MS_MAX = 90_000;
/** Armed workers at once: so many die beside each other, while one lives and ends what they leave. */
const ARMED = 2;

/** kill -9 of a worker at each point of an attempt, of each kind; a worker on another temporary root ends what it left. [C447,C456] */
export const workerKills: FaultClass = {
  name: "worker-kill",
  ciCount: 104,
  campaignCount: 1_248,
  mustHit: [
    "a finished stage was taken up again",
    "an abandoned directory was swept",
    "killed between link and directory-sync",
    "killed between commit and its record in the database",
  ],
  run: async (run) => {
    const build = await buildWithFaults(`kill-${process.pid}`);
    try {
      for (const { kind, places } of planOf(run)) if (!run.signal.aborted) await cycle(run, build, kind, places);
    } finally {
      await build.remove();
    }
  },
};

interface Cycle {
  readonly kind: KindName;
  readonly places: readonly Place[];
}

/** As many faults as were asked for: a quarter for each kind, and every place before any comes again. */
function planOf(run: FaultRun): Cycle[] {
  const perCycle = Math.min(PLACES.length, Math.ceil(run.count / KINDS.length));
  const places = dealt(run.random, PLACES, run.count);
  const kinds = dealt(run.random, KINDS, Math.ceil(run.count / perCycle));
  return kinds.map((kind, index) => ({ kind, places: places.slice(index * perCycle, (index + 1) * perCycle) }));
}

async function cycle(run: FaultRun, build: FaultBuild, kind: KindName, places: readonly Place[]): Promise<void> {
  const database = await run.newDatabase();
  const scene = await openProcessScene(run, {
    build,
    url: () => database.url(),
    dataDirectory: `${run.directory}/${database.name}`,
    // Two seconds are little on a machine with two processors that does three workers' work.
    variables: { BINDERY_LANES: "archive.leaseSeconds=8,archive.renderSeconds=7.9" },
  });
  try {
    await scene.startWorker({ host: "standby" });
    await scene.prepare();
    const waiting = [...places];
    const supply = supplyWork(scene, [kind]);
    const lane = async () => {
      for (let place = waiting.shift(); place !== undefined && !run.signal.aborted; place = waiting.shift()) {
        await killAt(scene, place);
      }
    };
    await Promise.all(Array.from({ length: ARMED }, lane));
    await supply.end();
    await judgeAtTheEnd(scene, { seen: new Set() });
  } finally {
    await scene.close();
    await database.drop();
  }
}

async function killAt(scene: ProcessScene, place: Place): Promise<void> {
  const { run } = scene;
  const nth = FILE_POINTS.some((point) => point === place) ? 1 + Math.floor(run.random() * 3) : 1;
  const worker = await scene.startWorker({ host: "doomed", fault: `SIGKILL|${place}|${nth}` });
  const late = setTimeout(() => void worker.end("SIGTERM"), HIT_MS_MAX);
  // Only what another worker has left can be taken up again, and the others may be waiting for the same.
  if (RESUMES.includes(place)) await leaveBehind(scene, worker);
  const signal = await worker.exited;
  clearTimeout(late);
  if (signal !== "SIGKILL") return run.violation("unexpected", `no attempt came by "${place}" in time`);
  run.record(`kill ${place}`);
  if (place === "after link") run.sometimes("killed between link and directory-sync");
  if (place === "after commit") run.sometimes("killed between commit and its record in the database");
  run.recovered();
}

const RESUMES: readonly Place[] = ["before resume", "after resume"];
const LEFT_MAX = 6;

/** Kills one worker after another behind a finished stage, until the armed one has come by what they left. */
async function leaveBehind(scene: ProcessScene, armed: WorkerProcess): Promise<void> {
  let isOver = false;
  const over = armed.exited.then(() => {
    isOver = true;
  });
  for (let left = 0; left < LEFT_MAX && !isOver && !scene.run.signal.aborted; left += 1) {
    const worker = await scene.startWorker({ host: "doomed", fault: "SIGKILL|after checkpoint|1" });
    await Promise.race([worker.exited, over]);
    if (isOver) await worker.end("SIGTERM");
    else await Promise.race([over, wait(AFTER_MS)]);
  }
}

/** Time for the rescue task to find what was left, and for a slot to be free. */
const AFTER_MS = 6_000;
