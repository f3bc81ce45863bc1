import { setTimeout as wait } from "node:timers/promises";
import type { CrashPoint } from "@/worker/crash-point";
import { judge, judgeAtTheEnd } from "./checker";
import { buildWithFaults } from "./fault-build";
import type { FaultClass } from "./fault-class";
import { KINDS } from "./packets";
import { openProcessScene, type ProcessScene } from "./process-scene";
import { dealt } from "./shuffled";
import { supplyWork } from "./supply-work";
import type { WorkerProcess } from "./worker-process";

/** Where a worker falls asleep with a job in its hands. */
const PLACES: readonly CrashPoint[] = [
  "after claim",
  "after render",
  "before commit",
  "after commit",
  "before published",
  "before settle",
];
const LEASE_MS = 3_000;
/** Zombies at once, beside one worker that lives. */
const AT_ONCE = 3;
const HIT_MS_MAX = 45_000;
const WAKE_MS_MAX = 15_000;
const TAKEN_MS_MAX = 40_000;

/**
 * A worker stops in the middle of an attempt for twice its lease; another ends the job; the first wakes and goes on where it was. Whatever
 * it then writes is refused, and the client, who has asked again meanwhile, still has one job. [C37]
 */
export const zombies: FaultClass = {
  name: "zombie",
  ciCount: 12,
  campaignCount: 180,
  mustHit: [
    "a zombie was fenced",
    "a zombie met its own object in the archive",
    "a job was ended by another while its worker slept",
    "a zombie was fenced while another was at its job",
  ],
  run: async (run) => {
    const build = await buildWithFaults(`zombie-${process.pid}`);
    const database = await run.newDatabase();
    const scene = await openProcessScene(run, {
      build,
      url: database.url,
      variables: {
        BINDERY_LANES: `archive.leaseSeconds=${LEASE_MS / 1_000},archive.renderSeconds=${LEASE_MS / 1_000 - 0.1}`,
      },
    });
    try {
      const standby = await scene.startWorker({ host: "standby" });
      await scene.prepare();
      const seen = new Set<string>();
      const places = dealt(run.random, PLACES, run.count);
      const early = places.splice(0, Math.ceil(run.count / 2));
      while (places.length > 0 && !run.signal.aborted) await wakeAfterwards(scene, places.splice(0, AT_ONCE));
      await judge(scene, { seen });
      // From here on whoever takes a job over falls asleep too.
      await standby.end("SIGTERM");
      while (early.length > 0 && !run.signal.aborted) await wakeInBetween(scene, early.splice(0, AT_ONCE));
      await judgeAtTheEnd(scene, { seen });
    } finally {
      await scene.close();
      await database.drop();
      await build.remove();
    }
  },
};

/** Workers fall asleep, another ends what they held, and then they wake. */
async function wakeAfterwards(scene: ProcessScene, places: readonly CrashPoint[]): Promise<void> {
  const supply = supplyWork(scene, KINDS, 4);
  const asleep: Sleeper[] = [];
  for (const place of places) asleep.push(await sleeper(scene, place));
  const fallen = await Promise.all(asleep.map(({ worker }) => fellAsleep(worker)));
  await supply.end();
  await Promise.all(asleep.filter((_, index) => fallen[index]).map((one) => wakeLate(scene, one)));
  for (const { worker } of asleep) await worker.end();
}

/** Workers fall asleep, others take what they held and are in the middle of it, and then the first wake: only the fence tells them apart. */
async function wakeInBetween(scene: ProcessScene, places: readonly CrashPoint[]): Promise<void> {
  const { run } = scene;
  const one = (leaseSeconds: number) => ({
    BINDERY_LANES: `archive.concurrency=1,archive.leaseSeconds=${leaseSeconds},archive.renderSeconds=${leaseSeconds - 0.1}`,
  });
  const asleep: (Sleeper & { readonly held: readonly Held[] })[] = [];
  for (const [index, place] of places.entries()) {
    const fallen = await sleeper(scene, place, one(LEASE_MS / 1_000));
    await scene.submit(KINDS[index % KINDS.length] ?? "monthly-report");
    if (!(await fellAsleep(fallen.worker))) {
      run.violation("unexpected", `no attempt came by "${place}" in time`);
      await fallen.worker.end();
      continue;
    }
    asleep.push({ ...fallen, held: await heldBy(scene, fallen.workerId) });
  }
  const takers: Sleeper[] = [];
  for (const _ of asleep) takers.push(await sleeper(scene, "after claim", one(TAKEN_MS_MAX / 1_000)));
  await Promise.all(takers.map(({ worker }) => fellAsleep(worker)));
  for (const { place, worker, held } of asleep) {
    const [job] = held;
    const [now] = await scene.sql<Held>(
      "SELECT id, attempt FROM jobs WHERE id = $1 AND state IN ('running', 'published')",
      [job?.id],
    );
    if (job !== undefined && now !== undefined && now.attempt > job.attempt) {
      const refused = refusal(worker);
      worker.process.kill("SIGCONT");
      if (await refused) run.sometimes("a zombie was fenced while another was at its job");
      else run.violation("unexpected", `a zombie that slept at "${place}" wrote while another was at its job`);
      run.record(`zombie ${place}, another at its job`);
      run.recovered();
    }
    await worker.end();
  }
  for (const { worker } of takers) worker.process.kill("SIGCONT");
  await scene.drained(TAKEN_MS_MAX);
  for (const { worker } of takers) await worker.end();
}

