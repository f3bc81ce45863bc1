import pg from "pg";
import type { Transaction } from "./client";

/** The first half of the lock's name: nobody else locks under it. */
const PRESENCE = 0x62696e64;
const AGAIN_MS = 1_000;

export interface Presence {
  close(): Promise<void>;
}

/**
 * Holds a lock in the database for as long as this worker's process lives: when it dies, however it dies, the server lets go of the lock
 * at once. Others can so tell a dead worker from a slow one. A connection that is lost is opened again.
 */
export async function holdPresence(url: string, workerId: string): Promise<Presence> {
  let isClosed = false;
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  const again = (): void => {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(() => void open().catch(again), AGAIN_MS);
  };
  const open = async (): Promise<void> => {
    const opened = new pg.Client({
      connectionString: url,
      options: "-c role=bindery_worker",
      application_name: "bindery_worker presence",
      keepAlive: true,
    });
    // A connection that fails says so by ending, and the next one is tried then; one that never began rejects below.
    opened.on("error", () => undefined);
    await opened.connect();
    await opened.query("SELECT pg_advisory_lock($1, hashtext($2))", [PRESENCE, workerId]);
    opened.once("end", again);
    client = opened;
  };
  await open();
  return {
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await client?.end();
    },
  };
}

/**
 * Ends the leases of workers that are no longer there. Returns how many. Where a worker's lock can be had, its process is gone, and its
 * work need not wait until the lease runs out; should it only have lost its connection, its writes are fenced like those of any stale
 * attempt. [C141]
 */
export async function lapseLeasesOfTheDead(tx: Transaction, now: Date): Promise<number> {
  const holders = await tx.$queryRaw<{ workerId: string }[]>`
    SELECT DISTINCT "worker_id" AS "workerId" FROM "jobs"
    WHERE "state" IN ('running', 'published') AND "lease_until" >= ${now}`;
  let lapsed = 0;
  for (const { workerId } of holders) {
    const [answer] = await tx.$queryRaw<{ isDead: boolean }[]>`
      SELECT pg_try_advisory_xact_lock(${PRESENCE}::int, hashtext(${workerId})) AS "isDead"`;
    if (answer?.isDead !== true) continue;
    lapsed += await tx.$executeRaw`
      UPDATE "jobs" SET "lease_until" = ${new Date(now.getTime() - 1)}
      WHERE "worker_id" = ${workerId} AND "state" IN ('running', 'published') AND "lease_until" >= ${now}`;
  }
  return lapsed;
}
