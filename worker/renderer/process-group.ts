import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

/** What a process and its descendants use now. */
export interface GroupUsage {
  readonly residentBytes: number;
  readonly cpuMs: number;
}

const PAGE_BYTES = 4096;
const TICK_MS = 10;
const DESCENDANTS_MAX = 64;
const GONE_MS_MAX = 5_000;

/** True where `readUsage` can tell anything: where the kernel has `/proc`. */
export const CAN_READ_USAGE = process.platform === "linux";

/** Returns what `pid` and its descendants use, or null where that cannot be read (any longer). */
export function readUsage(pid: number): GroupUsage | null {
  let residentBytes = 0;
  let cpuMs = 0;
  const pids = [pid];
  for (let index = 0; index < pids.length && index < DESCENDANTS_MAX; index += 1) {
    const process = `/proc/${pids[index]}`;
    const statm = readText(`${process}/statm`);
    if (statm === null) continue;
    residentBytes += Number(statm.split(" ")[1] ?? 0) * PAGE_BYTES;
    const fields = statFields(process);
    cpuMs += (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS;
    const children = readText(`${process}/task/${pids[index]}/children`) ?? "";
    pids.push(...children.split(" ").filter(Boolean).map(Number));
  }
  return residentBytes === 0 ? null : { residentBytes, cpuMs };
}

/** Kills every process of the group that `pid` leads. */
export function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** Resolves once nothing of the group runs, and to false where something still does after five seconds. */
export async function groupEnds(pid: number): Promise<boolean> {
  // The kernel tells nobody when a group is empty, so this asks; nearly always the first answer is yes.
  for (let waitedMs = 0; waitedMs < GONE_MS_MAX; waitedMs += 10) {
    if (!hasLiveMember(pid)) return true;
    await setTimeout(10);
    killGroup(pid);
  }
  return false;
}

function hasLiveMember(pid: number): boolean {
  try {
    process.kill(-pid, 0);
  } catch (error) {
    return !isGone(error);
  }
  if (!CAN_READ_USAGE) return true;
  // A dead process that nobody has collected yet still counts for `kill`; it runs no more.
  return readdirSync("/proc").some((name) => {
    if (!/^\d+$/.test(name)) return false;
    const [state, , group] = statFields(`/proc/${name}`);
    return group === String(pid) && state !== "Z" && state !== "X";
  });
}

/** The fields of `stat` from the third on: what comes before may hold blanks and brackets. */
function statFields(process: string): string[] {
  const stat = readText(`${process}/stat`);
  return stat === null ? [] : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "latin1");
  } catch {
    // The process ended between two looks, which is an answer.
    return null;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ESRCH";
}
