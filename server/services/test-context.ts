import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { MemoryArchive } from "@/server/adapters/archive/memory";
import { type ManualClock, manualClock } from "@/server/adapters/clock/manual";
import { type DatabaseRole, openDatabase } from "@/server/db/client";
import type { Actor, PersonActor, Reach } from "@/server/domain/access";
import {
  type ArtifactKey,
  digestOf,
  newId,
  type PreviewKey,
  type SourceId,
  type SourceKey,
  sourceKey,
  type TenantId,
  type UserId,
} from "@/server/domain/ids";
import { LANE } from "@/server/domain/lane";
import { openSender } from "@/server/queue/boss";
import { bulkEnqueuer, enqueuer } from "@/server/queue/enqueue";
import type { Context } from "./context";

/** The day on which tests take place, in the zone of their tenants. */
export const TODAY = "2026-12-01";
const SEED: Actor = { type: "system", name: "seed" };

/** What use cases are given in tests: the real database under the web process's role, the real queue, a clock that the test moves. */
export interface TestContext extends Context {
  readonly databaseUrl: string;
  readonly clock: ManualClock;
  /** Runs a statement as the owner of the tables: to look at rows, or to do what no process of ours may. */
  sql<Row extends pg.QueryResultRow = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
  ): Promise<Row[]>;
  /** Runs a statement under the role of one of our processes. */
  sqlAs(role: DatabaseRole, text: string, values?: readonly unknown[]): Promise<unknown[]>;
  close(): Promise<void>;
}

export type Stores = Pick<Context, "archive" | "previews" | "sources">;

function inMemory(): Stores {
  return {
    archive: new MemoryArchive<ArtifactKey>(),
    previews: new MemoryArchive<PreviewKey>(),
    sources: new MemoryArchive<SourceKey>(),
  };
}

