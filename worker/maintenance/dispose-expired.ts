import { holdExpiredArtifacts, markArtifactsErased } from "@/server/db/artifacts";
import { appendAuditEvents } from "@/server/db/audit-events";
import type { Database } from "@/server/db/client";
import { idOfActor } from "@/server/domain/access";
import type { ArtifactKey } from "@/server/domain/ids";
import { DISPOSAL_RULE, disposition } from "@/server/domain/retention";
import type { Archive } from "@/server/ports/archive";
import type { Clock } from "@/server/ports/clock";
import type { ArchiveRecords } from "../archive-records";
import { WORKER } from "../journal";
import type { RunResult } from "./record-run";

export interface DisposeTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly archive: Archive<ArtifactKey>;
  readonly records: ArchiveRecords;
}

export const DISPOSALS_AT_ONCE = 25;
/** With so many that cannot be removed it is the store that is in trouble, not they: the next run asks again. */
const STUCK_MOST = 1_000;

/**
 * Disposes of artifacts whose retention has ended: bytes first, then the record becomes a receipt of what, by what rule, until when, when
 * and by whom, with its audit event. The row is held meanwhile, so that nothing can come between; a worker killed in the middle leaves a
 * row that is found again. What cannot be removed keeps nothing else. Can run twice, and beside itself. [C318,C320,C327,C328]
 */
export async function disposeExpired(tools: DisposeTools): Promise<RunResult> {
  const kept: string[] = [];
  const total = { done: 0, failed: 0, lagMsMax: 0 };
  for (;;) {
    const batch = await disposeBatch(tools, kept);
    kept.push(...batch.kept);
    total.done += batch.done;
    total.failed += batch.failed;
    total.lagMsMax = Math.max(total.lagMsMax, batch.lagMsMax);
    if (batch.seen < DISPOSALS_AT_ONCE || total.failed >= STUCK_MOST) return total;
  }
}

interface Batch extends RunResult {
  readonly seen: number;
  /** Those that this run is not to look at again. */
  readonly kept: readonly string[];
}

async function disposeBatch({ db, clock, archive, records }: DisposeTools, except: readonly string[]): Promise<Batch> {
  const now = clock.now();
  return db.transact(WORKER, async (tx) => {
    const held = await holdExpiredArtifacts(tx, { now, except, most: DISPOSALS_AT_ONCE });
    const erasure = { erasedAt: now, erasedBy: idOfActor(WORKER), erasedRule: DISPOSAL_RULE };
    const gone: typeof held = [];
    const kept: string[] = [];
    let failed = 0;
    for (const artifact of held) {
      if (disposition(artifact, now) === "keep") {
        kept.push(artifact.id);
        continue;
      }
      const { job, ...record } = artifact;
      try {
        const key = artifact.archiveKey as ArtifactKey;
        await archive.erase(key);
        const receipt = { ...record, ...erasure, bytes: Number(record.bytes), correlationId: job.correlationId };
        await records.write(key, receipt);
        gone.push(artifact);
      } catch {
        // Counted, and found again the next time.
        failed += 1;
        kept.push(artifact.id);
      }
    }
    await markArtifactsErased(
      tx,
      gone.map(({ id }) => id),
      erasure,
    );
    await appendAuditEvents(
      tx,
      WORKER,
      gone.map((artifact) => ({
        tenantId: artifact.tenantId,
        action: "artifact.disposed",
        subjectType: "artifact" as const,
        subjectId: artifact.id,
        correlationId: artifact.job.correlationId,
        at: now,
        facts: { rule: DISPOSAL_RULE, deadline: artifact.retainUntil.toISOString(), digest: artifact.digest },
      })),
    );
    const lags = gone.map(({ retainUntil }) => now.getTime() - retainUntil.getTime());
    return { done: gone.length, failed, lagMsMax: Math.max(0, ...lags), seen: held.length, kept };
  });
}
