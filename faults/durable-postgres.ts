import { readFileSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { migrate } from "@/scripts/migrate.mjs";
import { type Postgres, startPostgres } from "@/scripts/postgres.mjs";
import { installQueues } from "@/server/queue/boss";
import { projectRoot } from "./project-root";

/** A PostgreSQL that keeps what it acknowledges, and that can be stopped hard. */
export interface DurablePostgres {
  url(database: string): string;
  /** The port it listens on now: another after each restart. */
  port(): number;
  /** Makes a migrated database with its queues. */
  newDatabase(): Promise<string>;
  dropDatabase(name: string): Promise<void>;
  /** What it wrote to its log so far. */
  log(): string;
  /** `fast` and `immediate`: as pg_ctl stop -m. `kill`: the postmaster is gone at once. */
  stop(how: "fast" | "immediate" | "kill"): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** https://www.postgresql.org/docs/18/server-shutdown.html */
const SIGNALS = { fast: "SIGINT", immediate: "SIGQUIT", kill: "SIGKILL" } as const;
const TEMPLATE = "bindery_faults";
/** After a hard stop the old server's processes may hold its memory for a moment. */
const STARTS_MAX = 20;

/** Starts a server of this run's own, and refuses one that would lose what it acknowledged. */
export async function openDurablePostgres(): Promise<DurablePostgres> {
  const folder = await mkdtemp(join(tmpdir(), "bindery-faults-pg-"));
  // The server's own account must be able to pass through; the data folder inside is private to it.
  await chmod(folder, 0o711);
  let server = await startPostgres({ dataFolder: join(folder, "data") });
  const { dataFolder } = server;
  let made = 0;
  await prepare(server);
  const url = (database: string) => server.url(database);
  return {
    url,
    port: () => Number(new URL(url("postgres")).port),
    newDatabase: async () => {
      made += 1;
      const name = `bindery_faults_${made}`;
      await onServer(url("postgres"), `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
      return name;
    },
    dropDatabase: async (name) => {
      await onServer(url("postgres"), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
    log: () => readFileSync(`${dataFolder}.log`, "utf8"),
    stop: async (how) => {
      process.kill(postmasterIn(dataFolder), SIGNALS[how]);
      await server.exited;
    },
    start: async () => {
      server = await started(dataFolder);
    },
    close: async () => {
      await server.stop();
      for (const path of [dataFolder, folder]) await rm(path, { recursive: true, force: true });
    },
  };
}

async function prepare(server: Postgres): Promise<void> {
  for (const setting of ["fsync", "synchronous_commit", "full_page_writes"]) {
    const [row] = await onServer(server.url("postgres"), `SHOW ${setting}`);
    if (row?.[setting] !== "on") throw new Error(`Faults are only worth something with ${setting} on.`);
  }
  await onServer(server.url("postgres"), `CREATE DATABASE ${TEMPLATE}`);
  const url = server.url(TEMPLATE);
  await migrate({ url, folder: join(projectRoot(), "prisma/migrations") });
  await installQueues(url, async (sql) => void (await onServer(url, sql)));
}

async function started(dataFolder: string): Promise<Postgres> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startPostgres({ dataFolder });
    } catch (error) {
      if (tries >= STARTS_MAX) throw error;
      await wait(100);
    }
  }
}

function postmasterIn(dataFolder: string): number {
  return Number.parseInt(readFileSync(join(dataFolder, "postmaster.pid"), "utf8"), 10);
}

/** Runs one statement on a connection of its own. */
export async function onServer(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(sql, [...values])).rows ?? [];
  } finally {
    await client.end().catch(() => undefined);
  }
}
