// @ts-check
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { PlainError } from "./plain-error.mjs";

/**
 * Deals with the lock of an earlier server: waits for one that is shutting down, refuses where it stays, and removes
 * the lock where its process number now belongs to something else.
 * @param {string} dataFolder
 */
export async function releaseLock(dataFolder) {
  const lock = join(dataFolder, "postmaster.pid");
  for (let waited = 0; existsSync(lock); waited += 100) {
    const pid = Number.parseInt(readFileSync(lock, "utf8"), 10);
    if (!isServer(pid)) return rmSync(lock, { force: true });
    if (waited >= 5_000) {
      throw new PlainError(
        `The database in ${dataFolder} is in use: Bindery already runs from this folder (process ${pid}).`,
      );
    }
    await wait(100);
  }
}

/** @param {number} pid */
function isServer(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[0]?.endsWith("postgres") ?? false;
  } catch {
    return true; // No /proc here: believe the lock rather than break a running server.
  }
}
