import { PrismaPg } from "@prisma/adapter-pg";
import { type Actor, idOfActor } from "@/server/domain/access";
import { type Prisma, PrismaClient } from "./generated/client";

export type Transaction = Prisma.TransactionClient;

export interface Database {
  /**
   * Runs `work` in one transaction on behalf of `actor`; the only door to the database. The actor and its tenant are set inside the
   * transaction, so that nothing leaks into the next user of the connection.
   */
  transact<Result>(actor: Actor, work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** The process's role in the database. Neither owns a table. */
export type DatabaseRole = "bindery_web" | "bindery_worker";

export interface DatabaseOptions {
  readonly url: string;
  readonly role: DatabaseRole;
  readonly connectionsMax: number;
}

/**
 * A process that stands still in the middle of a transaction would hold its locks for as long as it stands: the server ends its session
 * instead. Longer than any work of ours is idle within one.
 */
const IDLE_MS_MAX = { bindery_web: 15_000, bindery_worker: 8_000 } as const satisfies Record<DatabaseRole, number>;
// A burst of submissions may queue for a connection; it is served rather than refused.
const WAIT_MS_MAX = 15_000;
const TRANSACTION_MS_MAX = 30_000;

/** Opens a pool of connections that work under the given role. */
export function openDatabase(options: DatabaseOptions): Database {
  const adapter = new PrismaPg({
    connectionString: options.url,
    options: `-c role=${options.role} -c idle_in_transaction_session_timeout=${IDLE_MS_MAX[options.role]}`,
    max: options.connectionsMax,
    application_name: options.role,
  });
  const client = new PrismaClient({ adapter });
  return {
    transact: (actor, work) =>
      client.$transaction(
        async (tx) => {
          const tenant = actor.type === "system" ? "" : (actor.tenantId ?? "");
          const who = idOfActor(actor);
          await tx.$queryRaw`SELECT set_config('bindery.tenant_id', ${tenant}, true), set_config('bindery.actor', ${who}, true)`;
          return work(tx);
        },
        { maxWait: WAIT_MS_MAX, timeout: TRANSACTION_MS_MAX },
      ),
    close: () => client.$disconnect(),
  };
}

/** Lets statements of this transaction wait so long for a lock, and then fail as `isLockTimeout` tells. */
export async function limitLockWaits(tx: Transaction, ms: number): Promise<void> {
  await tx.$executeRaw`SELECT set_config('lock_timeout', ${String(ms)}, true)`;
}

/** True where a statement gave up waiting for a lock (SQLSTATE 55P03, lock_not_available). */
export function isLockTimeout(error: unknown): boolean {
  const meta: unknown = Reflect.get(Object(error), "meta");
  return error instanceof Error && (error.message.includes("55P03") || JSON.stringify(meta ?? null).includes("55P03"));
}
