import type { Database } from "@/server/db/client";
import { listExpiredStagedFiles, markStagedFilesErased } from "@/server/db/staged-files";
import type { StagedKey } from "@/server/domain/ids";
import type { Archive } from "@/server/ports/archive";
import type { Clock } from "@/server/ports/clock";
import { WORKER } from "../journal";

const MOST = 500;
/** With so many that cannot be removed it is the store that is in trouble, not they: the next run asks again. */
const STUCK_MOST = 2_000;
/** Longer than any attempt: what a worker that died had announced so long ago, nobody is storing any more. */
const ABANDONED_MS = 60 * 60_000;

export interface ErasedStagedFiles {
  readonly count: number;
  /** What could not be removed now and is tried again. */
  readonly failed: number;
  /** How far past its deadline the latest of them was, in milliseconds. */
  readonly lagMsMax: number;
}

/**
 * Removes what stages left, once the deadline of its job has come or its job has no further use for it: the bytes first, then it is said on
 * their rows, so that none lie unknown. What cannot be removed keeps nothing else. Can run twice, and beside live work. [C324,C465]
 */
export async function eraseStagedFiles(tools: {
  readonly db: Database;
  readonly clock: Clock;
  readonly staging: Archive<StagedKey>;
}): Promise<ErasedStagedFiles> {
  const now = tools.clock.now();
  const abandoned = new Date(now.getTime() - ABANDONED_MS);
  const stuck: StagedKey[] = [];
  let count = 0;
  let lagMsMax = 0;
  for (;;) {
    const expired = await tools.db.transact(WORKER, (tx) =>
      listExpiredStagedFiles(tx, { now, abandoned, except: stuck, most: MOST }),
    );
    const gone: StagedKey[] = [];
    for (const { key, eraseBy } of expired) {
      try {
        await tools.staging.erase(key);
        gone.push(key);
        lagMsMax = Math.max(lagMsMax, now.getTime() - eraseBy.getTime());
      } catch {
        // Counted, and found again the next time.
        stuck.push(key);
      }
    }
    await tools.db.transact(WORKER, (tx) => markStagedFilesErased(tx, gone, now));
    count += gone.length;
    if (expired.length < MOST || stuck.length >= STUCK_MOST) return { count, failed: stuck.length, lagMsMax };
  }
}
