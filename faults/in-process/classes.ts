import { join } from "node:path";
import type { FaultClass, FaultRun } from "../fault-class";
import { jumpClock } from "./clock-jumps";
import { deliverThrice } from "./duplicate-deliveries";
import type { Fault } from "./fault";
import { refuseFileCall } from "./file-errors";
import { openTwoWebProcesses, submitAtOnce } from "./idempotent-submits";
import { losePower } from "./lost-writes";
import { type FaultScene, openFaultScene } from "./scene";
import { startSwapping } from "./swapping-process";
import { attackSweeper } from "./sweeper-attacks";

/** One trial of a class: what it broke, and what it found. */
interface Trial {
  readonly kind: string;
  readonly faults: readonly Fault[];
  /** What came about in it, of the class's promises. */
  readonly hits: readonly string[];
}

/** Runs trials until the count is full or nobody wants more; what each found is told as it is found. */
async function runTrials(run: FaultRun, trial: (turn: number) => Promise<Trial>): Promise<void> {
  for (let turn = 0; turn < run.count && !run.signal.aborted; turn += 1) {
    const { kind, faults, hits } = await trial(turn);
    run.record(kind);
    for (const hit of hits) run.sometimes(hit);
    for (const { zero, what } of faults) run.violation(zero, `trial ${turn}, ${kind}: ${what}`);
    if (faults.length === 0) run.recovered();
  }
}

/** Runs trials on a scene of their own, and looks in the end for objects that no row knows of. */
async function runOnScene(run: FaultRun, trial: (scene: FaultScene, turn: number) => Promise<Trial>): Promise<void> {
  const database = await run.newDatabase();
  const scene = await openFaultScene({
    databaseUrl: database.url(),
    childPath: run.childPath,
    directory: join(run.directory, "host"),
  });
  try {
    await runTrials(run, (turn) => trial(scene, turn));
    for (const store of ["archive", "sources", "staging", "previews"] as const) {
      for (const { zero, what } of await scene.strays(store)) run.violation(zero, what);
    }
    if (scene.worker.bugs.length > 0) run.violation("unexpected", "a failure that nobody foresaw");
  } finally {
    await scene.close();
    await database.drop();
  }
}

const hitIf = (isHit: boolean, name: string) => (isHit ? [name] : []);

const fileErrors: FaultClass = {
  name: "file-errors",
  ciCount: 49,
  campaignCount: 490,
  mustHit: ["upload", "inspection", "fetch", "stage-write", "resume", "publish", "erase"].map((at) => `refused: ${at}`),
  run: (run) =>
    runOnScene(run, async (scene, turn) => {
      const { place, call, error, wasRefused, faults } = await refuseFileCall(scene, run.random, turn);
      return { kind: `${place} ${call} ${error}`, faults, hits: hitIf(wasRefused, `refused: ${place}`) };
    }),
};

const lostWrites: FaultClass = {
  name: "lost-writes",
  ciCount: 100,
  campaignCount: 2_000,
  mustHit: ["an object was lost before it was reported", "a reported object was there", "a commit was cut short"],
  run: (run) =>
    runTrials(run, async () => {
      const { faults, reported, lost, leftovers } = await losePower(run.random, run.directory);
      return {
        kind: "power cut",
        faults,
        hits: [
          ...hitIf(lost > 0, "an object was lost before it was reported"),
          ...hitIf(reported > 0, "a reported object was there"),
          ...hitIf(leftovers > 0, "a commit was cut short"),
        ],
      };
    }),
};

const clockJumps: FaultClass = {
  name: "clock-jumps",
  ciCount: 50,
  campaignCount: 1_000,
  mustHit: ["a packet took more than one attempt"],
  run: (run) =>
    runOnScene(run, async (scene, turn) => {
      const { trouble, day, faults, attempts } = await jumpClock(scene, run.random, turn);
      return { kind: `${trouble} on ${day}`, faults, hits: hitIf(attempts > 1, "a packet took more than one attempt") };
    }),
};

const duplicates: FaultClass = {
  name: "duplicate-deliveries",
  ciCount: 100,
  campaignCount: 1_500,
  mustHit: ["an attempt was fenced"],
  run: (run) =>
    runOnScene(run, async (scene, turn) => {
      const { order, faults, fenced } = await deliverThrice(scene, run.random, turn);
      return { kind: order, faults, hits: hitIf(fenced > 0, "an attempt was fenced") };
    }),
};

const idempotentSubmits: FaultClass = {
  name: "idempotent-submits",
  ciCount: 20,
  campaignCount: 500,
  mustHit: ["a conflict", "a repeat"],
  run: (run) =>
    runOnScene(run, async (scene) => {
      const web = await openTwoWebProcesses(scene);
      try {
        const { accepted, conflicts, faults } = await submitAtOnce(web, run.random);
        return {
          kind: "one key",
          faults,
          hits: [...hitIf(conflicts > 0, "a conflict"), ...hitIf(accepted > 1, "a repeat")],
        };
      } finally {
        await web.close();
      }
    }),
};

const sweeperAttacks: FaultClass = {
  name: "sweeper-attacks",
  ciCount: 200,
  campaignCount: 10_000,
  mustHit: ["exchanged during the walk", "kept what is live"],
  run: async (run) => {
    const swapping = await startSwapping();
    try {
      await runTrials(run, async () => {
        const { attacks, faults, swaps } = await attackSweeper(run.random, { swapping, within: run.directory });
        return {
          kind: "root under attack",
          faults,
          hits: [
            ...hitIf(swaps > 0, "exchanged during the walk"),
            ...hitIf(attacks.includes("live"), "kept what is live"),
          ],
        };
      });
    } finally {
      await swapping.close();
    }
  },
};

/** The classes whose faults are brought about within one process, by its own ports and clocks. */
export const IN_PROCESS_CLASSES: readonly FaultClass[] = [
  fileErrors,
  lostWrites,
  clockJumps,
  duplicates,
  idempotentSubmits,
  sweeperAttacks,
];
