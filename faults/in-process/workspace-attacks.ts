import { randomBytes } from "node:crypto";
import { chmod, link, mkdir, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { formatMarker } from "@/server/domain/workspace";
import { MARKER_NAME } from "@/worker/workspace";
import { DECOY } from "./canary-tree";

/** Where an attack takes place: the sweeper's root, and the canary tree that nobody may touch. */
export interface Ground {
  readonly root: string;
  readonly outside: string;
  readonly now: Date;
  readonly thresholdMs: number;
}

/**
 * What must have become of the place once it was swept. `later`: it was exchanged meanwhile, and is gone once it was swept in peace.
 * `either`: what stands there now is not what was looked at, and only the canaries count.
 */
export type Fate = "gone" | "stays" | "later" | "either";

export interface Attacked {
  readonly name: string;
  readonly fate: Fate;
  /** What the attacker does once the sweeper has looked at it and not yet removed it. */
  readonly meanwhile?: () => Promise<unknown>;
  /** A directory inside, to be exchanged by another process during the walk. */
  readonly raced?: string;
}

type Attack = (ground: Ground) => Promise<Attacked>;

/** Attempt numbers say whether an attempt lives: the sweeper asks for them by the marker. */
export const LIVE_ATTEMPT = 7;
const HOSTILE_NAMES = ["line\nbreak", "red\u001b[31m", "-rf", "..hidden", "sp ace", Buffer.from([0x66, 0xff, 0xfe])];

const workspace = async (ground: Ground, attempt = 1, name = randomBytes(16).toString("hex")) => {
  const place = join(ground.root, name);
  await mkdir(place, { mode: 0o700 });
  const marker = { jobId: "job_00000000000000000000000000000001", attempt, eraseBy: ground.now };
  await writeFile(join(place, MARKER_NAME), formatMarker(name, marker), { mode: 0o600 });
  await writeFile(join(place, "source-1.pdf"), "bytes");
  return { name, place, marker: join(place, MARKER_NAME) };
};

/** Makes the directory and its marker this much older than the threshold. */
async function age(ground: Ground, place: string, beyondMs = 60_000): Promise<void> {
  const at = new Date(ground.now.getTime() - ground.thresholdMs - beyondMs);
  await utimes(join(place, MARKER_NAME), at, at).catch(() => undefined);
  await utimes(place, at, at);
}

/** An abandoned workspace with something in it; it has to go, and nothing else with it. */
const holding =
  (put: (place: string, ground: Ground) => Promise<unknown>): Attack =>
  async (ground) => {
    const { name, place } = await workspace(ground);
    await put(place, ground);
    await age(ground, place);
    return { name, fate: "gone" };
  };

/** What looks like an abandoned workspace and is not ours to remove. */
const spoilt =
  (spoil: (place: string, marker: string, ground: Ground) => Promise<unknown>, attempt = 1): Attack =>
  async (ground) => {
    const { name, place, marker } = await workspace(ground, attempt);
    await spoil(place, marker, ground);
    await age(ground, place);
    return { name, fate: "stays" };
  };

/** Something else than a directory under a name that a workspace could have. */
const imposter =
  (make: (path: string, ground: Ground) => Promise<unknown>, name = randomBytes(16).toString("hex")): Attack =>
  async (ground) => {
    await make(join(ground.root, name), ground);
    return { name, fate: "stays" };
  };

/** Every attack by name. */
export const ATTACKS = {
  abandoned: holding(async () => undefined),
  "a file linked to": holding((place, { outside }) => symlink(join(outside, "kept.txt"), join(place, "link"))),
  "a directory linked to": holding((place, { outside }) => symlink(outside, join(place, "part-1-1"))),
  "a link to itself": holding((place) => symlink(join(place, "loop"), join(place, "loop"))),
  "a link to nothing": holding((place) => symlink("nowhere", join(place, "link"))),
  "a link upwards": holding((place) => symlink("../..", join(place, "up"))),
  "a second name of a file outside": holding((place, { outside }) =>
    link(join(outside, "kept.txt"), join(place, "link")),
  ),
  "names that no terminal should see": holding(async (place) => {
    for (const name of HOSTILE_NAMES) {
      await writeFile(Buffer.concat([Buffer.from(`${place}/`), Buffer.from(name)]), "bytes");
    }
  }),
  "directories within": holding(async (place) => {
    await mkdir(join(place, "part-1-1", "inner"), { recursive: true });
    await writeFile(join(place, "part-1-1", "inner", MARKER_NAME), "bytes");
  }),
  live: spoilt(async () => undefined, LIVE_ATTEMPT),
  "without a marker": spoilt((_, marker) => rm(marker)),
  "with a marker of another directory": spoilt((_, marker, { now }) =>
    writeFile(marker, formatMarker("0".repeat(32), { jobId: "job_other", attempt: 1, eraseBy: now })),
  ),
  "with a forged marker": spoilt((_, marker) => writeFile(marker, '{"service":"bindery","jobId":"job_1"}')),
  "with a marker that is a link": spoilt(async (place, marker, { outside }) => {
    await rename(marker, join(place, "copy"));
    await symlink(join(outside, DECOY, MARKER_NAME), marker);
  }),
  "with a marker that is a directory": spoilt(async (_, marker) => {
    await rm(marker);
    await mkdir(marker);
  }),
  "open to others": spoilt((place) => chmod(place, 0o755)),
  "a file": imposter((path) => writeFile(path, "a file")),
  "a link to a workspace elsewhere": imposter((path, { outside }) => symlink(join(outside, DECOY), path), DECOY),
  "a link into a circle": imposter((path) => symlink(path, path)),
  "a link to the root": imposter((path) => symlink(".", path)),
  "a hostile name": imposter((path) => mkdir(path), `\u001b[31m\n${"a".repeat(24)}`),
  "at the threshold": async (ground) => {
    const { name, place } = await workspace(ground);
    await age(ground, place, 0);
    return { name, fate: "stays" };
  },
  "just beyond the threshold": async (ground) => {
    const { name, place } = await workspace(ground);
    await age(ground, place, 1);
    return { name, fate: "gone" };
  },
  "exchanged for a link": async (ground) => {
    const { name, place } = await workspace(ground);
    await age(ground, place);
    const meanwhile = async () => {
      await rename(place, join(ground.root, "moved-away"));
      await symlink(join(ground.outside, DECOY), place);
    };
    return { name, fate: "either", meanwhile };
  },
  "a part of it exchanged for a link": async (ground) => {
    const { name, place } = await workspace(ground);
    await mkdir(join(place, "part-1-1"));
    await writeFile(join(place, "part-1-1", "chunk-1.pdf"), "bytes");
    await age(ground, place);
    const meanwhile = async () => {
      await rm(join(place, "part-1-1"), { recursive: true });
      await symlink(ground.outside, join(place, "part-1-1"));
    };
    return { name, fate: "later", meanwhile };
  },
  "exchanged again and again": async (ground) => {
    const { name, place } = await workspace(ground);
    const raced = join(place, "part-1-1");
    await mkdir(join(raced, "deeper"), { recursive: true });
    for (let file = 0; file < 20; file += 1) await writeFile(join(raced, "deeper", `chunk-${file}.pdf`), "bytes");
    await writeFile(join(raced, "kept.txt"), "bytes");
    await age(ground, place);
    return { name, fate: "later", raced };
  },
} as const satisfies Record<string, Attack>;

export type AttackName = keyof typeof ATTACKS;
export const ATTACK_NAMES: readonly AttackName[] = Object.keys(ATTACKS).filter(isAttack);

function isAttack(name: string): name is AttackName {
  return Object.hasOwn(ATTACKS, name);
}
