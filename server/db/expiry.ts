import type { Transaction } from "./client";

/** Returns previews past their minutes whose bytes are still there. At most `most`. */
export async function listExpiredPreviews(tx: Transaction, now: Date, most: number) {
  return tx.preview.findMany({ where: { expiresAt: { lte: now }, erasedAt: null }, take: most });
}

/** Says that a preview's bytes are gone. */
export async function markPreviewErased(tx: Transaction, jobId: string, erasedAt: Date): Promise<void> {
  await tx.preview.update({ where: { jobId }, data: { erasedAt } });
}

/** Returns uploads past their deadline whose bytes are still there. At most `most`. */
export async function listExpiredSources(tx: Transaction, now: Date, most: number) {
  return tx.source.findMany({
    where: { eraseBy: { lte: now }, erasedAt: null },
    select: { id: true, eraseBy: true },
    take: most,
  });
}

/** Says that an upload's bytes are gone, and forgets its name. */
export async function markSourceErased(tx: Transaction, sourceId: string, erasedAt: Date): Promise<void> {
  await tx.source.update({ where: { id: sourceId }, data: { erasedAt, title: "", findings: [] } });
}

/** Deletes payloads past their deadline. Returns how many. */
export async function deleteExpiredPayloads(tx: Transaction, now: Date): Promise<number> {
  const deleted = await tx.payload.deleteMany({ where: { eraseBy: { lte: now } } });
  return deleted.count;
}
