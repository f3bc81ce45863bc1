import { fromPrisma, type PgBoss } from "pg-boss";
import type { Transaction } from "@/server/db/client";
import type { QueueName } from "./boss";

/** What a delivery carries: an opaque id. The row it names is the truth. [C145] */
export type Delivery = { readonly jobId: string } | { readonly sourceId: string };

export interface EnqueueOptions {
  /** Not before this instant. */
  readonly dueAt: Date | null;
  /** Work the tenant has outstanding: the more, the later its next job, so that a newcomer overtakes a flood. [C70] */
  readonly outstanding: number;
}

export type Enqueue = (tx: Transaction, queue: QueueName, delivery: Delivery, options: EnqueueOptions) => Promise<void>;

/** Returns the only sender. It writes the delivery inside the caller's transaction, so that neither exists without the other. */
export function enqueuer(boss: PgBoss): Enqueue {
  return async (tx, queue, delivery, options) => {
    const id = await boss.send(queue, delivery, {
      db: fromPrisma(tx),
      priority: priorityOf(options.outstanding),
      ...(options.dueAt === null ? {} : { startAfter: options.dueAt }),
    });
    if (id === null) throw new Error("The queue did not take a delivery.");
  };
}

/** Deliveries for many jobs in one statement. */
export type EnqueueMany = (
  tx: Transaction,
  deliveries: readonly { readonly queue: QueueName; readonly delivery: Delivery; readonly outstanding: number }[],
) => Promise<void>;

/** Returns the sender of many deliveries at once, due now; in the caller's transaction like every other. */
export function bulkEnqueuer(boss: PgBoss): EnqueueMany {
  return async (tx, deliveries) => {
    for (const [queue, own] of Map.groupBy(deliveries, (each) => each.queue)) {
      const jobs = own.map(({ delivery, outstanding }) => ({ data: delivery, priority: priorityOf(outstanding) }));
      const ids = await boss.insert(queue, jobs, { db: fromPrisma(tx), returnId: true });
      if (ids?.length !== own.length) throw new Error("The queue did not take every delivery.");
    }
  };
}

function priorityOf(outstanding: number): number {
  return -Math.min(outstanding, 1_000_000);
}
