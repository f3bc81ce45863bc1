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
  /** True where all classes are run again and again, each round with choices of its own, until the signal aborts. */
  readonly inRounds: boolean;
  /** No class begins, and none goes on, after this. */
  readonly signal: AbortSignal;
  /** Told of each class as it ends, and of each thing that must not be, as it is found. */
  say(line: string): void;
}

/** What a campaign found; the last line that `npm run faults` prints. */
export interface Summary {
  readonly seed: number;
  readonly minutes: number;
  readonly rounds: number;
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
  /** What each class has hit, and whether it ever ran at full size to its end: only then it promises to hit everything. */
  readonly hits: Map<FaultClass, { readonly names: Set<string>; isFull: boolean }>;
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
    hits: new Map(),
    notRun: {},
    recoveries: 0,
    failed: false,
  };
  let rounds = 0;
  const directory = await mkdtemp(join(tmpdir(), "bindery-faults-"));
  const postgres = await openDurablePostgres();
  try {
    do {
      rounds += 1;
      for (const faultClass of classes) {
        const count = options.count(faultClass);
        if (count === 0 || signal.aborted) continue;
        await runClass(faultClass, count, { options, postgres, directory, tally, round: rounds });
      }
    } while (options.inRounds && !signal.aborted);
  } finally {
    await postgres.close().catch((error: unknown) => say(`PostgreSQL did not stop cleanly: ${String(error)}`));
    await rm(directory, { recursive: true, force: true });
  }
  const { failed, hits, ...found } = tally;
  const missed = [...hits].flatMap(([{ name, mustHit }, { names, isFull }]) =>
    isFull ? mustHit.filter((what) => !names.has(what)).map((what) => `${name}: ${what}`) : [],
  );
  return {
    seed,
    rounds,
    minutes: Math.round((performance.now() - startedAt) / 600) / 100,
    total: Object.values(tally.faults).reduce((sum, count) => sum + count, 0),
    ...found,
    missed,
    passed: !failed && missed.length === 0 && ZEROS.every((zero) => tally.zeros[zero] === 0),
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
    round,
  }: { options: CampaignOptions; postgres: DurablePostgres; directory: string; tally: Tally; round: number },
): Promise<void> {
  const { name } = faultClass;
  const { say, signal } = options;
  const startedAt = performance.now();
  const own = join(directory, name);
  await mkdir(own, { mode: 0o700 });
  const hits = tally.hits.get(faultClass) ?? { names: new Set<string>(), isFull: false };
  tally.hits.set(faultClass, hits);
  let recorded = 0;
  const before = ZEROS.reduce((sum, zero) => sum + tally.zeros[zero], 0);
  const run: FaultRun = {
    random: seeded(seedFor(options.seed, round === 1 ? name : `${name} ${round}`)),
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
      hits.names.add(what);
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
    tally.faults[name] = (tally.faults[name] ?? 0) + recorded;
  } catch (error) {
    if (error instanceof NotRun) {
      tally.notRun[name] = error.message;
      return say(`${name}: not run: ${error.message}`);
    }
    tally.faults[name] = (tally.faults[name] ?? 0) + recorded;
    tally.failed = true;
    say(`${name}: broke off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
  if (count >= faultClass.ciCount && !signal.aborted) hits.isFull = true;
  const wrong = ZEROS.reduce((sum, zero) => sum + tally.zeros[zero], 0) - before;
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  say(`${name}: ${recorded} faults in ${seconds} s, ${wrong === 0 ? "nothing wrong" : `${wrong} wrong`}`);
}

/** Each class has choices of its own, whatever runs before it. */
function seedFor(seed: number, name: string): number {
  return [...name].reduce((sum, letter) => (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) >>> 0, seed >>> 0);
}
