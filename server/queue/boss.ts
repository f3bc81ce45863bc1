import { PgBoss } from "pg-boss";
import { LANES } from "@/server/domain/lane";

/** The queues: one per lane, and one for files that wait to be inspected. */
export const QUEUES = [...LANES, "inspection"] as const;
export type QueueName = (typeof QUEUES)[number];

const SCHEMA = "pgboss";
const HOUR = 3600;

/** Installs or upgrades the queue's tables and declares the queues. Runs as the owner, before web and worker start. */
export async function installQueues(url: string, grant: (sql: string) => Promise<void>): Promise<void> {
  const boss = new PgBoss({ connectionString: url, schema: SCHEMA, supervise: false, schedule: false, max: 2 });
  boss.on("error", () => {
    // A lost connection shows itself in the calls below, which reject.
  });
  await boss.start();
  try {
    for (const name of QUEUES) {
      const options = {
        // A delivery is only a wake-up call; our job row decides about retries.
        retryLimit: 0,
        notify: true,
        expireInSeconds: HOUR,
        retentionSeconds: 14 * 24 * HOUR,
        deleteAfterSeconds: HOUR,
      };
      if ((await boss.getQueue(name)) === null) await boss.createQueue(name, options);
      else await boss.updateQueue(name, options);
    }
    await grant(`
      GRANT USAGE ON SCHEMA ${SCHEMA} TO bindery_web, bindery_worker;
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${SCHEMA} TO bindery_web, bindery_worker;
      GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${SCHEMA} TO bindery_web, bindery_worker;
      GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${SCHEMA} TO bindery_web, bindery_worker;
    `);
  } finally {
    await boss.stop({ graceful: false, close: true });
  }
}

/** Returns a queue client that only sends. */
export async function openSender(url: string, onError: () => void): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: url,
    options: "-c role=bindery_web",
    schema: SCHEMA,
    supervise: false,
    schedule: false,
    migrate: false,
    max: 2,
  });
  boss.on("error", onError);
  return boss.start();
}

/** Returns a queue client that also works and keeps its tables tidy. */
export async function openWorkerQueue(url: string, onError: () => void): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: url,
    options: "-c role=bindery_worker",
    schema: SCHEMA,
    supervise: true,
    schedule: false,
    migrate: false,
    useListenNotify: true,
    reindex: false,
    monitorVacuum: false,
    max: 6,
  });
  boss.on("error", onError);
  return boss.start();
}
