// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { ROOT } from "./install.mjs";
import { PlainError } from "./plain-error.mjs";

/**
 * A process of ours, in a session of its own so that a terminal's Ctrl-C does not reach it, and with a channel to us so
 * that it ends when we end.
 * @param {readonly string[]} args of the pinned Node
 * @param {{ env?: NodeJS.ProcessEnv, output: "pipe" | number }} options where its output goes: to us, or to an open file
 */
export function startChild(args, { env = {}, output }) {
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "--import", "./scripts/with-parent.mjs", ...args],
    {
      cwd: ROOT,
      env: { ...process.env, ...env, BINDERY_PARENT: String(process.pid) },
      detached: true,
      stdio: ["ignore", output, output, "ipc"],
    },
  );
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();

/** Ends every process that `startChild` started and that still runs. */
export async function endAllChildren() {
  await Promise.all([...running].map((child) => endChild(child, 2_000)));
}

/**
 * Asks a process to end, insists after `graceMs`, and then ends what it left in its process group.
 * @param {import("node:child_process").ChildProcess} child @param {number} graceMs
 */
export async function endChild(child, graceMs) {
  if (child.pid === undefined) return;
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, "exit");
    child.kill(graceMs > 0 ? "SIGTERM" : "SIGKILL");
    const insist = setTimeout(() => child.kill("SIGKILL"), graceMs);
    await exited;
    clearTimeout(insist);
  }
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // Nobody is left in the group: as it should be.
  }
}

/**
 * Runs a process to its end and returns what it wrote to stdout. Throws PlainError with all its output where it fails.
 * @param {readonly string[]} args of the pinned Node
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<string>}
 */
export async function outputOf(args, env) {
  const child = startChild(args, { env, output: "pipe" });
  let out = "";
  let all = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk) => {
    out += chunk;
    all += chunk;
  });
  child.stderr?.setEncoding("utf8").on("data", (chunk) => (all += chunk));
  const [code, signal] = await once(child, "close");
  if (code === 0) return out;
  const step = args.map((arg) => arg.replace(/^.*\/(?=[^/]*$)/, "")).join(" ");
  throw new PlainError(`${step} failed (${signal ?? `exit code ${code}`}):\n${all.trim()}`);
}

/**
 * As `outputOf`, for a step whose output matters only when it fails.
 * @param {readonly string[]} args @param {NodeJS.ProcessEnv} [env]
 */
export async function runQuietly(args, env) {
  await outputOf(args, env);
}
