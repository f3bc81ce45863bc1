import type { Transaction } from "./client";
import type { Prisma } from "./generated/client";

const NOT_IN_A_LIBRARY: Prisma.SourceWhereInput = { library: { none: { retiredAt: null } } };

/** Returns previews past their minutes whose bytes are still there. At most `most`. */
export async function listExpiredPreviews(tx: Transaction, now: Date, most: number) {
  return tx.preview.findMany({ where: { expiresAt: { lte: now }, erasedAt: null }, take: most });
}

/** Says that a preview's bytes are gone. */
export async function markPreviewErased(tx: Transaction, jobId: string, erasedAt: Date): Promise<void> {
  await tx.preview.update({ where: { jobId }, data: { erasedAt } });
}

/** Returns uploads past their deadline whose bytes are still there; those in use in a library stay. At most `most`. */
export async function listExpiredSources(tx: Transaction, now: Date, most: number) {
  return tx.source.findMany({
    where: { eraseBy: { lte: now }, erasedAt: null, ...NOT_IN_A_LIBRARY },
    select: { id: true, eraseBy: true },
    orderBy: { eraseBy: "asc" },
    take: most,
  });
}

/**
 * Says that an upload's bytes are gone, and forgets its name. Returns false where it is to be kept after all. A packet that is submitted
 * with it at the same time waits for the end of the caller's transaction, and then finds it gone or kept.
 */
export async function markSourceErased(tx: Transaction, sourceId: string, now: Date): Promise<boolean> {
  const marked = await tx.source.updateMany({
    where: { id: sourceId, eraseBy: { lte: now }, erasedAt: null, ...NOT_IN_A_LIBRARY },
    data: { erasedAt: now, title: "", findings: [] },
  });
  return marked.count === 1;
}

/** Deletes payloads past their deadline. Returns how many. */
export async function deleteExpiredPayloads(tx: Transaction, now: Date): Promise<number> {
  const deleted = await tx.payload.deleteMany({ where: { eraseBy: { lte: now } } });
  return deleted.count;
}

/** Forgets failed sign-ins that no longer count. */
export async function deleteOldSignInFailures(tx: Transaction, before: Date): Promise<void> {
  await tx.signInFailure.deleteMany({ where: { at: { lt: before } } });
}
