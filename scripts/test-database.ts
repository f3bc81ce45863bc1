import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import type {} from "./test-database-server";

/**
 * Gives the calling test file a migrated database of its own, made before its tests and dropped after them. Returns an
 * object whose `url` may be read from within hooks and tests.
 */
export function testDatabase(): { readonly url: string } {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await database?.drop();
  });
  return {
    get url() {
      if (!database) throw new Error("the test database exists only within hooks and tests");
      return database.url;
    },
  };
}

export interface TestDatabase {
  readonly url: string;
  /** Drops the database, whoever is still connected. */
  drop(): Promise<void>;
}

/** Copies the migrated template into a new database and returns its address. For a test that needs more than one. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { serverUrl, name: template } = inject("databaseTemplate");
  const name = `bindery_test_${randomBytes(6).toString("hex")}`;
  await onServer(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => dropDatabase(serverUrl, name) };
}

const OBJECT_IN_USE = "55006";

/**
 * A pool that has just been closed may still be saying goodbye. Cutting it off would reach its test as an uncaught error,
 * so only what holds on is cut off.
 */
async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  for (const until = Date.now() + 3_000; Date.now() < until; await wait(50)) {
    const code = await onServer(serverUrl, `DROP DATABASE IF EXISTS ${name}`).then(
      () => null,
      (error: { code?: string }) => error.code,
    );
    if (code === null) return;
    if (code !== OBJECT_IN_USE) break;
  }
  await onServer(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
