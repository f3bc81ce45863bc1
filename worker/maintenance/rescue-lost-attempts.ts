import type { Database } from "@/server/db/client";
import { countOutstanding } from "@/server/db/jobs";
import { lapseLeasesOfTheDead } from "@/server/db/worker-presence";
import type { TenantId } from "@/server/domain/ids";
import type { Clock } from "@/server/ports/clock";
import type { Enqueue } from "@/server/queue/enqueue";
import { findMissingDeliveries, findUninspected } from "@/server/queue/missing-deliveries";
import { WORKER } from "../journal";

/** What has just become due has a delivery on its way. */
const GRACE_MS = 3_000;
/** An inspection takes a minute at most, and waits for a child before it. */
const INSPECTION_LOST_MS = 3 * 60_000;
const MOST = 500;

/**
 * Ends the leases of dead workers, and inserts a delivery for every due job that nobody holds and nothing will deliver, and for uploads
 * nobody will inspect. A delivery too many is harmless, so this can run twice, and beside live work. Returns how many it sent. [C141,C146]
 */
export async function rescueLostAttempts(tools: { db: Database; clock: Clock; enqueue: Enqueue }): Promise<number> {
  const now = tools.clock.now();
  const before = new Date(now.getTime() - GRACE_MS);
  return tools.db.transact(WORKER, async (tx) => {
    await lapseLeasesOfTheDead(tx, now);
    const missing = await findMissingDeliveries(tx, now, before, MOST);
    for (const { jobId, tenantId, lane } of missing) {
      const outstanding = await countOutstanding(tx, tenantId as TenantId);
      await tools.enqueue(tx, lane, { jobId }, { dueAt: null, outstanding });
    }
    const lostBefore = new Date(now.getTime() - INSPECTION_LOST_MS);
    const uninspected = await findUninspected(tx, { before, lostBefore, most: MOST });
    for (const { sourceId } of uninspected) {
      await tools.enqueue(tx, "inspection", { sourceId }, { dueAt: null, outstanding: 0 });
    }
    return missing.length + uninspected.length;
  });
}
