import type { Database } from "@/server/db/client";
import { listExpiredStagedFiles, markStagedFileErased } from "@/server/db/staged-files";
import type { StagedKey } from "@/server/domain/ids";
import type { Archive } from "@/server/ports/archive";
import type { Clock } from "@/server/ports/clock";
import { WORKER } from "../journal";

const MOST = 500;

export interface ErasedStagedFiles {
  readonly count: number;
  /** What could not be removed now and is tried again. */
  readonly failed: number;
  /** How far past its deadline the latest of them was, in milliseconds. */
  readonly lagMsMax: number;
}

/**
 * Removes what stages left, once the deadline of its job has come: the bytes first, then it is said on their rows, so that none lie
 * unknown. Can run twice, and beside live work. [C465]
 */
export async function eraseStagedFiles(tools: {
  readonly db: Database;
  readonly clock: Clock;
  readonly staging: Archive<StagedKey>;
}): Promise<ErasedStagedFiles> {
  const now = tools.clock.now();
  const expired = await tools.db.transact(WORKER, (tx) => listExpiredStagedFiles(tx, now, MOST));
  let failed = 0;
  let lagMsMax = 0;
  for (const { key, eraseBy } of expired) {
    try {
      await tools.staging.erase(key as StagedKey);
      await tools.db.transact(WORKER, (tx) => markStagedFileErased(tx, key, now));
      lagMsMax = Math.max(lagMsMax, now.getTime() - eraseBy.getTime());
    } catch {
      // Counted, and found again the next time.
      failed += 1;
    }
  }
  return { count: expired.length - failed, failed, lagMsMax };
}
