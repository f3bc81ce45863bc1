import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { TEST_STORAGE_KEYS } from "@/server/adapters/encryption/test-encryption";
import type { FaultBuild } from "./fault-build";
import { outputOf, type ProcessOutput } from "./process-output";

export interface WorkerSetting {
  readonly build: FaultBuild;
  readonly databaseUrl: string;
  readonly dataDirectory: string;
  readonly workspaceDirectory: string;
  /** `act|point|n`, as faults/armed.ts reads it. */
  readonly fault?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

/** A worker of the fault build, in a process group of its own. */
export interface WorkerProcess {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly output: ProcessOutput;
  /** Resolves once it takes deliveries; rejects where it ended before. */
  readonly ready: Promise<void>;
  /** The signal that ended it, or null where it ended by itself. Settles when it is gone. */
  readonly exited: Promise<NodeJS.Signals | null>;
  isRunning(): boolean;
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** What processes of the product share in a run of faults. */
export const SECRETS = {
  BINDERY_SESSION_SECRET: "a secret of the tests that is long enough",
  BINDERY_LINK_KEYS: "k1:a secret of the tests that is long enough",
  // What the processes seal is opened by the checker.
  BINDERY_STORAGE_KEYS: TEST_STORAGE_KEYS.map(([id, key]) => `${id}:${key}`).join(","),
} as const;

/** Starts a worker. Every stage leaves its output, so that whatever it had finished can be seen not to run again. */
export function startWorker(setting: WorkerSetting): WorkerProcess {
  const { build, databaseUrl, dataDirectory, workspaceDirectory, fault, variables = {} } = setting;
  const child = spawn(process.execPath, ["--disable-warning=DeprecationWarning", build.workerPath], {
    env: {
      PATH: process.env.PATH ?? "",
      NODE_ENV: "test",
      DATABASE_URL: databaseUrl,
      BINDERY_DATA_DIR: dataDirectory,
      BINDERY_WORKSPACE_DIR: workspaceDirectory,
      BINDERY_CHILD_PATH: build.childPath,
      BINDERY_STAGE_SECONDS: "0",
      ...SECRETS,
      ...(fault === undefined ? {} : { BINDERY_FAULT: fault }),
      ...variables,
    },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const output = outputOf(child);
  let isRunning = true;
  const exited = once(child, "exit").then(([, signal]) => {
    isRunning = false;
    return signal as NodeJS.Signals | null;
  });
  const ready = Promise.race([
    once(child, "message").then(() => undefined),
    exited.then(() => Promise.reject(new Error(`A worker did not start: ${output.text().slice(-500)}`))),
  ]);
  // Whoever does not wait for it is not told.
  ready.catch(() => undefined);
  const end = async (signal: NodeJS.Signals = "SIGKILL") => {
    if (isRunning) child.kill(signal);
    await exited;
  };
  return { process: child, pid: child.pid ?? 0, output, ready, exited, isRunning: () => isRunning, end };
}
