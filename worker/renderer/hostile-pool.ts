import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { systemClock } from "@/server/adapters/clock/system";
import { newId, type TenantId } from "@/server/domain/ids";
import type { Clock } from "@/server/ports/clock";
import { POOL_LIMITS, type PoolLimits } from "./limits";
import { type AskSetting, createPool, type Pool, type PoolSetting } from "./pool";

/** For tests: pools of children that do wrong when asked to, in a directory of their own. */
export interface HostilePools {
  readonly directory: string;
  readonly childPath: string;
  open(setting?: Partial<Omit<PoolSetting, "limits">> & { limits?: Partial<PoolLimits> }): Pool;
  /** Closes every pool that was opened and removes the directory. */
  close(): Promise<void>;
}

/** Bundles the hostile child and returns a maker of pools of it. */
export async function hostilePools(): Promise<HostilePools> {
  const directory = await mkdtemp(join(tmpdir(), "renderer-"));
  const childPath = join(directory, "hostile-child.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, "hostile-child.ts")],
    outfile: childPath,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "silent",
  });
  const pools: Pool[] = [];
  return {
    directory,
    childPath,
    open: (setting = {}) => {
      const limits = { ...POOL_LIMITS.parse, ...setting.limits };
      const pool = createPool({ name: "parse", size: 1, childPath, directory, clock: systemClock, ...setting, limits });
      pools.push(pool);
      return pool;
    },
    close: async () => {
      await Promise.all(pools.map((pool) => pool.close()));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export const ADA: TenantId = newId("tenant");
export const BOB: TenantId = newId("tenant");

/** Asks for our own work, which does `deed`. Returns the process that did it. */
export async function stamp(pool: Pool, deed: string, setting: Partial<AskSetting> = {}): Promise<number> {
  const request = { op: "stamp", text: deed, outputPath: "none" } as const;
  return (await pool.ask("stamp", request, { ...ASKING, ...setting })).bytes;
}

/** Asks for somebody's file, which does `deed`. */
export async function inspect(pool: Pool, deed: string, setting: Partial<AskSetting> = {}): Promise<void> {
  const request = { op: "inspect", path: deed, limits: LIMITS, strict: false } as const;
  await pool.ask("inspect", request, { ...ASKING, ...setting });
}

/** Asks a child what it sees of the world. */
export async function tell(pool: Pool, tale: string, setting: Partial<AskSetting> = {}): Promise<unknown> {
  const answer = await pool.ask(
    "prepare",
    { op: "prepare", path: tale, outputPath: "none", limits: LIMITS, strict: false, reduced: false, paper: "A4" },
    { ...ASKING, ...setting },
  );
  return answer.result === "reject" ? JSON.parse(answer.code) : null;
}

/** A clock that stands still until `isLate` says that an hour has passed. */
export function clockThatIsLate(isLate: () => boolean): Clock {
  return { now: systemClock.now, monotonicMs: () => (isLate() ? 3_600_000 : 0) };
}

/** Processes that stand in this directory, as children do. */
export function processesIn(directory: string): number[] {
  const standing = readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`) === directory;
    } catch {
      return false;
    }
  });
  return standing.map(Number);
}

/** True where the process exists and is not merely waiting to be collected. */
export function runs(pid: number): boolean {
  try {
    return !/\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

const LIMITS = { bytesMax: 1, pagesMax: 1, pixelsMax: 1 };

const ASKING: AskSetting = {
  tenantId: ADA,
  deadlineMs: 30_000,
  signal: new AbortController().signal,
  onProgress: () => undefined,
};
