// @ts-check
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { PlainError } from "./plain-error.mjs";

/** Prisma's own lock number, so that the two never migrate one database at the same time. */
const LOCK = 72707369;

/** Prisma's own table, so that `prisma migrate` stays usable on a database that this runner keeps. */
const LEDGER = `
CREATE TABLE IF NOT EXISTS public._prisma_migrations (
  id                  VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum            VARCHAR(64) NOT NULL,
  finished_at         TIMESTAMPTZ,
  migration_name      VARCHAR(255) NOT NULL,
  logs                TEXT,
  rolled_back_at      TIMESTAMPTZ,
  started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

/**
 * Applies every migration of the folder that the database does not have yet, in the order of their names, each file and
 * its ledger row in one transaction, under one lock. Returns the names applied now. Throws PlainError where a file
 * changed after it was applied, is unknown here, failed before, or fails now; an earlier file stays applied then.
 * @param {{ url: string, folder: string }} options
 * @returns {Promise<string[]>}
 */
export async function migrate({ url, folder }) {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect().catch((cause) => {
    throw new PlainError(`The database cannot be reached (${cause.code ?? "no answer"}): check DATABASE_URL.`, {
      cause,
    });
  });
  try {
    await lock(client);
    await client.query(LEDGER);
    const pending = pendingMigrations(readMigrations(folder), await readLedger(client));
    for (const migration of pending) await apply(client, migration);
    return pending.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** @typedef {{ name: string, sql: string, checksum: string }} Migration */
/** @typedef {{ migration_name: string, checksum: string, finished_at: Date | null, rolled_back_at: Date | null }} LedgerRow */

/**
 * Returns the migrations of the folder (`<name>/migration.sql`) in the order of their names.
 * @param {string} folder
 * @returns {Migration[]}
 */
export function readMigrations(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, "migration.sql")))
    .map(({ name }) => name)
    .sort()
    .map((name) => {
      const sql = readFileSync(join(folder, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    });
}

/** @param {Migration[]} migrations @param {LedgerRow[]} ledger */
function pendingMigrations(migrations, ledger) {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  const applied = new Set();
  for (const row of ledger.filter(({ rolled_back_at }) => rolled_back_at === null)) {
    const migration = known.get(row.migration_name);
    if (row.finished_at === null) {
      throw new PlainError(
        `The migration ${row.migration_name} failed earlier: mend the database and resolve it with prisma migrate resolve.`,
      );
    }
    if (!migration) {
      throw new PlainError(
        `The database has the migration ${row.migration_name}, which is not in this copy of Bindery: use a newer copy.`,
      );
    }
    if (migration.checksum !== row.checksum) {
      throw new PlainError(
        `The migration ${row.migration_name} was changed after it was applied: put it back and write a new migration.`,
      );
    }
    applied.add(row.migration_name);
  }
  return migrations.filter(({ name }) => !applied.has(name));
}

/** @param {pg.Client} client */
async function lock(client) {
  await client.query("SET lock_timeout = '60s'");
  await client.query("SELECT pg_advisory_lock($1)", [LOCK]).catch((cause) => {
    throw new PlainError("Another process has been migrating this database for a minute: try again when it is done.", {
      cause,
    });
  });
}

/** @param {pg.Client} client @returns {Promise<LedgerRow[]>} */
async function readLedger(client) {
  const { rows } = await client.query(
    "SELECT migration_name, checksum, finished_at, rolled_back_at FROM public._prisma_migrations",
  );
  return rows;
}

/** @param {pg.Client} client @param {Migration} migration */
async function apply(client, { name, sql, checksum }) {
  try {
    await client.query("BEGIN");
    await client.query("SELECT set_config('bindery.migration', $1, true)", [name]);
    await client.query(sql);
    // A COMMIT inside the file would have published half of it; the setting above lives only as long as our transaction.
    const { rows } = await client.query("SELECT current_setting('bindery.migration', true) AS name");
    if (rows[0]?.name !== name) throw new Error("the file ends the transaction it runs in");
    // A file may have changed role or search path for itself; the ledger row is written as the owner.
    await client.query("RESET SESSION AUTHORIZATION; RESET ROLE; RESET ALL");
    await client.query(
      "INSERT INTO public._prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count) VALUES ($1, $2, clock_timestamp(), $3, now(), 1)",
      [randomUUID(), checksum, name],
    );
    await client.query("COMMIT");
  } catch (cause) {
    await client.query("ROLLBACK").catch(() => {});
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PlainError(`The migration ${name} failed and was taken back: ${reason}`, { cause });
  }
}
