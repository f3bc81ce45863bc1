import { lstat, mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { sweepWorkspaces } from "@/worker/maintenance/sweep-workspaces";
import { digestOfTree, plantCanaries } from "./canary-tree";
import { type Fault, faultIf } from "./fault";
import { between, type Random, shuffled } from "./random-choice";
import type { SwappingProcess } from "./swapping-process";
import { ATTACK_NAMES, ATTACKS, type Attacked, type AttackName, LIVE_ATTEMPT } from "./workspace-attacks";

/** What became of one root full of attacks. */
export interface SweptAttacks {
  readonly attacks: readonly AttackName[];
  readonly faults: readonly Fault[];
  /** How often a directory was exchanged while the sweeper walked. */
  readonly swaps: number;
}

const NOW = new Date("2026-12-01T12:00:00Z");
const THRESHOLD_MS = 3_600_000;

/**
 * Puts a few attacks into one root, sweeps it once or by two sweepers at once, and looks: what is ours and abandoned is gone, everything
 * else stays, no canary outside has changed, and the log names nothing. Attacks not named are drawn.
 */
export async function attackSweeper(
  random: Random,
  { swapping, within }: { readonly swapping: SwappingProcess; readonly within: string },
  attacks: readonly AttackName[] = shuffled(random, ATTACK_NAMES).slice(0, between(random, 2, 5)),
): Promise<SweptAttacks> {
  const directory = await mkdtemp(join(within, "sweep-"));
  try {
    const ground = {
      root: join(directory, "root"),
      outside: join(directory, "outside"),
      now: NOW,
      thresholdMs: THRESHOLD_MS,
    };
    await mkdir(ground.root, { mode: 0o700 });
    await mkdir(ground.outside, { mode: 0o700 });
    await plantCanaries(ground.outside);
    const before = await digestOfTree(ground.outside);
    const placed: (Attacked & { readonly attack: AttackName })[] = [];
    for (const attack of attacks) placed.push({ attack, ...(await ATTACKS[attack](ground)) });
    const raced = placed.find((place) => place.raced !== undefined)?.raced;
    if (raced !== undefined) swapping.race(raced, ground.outside);
    const lines = await sweep({ root: ground.root, now: NOW, sweepers: random() < 0.3 ? 2 : 1, placed });
    const swaps = raced === undefined ? 0 : await swapping.stop();

    const faults: Fault[] = [];
    for (const { attack, name, fate } of placed) {
      const isThere = await isAnything(join(ground.root, name));
      faults.push(
        ...faultIf(fate === "gone" && isThere, "overdue", attack),
        ...faultIf(fate === "stays" && !isThere, "lost", attack),
        ...faultIf(lines.includes(JSON.stringify(name).slice(1, -1)), "leaked", attack),
      );
    }
    await sweep({ root: ground.root, now: new Date(Date.now() + 10 * THRESHOLD_MS), sweepers: 1, placed: [] });
    for (const { attack, name, fate } of placed) {
      const isLeft = fate === "later" && (await isAnything(join(ground.root, name)));
      faults.push(...faultIf(isLeft, "overdue", attack));
    }
    faults.push(...faultIf((await digestOfTree(ground.outside)) !== before, "lost", "a canary"));
    return { attacks, faults, swaps };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Sweeps with so many sweepers at once, and returns what was logged. */
async function sweep(setting: {
  readonly root: string;
  readonly now: Date;
  readonly sweepers: number;
  readonly placed: readonly Attacked[];
}): Promise<string> {
  const { root, now, sweepers, placed } = setting;
  const lines: unknown[] = [];
  const keep = (line: unknown) => void lines.push(line);
  const waiting = placed.flatMap(({ meanwhile }) => (meanwhile === undefined ? [] : [meanwhile]));
  const isLive = async (_: string, attempt: number) => {
    // The first that is asked after was looked at a moment ago; others go, are gone, or are still to come.
    for (let act = waiting.shift(); act !== undefined; act = waiting.shift()) await act().catch(() => undefined);
    return attempt === LIVE_ATTEMPT;
  };
  const log = { info: keep, warn: keep, error: keep };
  const sweepOnce = () => sweepWorkspaces({ root, now, thresholdMs: THRESHOLD_MS, isLive, log });
  await Promise.all(Array.from({ length: sweepers }, sweepOnce));
  return JSON.stringify(lines);
}

function isAnything(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
