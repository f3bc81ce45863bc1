import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { openDurablePostgres } from "@/faults/durable-postgres";
import { projectRoot } from "@/faults/project-root";
import type { Actor, PersonActor, Reach } from "@/server/domain/access";
import { newId, type TenantId } from "@/server/domain/ids";
import { parseEnv } from "@/server/env";
import { openWeb, type Web } from "@/server/wiring";

/** The product as it runs, for a measurement: PostgreSQL with fsync on, the web process's services, one real worker. */
export interface Installation {
  readonly web: Web;
  /** Adds a tenant with no limit that would matter, and returns somebody who submits for it. */
  newTenant(): Promise<PersonActor & { tenantId: TenantId; reach: Reach }>;
  sql<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

const SEED: Actor = { type: "system", name: "seed" };

/** The built worker and its child. */
export interface Built {
  readonly workerPath: string;
  readonly childPath: string;
}

/** Returns what `npm run build` made. */
export function builtWorker(): Built {
  const built = join(projectRoot(), ".build/worker");
  return { workerPath: join(built, "main.js"), childPath: join(built, "renderer/child.js") };
}

/** Starts everything in a folder of its own; `close` leaves nothing behind. */
export async function openInstallation({ workerPath, childPath }: Built): Promise<Installation> {
  const directory = await mkdtemp(join(tmpdir(), "bindery-bench-"));
  const postgres = await openDurablePostgres();
  const url = postgres.url(await postgres.newDatabase());
  const variables = {
    DATABASE_URL: url,
    BINDERY_DATA_DIR: join(directory, "data"),
    BINDERY_CHILD_PATH: childPath,
    BINDERY_SESSION_SECRET: "a secret of a measurement, long enough",
    BINDERY_LINK_KEYS: `k1:${"6b".repeat(32)}`,
    BINDERY_STORAGE_KEYS: `k1:${"5a".repeat(32)}`,
    BINDERY_LOG_LEVEL: "error",
  };
  await mkdir(join(directory, "data"), { recursive: true, mode: 0o700 });
  const web = await openWeb(parseEnv(variables));
  const owner = new pg.Pool({ connectionString: url, max: 2 });
  const worker = await startWorker(workerPath, variables);
  return {
    web,
    newTenant: async () => {
      const [tenantId, userId] = [newId("tenant"), newId("user")];
      const createdAt = web.clock.now();
      await web.db.transact(SEED, async (tx) => {
        await tx.tenant.create({
          data: { id: tenantId, slug: tenantId, name: "Harbour & Lane", createdAt, outstandingMax: 100_000 },
        });
        await tx.user.create({
          data: { id: userId, email: `${userId}@example.org`, name: "Marit Solheim", createdAt },
        });
        await tx.membership.create({ data: { tenantId, userId, role: "coordinator", createdAt } });
      });
      const reach: Reach = { role: "coordinator", kinds: [], scopes: [] };
      return { type: "person", userId, sessionId: newId("session"), tenantId, reach, isOperator: false };
    },
    sql: async (text, values = []) => (await owner.query(text, [...values])).rows,
    close: async () => {
      worker.kill("SIGTERM");
      if (worker.exitCode === null) await once(worker, "exit");
      await web.close();
      await owner.end();
      await postgres.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function startWorker(path: string, variables: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const worker = spawn(process.execPath, ["--disable-warning=DeprecationWarning", path], {
    env: { PATH: process.env.PATH ?? "", NODE_ENV: "production", ...variables },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  await Promise.race([
    once(worker, "message"),
    once(worker, "exit").then(() => Promise.reject(new Error("The worker did not start."))),
  ]);
  return worker;
}
