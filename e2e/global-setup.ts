import { fork } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../scripts/free-port.mjs";

/** What `scripts/run.mjs` tells the process that started it once web and worker are ready. */
interface Ready {
  readonly type: "ready";
  readonly url: string;
  readonly databaseUrl: string;
  readonly signIns: readonly { who: string; email: string; password: string }[];
}

/**
 * Starts the built product exactly as `npm start` does, on a free port with a database and data folder of its own, and
 * stops it after the last test. Tests read where it is and the demo sign-ins from the environment (see fixtures.ts).
 */
export default async function globalSetup(): Promise<(() => Promise<void>) | undefined> {
  // Somebody has started it already, to write tests without waiting each time.
  if (process.env.BINDERY_E2E) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "bindery-e2e-"));
  // The database server's own account must be able to pass through.
  chmodSync(folder, 0o711);
  const product = fork("scripts/run.mjs", {
    env: {
      ...process.env,
      BINDERY_DATA_DIR: folder,
      DATABASE_URL: "",
      BINDERY_URL: "",
      BINDERY_PARENT: String(process.pid),
      PORT: String(await freePort()),
    },
    execArgv: ["--disable-warning=ExperimentalWarning", "--import", "./scripts/with-parent.mjs"],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let said = "";
  for (const stream of [product.stdout, product.stderr])
    stream?.setEncoding("utf8").on("data", (text) => (said += text));
  const ready = await Promise.race([
    once(product, "message").then(([message]: Ready[]) => message),
    once(product, "exit").then(() => undefined),
  ]);
  if (!ready) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`The product did not start:\n${said}`);
  }
  process.env.BINDERY_E2E = JSON.stringify({ ...ready, dataFolder: folder, pid: product.pid });
  return async () => {
    const exited = once(product, "exit");
    product.kill("SIGTERM");
    await exited;
    rmSync(folder, { recursive: true, force: true });
  };
}
