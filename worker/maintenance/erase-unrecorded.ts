import { appendAuditEvent } from "@/server/db/audit-events";
import type { Database } from "@/server/db/client";
import { lockIdentities } from "@/server/db/revisions";
import { listUnrecorded, recordSeenTo, type UnrecordedJob } from "@/server/db/unrecorded";
import { type ArtifactKey, artifactKey } from "@/server/domain/ids";
import type { Archive } from "@/server/ports/archive";
import type { Clock } from "@/server/ports/clock";
import { WORKER } from "../journal";
import type { RunResult } from "./record-run";

const MOST = 100;
/** With so many that cannot be removed it is the store that is in trouble, not they: the next run asks again. */
const STUCK_MOST = 1_000;
/** Longer than any attempt: whoever lost the lease of a job that ended so long ago is not committing its bytes any more. */
const OVER_MS = 60 * 60_000;

interface EraseTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly archive: Archive<ArtifactKey>;
}

/**
 * Removes from the archive what was committed but never got its record, because its job ended first: given up, cancelled or refused after
 * the bytes had become visible. Each such job is looked at once, an hour after its end, behind the lock of its identity: a job that is
 * opened for the same revision meanwhile waits, and commits its own. Can run twice, and beside itself.
 */
export async function eraseUnrecorded(tools: EraseTools): Promise<RunResult> {
  const before = new Date(tools.clock.now().getTime() - OVER_MS);
  const stuck: string[] = [];
  let done = 0;
  let lagMsMax = 0;
  for (;;) {
    const ended = await tools.db.transact(WORKER, (tx) => listUnrecorded(tx, { before, except: stuck, most: MOST }));
    for (const job of ended) {
      try {
        if (!(await eraseOne(tools, job, before))) continue;
        done += 1;
        lagMsMax = Math.max(lagMsMax, before.getTime() - job.settledAt.getTime());
      } catch {
        // Counted, and found again the next time.
        stuck.push(job.id);
      }
    }
    if (ended.length < MOST || stuck.length >= STUCK_MOST) return { done, failed: stuck.length, lagMsMax };
  }
}

/** Returns whether there were bytes to remove. The row is written only if they went. */
function eraseOne({ db, clock, archive }: EraseTools, job: UnrecordedJob, before: Date): Promise<boolean> {
  return db.transact(WORKER, async (tx) => {
    await lockIdentities(tx, [job]);
    const [still] = await listUnrecorded(tx, { before, jobId: job.id, most: 1 });
    if (still === undefined) return false;
    const at = clock.now();
    const from = clock.monotonicMs();
    const key = artifactKey(job.tenantId, job.revisionId, job.audience);
    const wasThere = (await archive.stat(key)) !== null;
    if (wasThere) await archive.erase(key);
    await recordSeenTo(tx, job.id, { wasThere, at, ms: Math.round(clock.monotonicMs() - from) });
    if (!wasThere) return false;
    await appendAuditEvent(tx, WORKER, {
      tenantId: job.tenantId,
      action: "packet.bytes_erased",
      subjectType: "job",
      subjectId: job.id,
      correlationId: job.correlationId,
      at,
      facts: { rule: "no_record", state: job.state },
    });
    return true;
  });
}
