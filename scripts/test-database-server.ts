import { resolve } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { installQueues } from "@/server/queue/boss";
import { migrate } from "./migrate.mjs";
import { startTemporaryPostgres } from "./temporary-postgres.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** The migrated database that test databases are copied from, and the address of the server that holds it. */
    databaseTemplate: { serverUrl: string; name: string };
  }
}

/**
 * Global set-up of the `db` project: a server for this run (or the one that DATABASE_URL_TEST names) with one migrated
 * database, which `createTestDatabase` copies. Everything is gone afterwards.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await testServer();
  const name = `bindery_template_${process.pid}`;
  try {
    await run(server.url, `CREATE DATABASE ${name}`);
    const url = new URL(server.url);
    url.pathname = `/${name}`;
    await migrate({ url: url.href, folder: resolve("prisma/migrations") });
    await installQueues(url.href, (sql) => run(url.href, sql));
  } catch (error) {
    await server.stop();
    throw error;
  }
  project.provide("databaseTemplate", { serverUrl: server.url, name });
  return async () => {
    await run(server.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await server.stop();
  };
}

async function testServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env.DATABASE_URL_TEST;
  if (given) return { url: given, stop: async () => {} };
  const postgres = await startTemporaryPostgres();
  return { url: postgres.url("postgres"), stop: postgres.stop };
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
