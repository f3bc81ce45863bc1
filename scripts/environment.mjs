// @ts-check
import { randomBytes } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { ROOT } from "./install.mjs";
import { PlainError } from "./plain-error.mjs";

/**
 * What the processes are started with. `databaseUrl` is null where the embedded database is to be used.
 * @typedef {{ port: number, url: string, dataFolder: string, databaseUrl: string | null, variables: NodeJS.ProcessEnv }} Environment
 */

/**
 * Reads and checks the environment (and .env, which does not override it) before anything costly begins.
 * Throws PlainError naming the variable or folder.
 * @returns {Promise<Environment>}
 */
export async function readEnvironment() {
  if (existsSync(join(ROOT, ".env"))) process.loadEnvFile(join(ROOT, ".env"));
  const port = readPort(process.env.PORT);
  await refuseTakenPort(port);
  const dataFolder = resolve(ROOT, process.env.BINDERY_DATA_DIR || ".data");
  for (const folder of [dataFolder, join(ROOT, ".build"), join(ROOT, ".next")]) refuseUnwritable(folder);
  const databaseUrl = process.env.DATABASE_URL || null;
  const url = process.env.BINDERY_URL || `http://localhost:${port}`;
  const variables = {
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    PORT: String(port),
    BINDERY_URL: url,
    NEXTAUTH_URL: url,
    BINDERY_DATA_DIR: dataFolder,
    ...keptSecrets(dataFolder),
  };
  await refuseBadVariables({
    ...process.env,
    ...variables,
    DATABASE_URL: databaseUrl ?? "postgresql://postgres@127.0.0.1/bindery",
  });
  return { port, url: `http://localhost:${port}`, dataFolder, databaseUrl, variables };
}

/** @param {string | undefined} text */
function readPort(text) {
  if (!text) return 3000;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new PlainError("PORT must be a whole number from 1 to 65535.");
}

/** @param {number} port */
async function refuseTakenPort(port) {
  // Both: a server may hold only the loopback address, and the pages listen on all.
  for (const host of ["127.0.0.1", undefined]) {
    const server = createServer();
    /** @type {NodeJS.ErrnoException | null} */
    const trouble = await new Promise((done) => {
      server.once("error", done).listen({ port, host }, () => server.close(() => done(null)));
    });
    if (trouble?.code === "EACCES")
      throw new PlainError(
        `Port ${port} needs more rights than this account has: choose one above 1023, for example PORT=3000 npm start.`,
      );
    if (trouble)
      throw new PlainError(
        `Port ${port} is taken: stop what uses it, or choose another, for example PORT=${port === 3000 ? 3001 : 3000} npm start.`,
      );
  }
}

/** @param {string} folder */
function refuseUnwritable(folder) {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new PlainError(
      `Bindery cannot write to ${folder}: give this account the right to, or run it from a folder of its own.`,
      { cause },
    );
  }
}

/**
 * Returns secrets for the variables that are not set: made on the first start and kept, so that sessions and links
 * survive a restart.
 * @param {string} dataFolder
 */
function keptSecrets(dataFolder) {
  const file = join(dataFolder, "secrets.json");
  /** @type {Record<string, string>} */
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const made = {
    BINDERY_SESSION_SECRET: randomBytes(32).toString("hex"),
    BINDERY_LINK_KEYS: `k1:${randomBytes(32).toString("hex")}`,
    BINDERY_STORAGE_KEYS: `k1:${randomBytes(32).toString("hex")}`,
    ...kept,
  };
  if (Object.keys(made).length > Object.keys(kept).length) writeFileSync(file, JSON.stringify(made), { mode: 0o600 });
  return Object.fromEntries(Object.entries(made).filter(([name]) => !process.env[name]));
}

/** @param {NodeJS.ProcessEnv} variables */
async function refuseBadVariables(variables) {
  const { parseEnv } = await import(join(ROOT, "server/env.ts"));
  try {
    parseEnv(variables);
  } catch (cause) {
    throw new PlainError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
