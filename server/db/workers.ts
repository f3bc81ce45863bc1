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
    hasRoom: boolean;
    running: number;
  },
): Promise<void> {
  await tx.workerInstance.upsert({ where: { id: worker.id }, create: worker, update: worker });
}

/** False where workers have been seen since this instant and none of them has room for another working folder. [C67] */
export async function hasWorkspaceRoom(tx: Transaction, since: Date): Promise<boolean> {
  const seen = await tx.workerInstance.findMany({ where: { lastSeenAt: { gte: since } }, select: { hasRoom: true } });
  return seen.length === 0 || seen.some((worker) => worker.hasRoom);
}
