import type { PgBoss } from "pg-boss";
import { parseId } from "@/server/domain/ids";
import type { QueueName } from "@/server/queue/boss";

/** Future deliveries send no notification: a waiting worker looks this often. */
const POLL_SECONDS = 1;

export interface Consumer {
  readonly queue: QueueName;
  /** Deliveries worked on at once. */
  readonly concurrency: number;
  /** Does the work a delivery asks for. Must not throw for a packet's sake: the queue does not retry. */
  handle(delivery: { jobId?: unknown; sourceId?: unknown }): Promise<void>;
  /** Told when handling failed for a reason nobody expected. */
  onError(error: unknown): void;
}

/** Subscribes to one queue: a delivery in, one piece of work out. */
export async function consume(boss: PgBoss, consumer: Consumer): Promise<void> {
  const { queue, concurrency } = consumer;
  const options = {
    localConcurrency: concurrency,
    pollingIntervalSeconds: POLL_SECONDS,
    notifyPollingIntervalSeconds: POLL_SECONDS,
  };
  await boss.work<{ jobId?: unknown; sourceId?: unknown }>(queue, options, async (deliveries) => {
    try {
      for (const delivery of deliveries) await consumer.handle(delivery.data);
    } catch (error) {
      consumer.onError(error);
    } finally {
      // A slot that has just become free looks again at once instead of sleeping out its interval.
      for (const worker of boss.getWipData()) if (worker.name === queue) boss.notifyWorker(worker.id);
    }
  });
}

/** Returns the id that a delivery names, or null where it is not one of ours. */
export function idIn(noun: "job" | "source", delivery: { jobId?: unknown; sourceId?: unknown }) {
  return parseId(noun, noun === "job" ? delivery.jobId : delivery.sourceId);
}
