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
      priority: -Math.min(options.outstanding, 1_000_000),
      ...(options.dueAt === null ? {} : { startAfter: options.dueAt }),
    });
    if (id === null) throw new Error("The queue did not take a delivery.");
  };
}
