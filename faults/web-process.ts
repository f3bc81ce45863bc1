import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "@/scripts/free-port.mjs";
import { outputOf, type ProcessOutput } from "./process-output";
import { projectRoot } from "./project-root";
import { SECRETS } from "./worker-process";

/** The web process as `npm start` runs it, on the production build. */
export interface WebProcess {
  readonly url: string;
  readonly output: ProcessOutput;
  /** Resolves once it is ready to serve. */
  readonly ready: Promise<void>;
  readonly exited: Promise<void>;
  /** kill -9 of its whole group. Returns at once. */
  kill(): void;
}

const READY_MS_MAX = 60_000;

/** Starts a web process on a port of its own. */
export async function startWeb(databaseUrl: string, dataDirectory: string): Promise<WebProcess> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const child = spawn(process.execPath, ["node_modules/next/dist/bin/next", "start", "-p", String(port)], {
    cwd: projectRoot(),
    env: {
      PATH: process.env.PATH ?? "",
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
      DATABASE_URL: databaseUrl,
      BINDERY_DATA_DIR: dataDirectory,
      BINDERY_URL: url,
      NEXTAUTH_URL: url,
      ...SECRETS,
    },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = outputOf(child);
  let isRunning = true;
  const exited = once(child, "exit").then(() => {
    isRunning = false;
  });
  const ready = untilReady(url, () => isRunning);
  ready.catch(() => undefined);
  const kill = () => {
    if (!isRunning || child.pid === undefined) return;
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // It ended in the meantime.
    }
  };
  return { url, output, ready, exited, kill };
}

async function untilReady(url: string, isRunning: () => boolean): Promise<void> {
  for (const until = performance.now() + READY_MS_MAX; performance.now() < until && isRunning(); await wait(50)) {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.status === 200) return;
  }
  throw new Error("A web process did not start.");
}
