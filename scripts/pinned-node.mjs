// @ts-check
import { spawn } from "node:child_process";
import { PINNED_NODE, ROOT } from "./install.mjs";

/**
 * Runs a script under the pinned Node with our terminal and returns its exit code. The child ends when we end, however
 * we end, because the channel between us closes; with-parent.mjs listens for that.
 * @param {string} script path from the repository's folder
 * @param {readonly string[]} args
 * @returns {Promise<number>}
 */
export async function runOnPinnedNode(script, args) {
  const child = spawn(
    PINNED_NODE,
    ["--disable-warning=ExperimentalWarning", "--import", "./scripts/with-parent.mjs", script, ...args],
    {
      cwd: ROOT,
      env: { ...process.env, BINDERY_PARENT: String(process.pid) },
      stdio: ["inherit", "inherit", "inherit", "ipc"],
    },
  );
  // A terminal's Ctrl-C reaches the child by itself; SIGTERM on top of it changes nothing there, and covers a SIGINT
  // that was sent to npm or to us alone.
  const stop = () => child.kill("SIGTERM");
  process.on("SIGINT", stop).on("SIGTERM", stop).on("SIGHUP", stop);
  const orphaned = watchParent(stop);
  const [code, signal] = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (...how) => resolve(how));
  });
  clearInterval(orphaned);
  return signal ? 1 : (code ?? 1);
}

/**
 * Calls `stop` when npm, which started us, is gone without having told us (SIGKILL).
 * @param {() => void} stop
 */
function watchParent(stop) {
  const parent = process.ppid;
  if (!process.env.npm_lifecycle_event) return undefined;
  return setInterval(() => {
    if (process.ppid !== parent) stop();
  }, 500);
}