/** Opens a test context on a migrated database. Its archives live in memory where none are given, its uploads in a directory of its own. */
export async function openTestContext(
  databaseUrl: string,
  stores: Stores = inMemory(),
  startAt = new Date(`${TODAY}T09:00:00Z`),
): Promise<TestContext> {
  const owner = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  const db = openDatabase({ url: databaseUrl, role: "bindery_web", connectionsMax: 10 });
  const boss = await openSender(databaseUrl, () => undefined);
  const directory = await mkdtemp(join(tmpdir(), "bindery-test-"));
  return {
    databaseUrl,
    db,
    enqueue: enqueuer(boss),
    enqueueMany: bulkEnqueuer(boss),
    clock: manualClock(startAt),
    ...stores,
    lanes: LANE,
    incomingDirectory: join(directory, "incoming"),
    uploadBytesMax: 1024 * 1024,
    linkKeys: [["k1", "a secret of the tests, long enough to sign with"]],
    linkMsMax: 5 * 60_000,
    sql: async (text, values = []) => (await owner.query(text, [...values])).rows,
    sqlAs: async (role, text, values = []) => {
      const client = await owner.connect();
      try {
        await client.query(`SET ROLE ${role}`);
        return (await client.query(text, [...values])).rows;
      } finally {
        await client.query("RESET ROLE");
        client.release();
      }
    },
    close: async () => {
      await boss.stop({ graceful: false, close: true });
      await db.close();
      await owner.end();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Adds a tenant with limits as given, and returns its id. */
export async function addTenant(
  context: TestContext,
  tenant: { name?: string; kinds?: string[]; outstandingMax?: number; strictSources?: boolean } = {},
): Promise<TenantId> {
  const id = newId("tenant");
  const createdAt = context.clock.now();
  await context.db.transact(SEED, (tx) =>
    tx.tenant.create({ data: { id, slug: id, name: "Harbour & Lane", createdAt, ...tenant } }),
  );
  return id;
}

/** Adds somebody to a tenant, and returns them as they act for it. */
export async function addPerson(
  context: TestContext,
  tenantId: TenantId,
  person: Partial<Reach> & { email?: string; name?: string; passwordHash?: string } = {},
): Promise<PersonActor & { tenantId: TenantId; reach: Reach }> {
  const userId = newId("user");
  const createdAt = context.clock.now();
  const { email = `${userId}@example.org`, name = "Marit Solheim", passwordHash = null } = person;
  const reach: Reach = { role: person.role ?? "coordinator", kinds: person.kinds ?? [], scopes: person.scopes ?? [] };
  await context.db.transact(SEED, async (tx) => {
    await tx.user.create({ data: { id: userId, email, name, passwordHash, createdAt } });
    await tx.membership.create({
      data: { tenantId, userId, role: reach.role, kinds: [...reach.kinds], scopes: [...reach.scopes], createdAt },
    });
  });
  return { type: "person", userId, sessionId: newId("session"), tenantId, reach, isOperator: false };
}

/** Returns an operator, who belongs to no tenant. */
export function anOperator(): PersonActor {
  return {
    type: "person",
    userId: newId("user"),
    sessionId: newId("session"),
    tenantId: null,
    reach: null,
    isOperator: true,
  };
}

/** Returns the actor as they are while they act for another tenant, or for none. */
export function actingFor(actor: PersonActor, tenantId: TenantId | null, reach: Reach | null): PersonActor {
  return { ...actor, tenantId, reach };
}

export interface StoredSource {
  readonly title?: string;
  readonly purpose?: string;
  readonly state?: "inspecting" | "accepted" | "refused";
  readonly bytes?: Uint8Array;
  readonly mediaType?: string;
  readonly pages?: number;
  readonly eraseBy?: Date;
}

/** Adds an upload of the tenant as an inspection would have left it, with its bytes in the store. */
export async function addSource(
  context: TestContext,
  tenantId: TenantId,
  source: StoredSource = {},
): Promise<SourceId> {
  const id = newId("source");
  const bytes = source.bytes ?? new TextEncoder().encode(`%PDF-1.7 ${id}`);
  const digest = digestOf(bytes);
  await withFile(bytes, (path) => context.sources.commit(sourceKey(id, "bytes"), path, digest));
  const createdAt = context.clock.now();
  const { state = "accepted", purpose = "pages" } = source;
  await context.db.transact(SEED, (tx) =>
    tx.source.create({
      data: {
        id,
        tenantId,
        purpose,
        title: source.title ?? "Code of conduct",
        bytes: bytes.length,
        digest,
        state,
        mediaType: source.mediaType ?? (purpose === "pages" ? "application/pdf" : "text/csv"),
        pages: state === "accepted" && purpose === "pages" ? (source.pages ?? 1) : 0,
        failureCode: state === "refused" ? "source_malformed" : null,
        createdAt,
        eraseBy: source.eraseBy ?? new Date(createdAt.getTime() + 7 * 86_400_000),
      },
    }),
  );
  return id;
}

/** Puts a source into the tenant's library, and returns the document's id. */
export async function addPolicy(
  context: TestContext,
  tenantId: TenantId,
  policy: { sourceId: SourceId; title?: string; retiredAt?: Date },
): Promise<string> {
  const id = newId("library");
  const { sourceId, title = "Code of conduct", retiredAt = null } = policy;
  await context.db.transact(SEED, (tx) =>
    tx.libraryDocument.create({
      data: { id, tenantId, type: "policy", title, sourceId, createdAt: context.clock.now(), retiredAt },
    }),
  );
  return id;
}

/** Returns how many rows each table holds, the queue's included: to see that something wrote nothing. */
export async function countRows(context: TestContext): Promise<Readonly<Record<string, number>>> {
  const tables = await context.sql<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' ORDER BY 1`,
  );
  const counts: Record<string, number> = {};
  for (const name of [...tables.map((table) => table.name), "pgboss.job"]) {
    const [row] = await context.sql<{ count: string }>(`SELECT count(*) FROM ${name}`);
    counts[name] = Number(row?.count);
  }
  return counts;
}

/** Runs `work` with a file of these bytes, which is gone afterwards. */
export async function withFile<Result>(bytes: Uint8Array, work: (path: string) => Promise<Result>): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), "bindery-test-"));
  try {
    const path = join(directory, "bytes");
    await writeFile(path, bytes);
    return await work(path);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Adds a person who belongs to no tenant, such as a recipient before their first packet; returns their id. */
export async function addUser(context: TestContext, email: string): Promise<UserId> {
  const id = newId("user");
  await context.db.transact(SEED, (tx) =>
    tx.user.create({ data: { id, email, name: "Zoë Łukaszewicz", createdAt: context.clock.now() } }),
  );
  return id;
}