interface Sleeper {
  readonly place: CrashPoint;
  readonly worker: WorkerProcess;
  readonly workerId: string;
}

async function sleeper(scene: ProcessScene, place: CrashPoint, variables = {}): Promise<Sleeper> {
  const worker = await scene.startWorker({ host: "asleep", fault: `SIGSTOP|${place}|1`, variables });
  // A worker shows itself before it takes anything.
  const [row] = await scene.sql<{ id: string }>("SELECT id FROM worker_instances ORDER BY started_at DESC LIMIT 1");
  return { place, worker, workerId: row?.id ?? "" };
}

/** What a worker holds now, as it believes. */
function heldBy(scene: ProcessScene, workerId: string): Promise<Held[]> {
  return scene.sql<Held>(
    "SELECT job_id AS id, number AS attempt FROM attempts WHERE ended_at IS NULL AND worker_id = $1",
    [workerId],
  );
}

async function wakeLate(scene: ProcessScene, { place, worker, workerId }: Sleeper): Promise<void> {
  const { run } = scene;
  const held = await heldBy(scene, workerId);
  const answers = scene.acknowledged.filter(({ jobId }) => held.some(({ id }) => id === jobId));
  for (const answer of answers) await scene.repeat(answer);
  await wait(2 * LEASE_MS);
  if (!(await endedByOthers(scene, held)))
    return run.violation("lost", `what a worker held that sleeps at "${place}" was not ended`);
  run.sometimes("a job was ended by another while its worker slept");
  const refused = refusal(worker);
  worker.process.kill("SIGCONT");
  if (!(await refused)) return run.violation("unexpected", `a zombie that slept at "${place}" was not refused`);
  run.sometimes("a zombie was fenced");
  if (place === "before commit") run.sometimes("a zombie met its own object in the archive");
  for (const answer of answers) await scene.repeat(answer);
  run.record(`zombie ${place}`);
  run.recovered();
}

/** Resolves to true once the worker stands still. */
function fellAsleep(worker: WorkerProcess): Promise<boolean> {
  const said = new Promise<boolean>((resolve) => {
    if (worker.output.text().includes('"fault_point"')) resolve(true);
    worker.output.onLine(({ event }) => event === "fault_point" && resolve(true));
  });
  return Promise.race([said, wait(HIT_MS_MAX).then(() => false)]);
}

/** Resolves to true once the worker says that a write of its was refused. */
function refusal(worker: WorkerProcess): Promise<boolean> {
  const said = new Promise<boolean>((resolve) => {
    worker.output.onLine(({ event, code }) => {
      if (event === "attempt_fenced" || code === "lease_lost") resolve(true);
    });
  });
  return Promise.race([said, wait(WAKE_MS_MAX).then(() => false)]);
}

interface Held {
  readonly id: string;
  readonly attempt: number;
}

/** Waits until every job that the sleeper held has come to an end in another's hands. */
async function endedByOthers(scene: ProcessScene, held: readonly Held[]): Promise<boolean> {
  for (const until = performance.now() + TAKEN_MS_MAX; performance.now() < until; await wait(200)) {
    const rows = await scene.sql<{ id: string; attempt: number }>(
      "SELECT id, attempt FROM jobs WHERE id = ANY($1) AND state = 'completed'",
      [held.map(({ id }) => id)],
    );
    if (held.every(({ id, attempt }) => rows.some((row) => row.id === id && row.attempt > attempt))) return true;
  }
  return false;
}
