import type { Transaction } from "./client";

/** Shows that a worker is alive, and what it holds. */
export async function showWorker(
  tx: Transaction,
  worker: {
    id: string;
    startedAt: Date;
    lastSeenAt: Date;
    rendererBuild: string;
    rssBytes: number;
    workspaceBytes: number;
    running: number;
  },
): Promise<void> {
  await tx.workerInstance.upsert({ where: { id: worker.id }, create: worker, update: worker });
}
