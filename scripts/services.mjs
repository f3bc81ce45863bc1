// @ts-check
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { endChild, startChild } from "./child-process.mjs";
import { PlainError } from "./plain-error.mjs";

const LOG_BYTES_MAX = 20 * 1024 * 1024;
const RESTARTS_MAX = 5;
const RESTART_WINDOW_MS = 60_000;

/**
 * A long-running process that is started again when it dies. `failed` rejects when it dies before `markReady`, or dies
 * again and again. `stop` asks it to end, waits, and insists.
 * @typedef {{ markReady: () => void, failed: Promise<never>, stop: (options: { force: boolean }) => Promise<void> }} Service
 */

/**
 * @param {{ name: string, args: readonly string[], env: NodeJS.ProcessEnv, logFile: string, onMessage?: (message: unknown) => void }} plan
 * @returns {Service}
 */
export function startService({ name, args, env, logFile, onMessage }) {
  /** @type {(reason: Error) => void} */
  let fail = () => {};
  /** @type {Promise<never>} */
  const failed = new Promise((_, reject) => {
    fail = reject;
  });
  failed.catch(() => {});
  /** @type {number[]} */
  let deaths = [];
  let ready = false;
  let stopping = false;
  let child = launch();

  function launch() {
    const log = openLog(logFile);
    const started = startChild(args, { env, output: log });
    closeSync(log);
    if (onMessage) started.on("message", onMessage);
    started.once("exit", () => onExit());
    started.once("error", () => onExit());
    return started;
  }

  async function onExit() {
    await endChild(child, 0);
    if (stopping) return;
    const now = Date.now();
    deaths = [...deaths.filter((at) => now - at < RESTART_WINDOW_MS), now];
    if (!ready || deaths.length > RESTARTS_MAX) {
      return fail(
        new PlainError(
          `The ${name} ended ${ready ? "again and again" : "before it was ready"}:\n${tail(logFile)}\n(more in ${logFile})`,
        ),
      );
    }
    console.log(`The ${name} ended unexpectedly and is started again.`);
    await wait(deaths.length * 500);
    if (!stopping) child = launch();
  }

  return {
    markReady: () => {
      ready = true;
    },
    failed,
    stop: ({ force }) => {
      stopping = true;
      return endChild(child, force ? 0 : 12_000);
    },
  };
}

/** @param {string} file */
function openLog(file) {
  mkdirSync(dirname(file), { recursive: true });
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES_MAX) renameSync(file, `${file}.1`);
  return openSync(file, "a", 0o600);
}

/** @param {string} file */
function tail(file) {
  return readFileSync(file, "utf8").trim().split("\n").slice(-12).join("\n");
}
