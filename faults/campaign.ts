import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DurablePostgres, openDurablePostgres } from "./durable-postgres";
import { type FaultClass, type FaultRun, NotRun } from "./fault-class";
import { seeded } from "./in-process/seeded";
import { ZEROS, type Zero } from "./zeros";

export interface CampaignOptions {
  readonly seed: number;
  readonly classes: readonly FaultClass[];
  /** How many faults of a class; a class of which none are wanted is left out. */
  count(faultClass: FaultClass): number;
  readonly childPath: string;
  /** No class begins, and none goes on, after this. */
  readonly signal: AbortSignal;
  /** Told of each class as it ends, and of each thing that must not be, as it is found. */
  say(line: string): void;
}

/** What a campaign found; the last line that `npm run faults` prints. */
export interface Summary {
  readonly seed: number;
  readonly minutes: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly total: number;
  readonly recoveries: number;
  readonly zeros: Readonly<Record<Zero, number>>;
  readonly sometimes: Readonly<Record<string, number>>;
  /** What was promised to be hit and never was: `class: name`. */
  readonly missed: readonly string[];
  /** Classes that this machine does not allow, and why. */
  readonly notRun: Readonly<Record<string, string>>;
  readonly passed: boolean;
}

interface Tally {
  readonly faults: Record<string, number>;
  readonly zeros: Record<Zero, number>;
  readonly sometimes: Record<string, number>;
  readonly missed: string[];
  readonly notRun: Record<string, string>;
  recoveries: number;
  failed: boolean;
}

/** Runs the classes one after the other on one PostgreSQL, each with choices of its own from the seed, and adds up what they found. */
export async function runCampaign(options: CampaignOptions): Promise<Summary> {
  const { seed, classes, say, signal } = options;
  const startedAt = performance.now();
  const tally: Tally = {
    faults: {},
    zeros: Object.fromEntries(ZEROS.map((zero) => [zero, 0])) as Record<Zero, number>,
    sometimes: {},
    missed: [],
    notRun: {},
    recoveries: 0,
    failed: false,
  };
  const directory = await mkdtemp(join(tmpdir(), "bindery-faults-"));
  const postgres = await openDurablePostgres();
  try {
    for (const faultClass of classes) {
      const count = options.count(faultClass);
      if (count > 0 && !signal.aborted) await runClass(faultClass, count, { options, postgres, directory, tally });
    }
  } finally {
    await postgres.close().catch((error: unknown) => say(`PostgreSQL did not stop cleanly: ${String(error)}`));
    await rm(directory, { recursive: true, force: true });
  }
  const { failed, ...found } = tally;
  return {
    seed,
    minutes: Math.round((performance.now() - startedAt) / 600) / 100,
    total: Object.values(tally.faults).reduce((sum, count) => sum + count, 0),
    ...found,
    passed: !failed && tally.missed.length === 0 && ZEROS.every((zero) => tally.zeros[zero] === 0),
  };
}

async function runClass(
  faultClass: FaultClass,
  count: number,
  {
    options,
    postgres,
    directory,
    tally,
  }: { options: CampaignOptions; postgres: DurablePostgres; directory: string; tally: Tally },
): Promise<void> {
  const { name, mustHit } = faultClass;
  const { say, signal } = options;
  const startedAt = performance.now();
  const own = join(directory, name);
  await mkdir(own, { mode: 0o700 });
  const hit = new Set<string>();
  let recorded = 0;
  const before = ZEROS.reduce((sum, zero) => sum + tally.zeros[zero], 0);
  const run: FaultRun = {
    random: seeded(seedFor(options.seed, name)),
    count,
    signal,
    directory: own,
    childPath: options.childPath,
    newDatabase: async () => {
      const database = await postgres.newDatabase();
      return { name: database, url: () => postgres.url(database), drop: () => postgres.dropDatabase(database) };
    },
    record: () => {
      recorded += 1;
    },
    sometimes: (what) => {
      hit.add(what);
      tally.sometimes[what] = (tally.sometimes[what] ?? 0) + 1;
    },
    recovered: (more = 1) => {
      tally.recoveries += more;
    },
    violation: (zero, what) => {
      tally.zeros[zero] += 1;
      say(`${name}: ${zero}: ${what}`);
    },
  };
  try {
    await faultClass.run(run);
    tally.faults[name] = recorded;
  } catch (error) {
    if (error instanceof NotRun) {
      tally.notRun[name] = error.message;
      return say(`${name}: not run: ${error.message}`);
    }
    tally.faults[name] = recorded;
    tally.failed = true;
    say(`${name}: broke off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
  // A few faults cannot hit everything: only a run of full size promises it.
  if (count >= faultClass.ciCount) {
    tally.missed.push(...mustHit.filter((what) => !hit.has(what)).map((what) => `${name}: ${what}`));
  }
  const wrong = ZEROS.reduce((sum, zero) => sum + tally.zeros[zero], 0) - before;
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  say(`${name}: ${recorded} faults in ${seconds} s, ${wrong === 0 ? "nothing wrong" : `${wrong} wrong`}`);
}

/** Each class has choices of its own, whatever runs before it. */
function seedFor(seed: number, name: string): number {
  return [...name].reduce((sum, letter) => (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) >>> 0, seed >>> 0);
}
