import type { Database } from "@/server/db/client";
import {
  deleteExpiredPayloads,
  deleteOldSignInFailures,
  listExpiredPreviews,
  listExpiredSources,
  markPreviewErased,
  markSourceErased,
} from "@/server/db/expiry";
import { type PreviewKey, type SourceId, type SourceKey, sourceKey } from "@/server/domain/ids";
import type { Archive } from "@/server/ports/archive";
import type { Clock } from "@/server/ports/clock";
import { WORKER } from "../journal";

const MOST = 500;
const DAY_MS = 86_400_000;

export interface Erased {
  readonly previews: number;
  readonly sources: number;
  readonly payloads: number;
  /** What could not be removed now and is tried again. */
  readonly failed: number;
  /** How far past its deadline the latest of them was, in milliseconds. */
  readonly lagMsMax: number;
}

interface EraseTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly previews: Archive<PreviewKey>;
  readonly sources: Archive<SourceKey>;
}

/**
 * Removes previews, uploads and payloads whose deadline has come, and says so on their rows. Can run twice, and beside live work: what it
 * cannot remove it counts, goes on with the rest, and finds again. [C308,C320]
 */
export async function eraseExpiredInputs(tools: EraseTools): Promise<Erased> {
  const now = tools.clock.now();
  const expired = await tools.db.transact(WORKER, async (tx) => ({
    previews: await listExpiredPreviews(tx, now, MOST),
    sources: await listExpiredSources(tx, now, MOST),
  }));
  const previews = await eraseEach(expired.previews, (preview) => erasePreview(tools, preview, now));
  const sources = await eraseEach(expired.sources, (source) => eraseSource(tools, source, now));
  const payloads = await tools.db.transact(WORKER, async (tx) => {
    await deleteOldSignInFailures(tx, new Date(now.getTime() - DAY_MS));
    return deleteExpiredPayloads(tx, now);
  });
  const deadlines = [
    ...previews.gone.map((preview) => preview.expiresAt.getTime()),
    ...sources.gone.map((source) => source.eraseBy.getTime()),
  ];
  return {
    previews: previews.gone.length,
    sources: sources.gone.length,
    payloads,
    failed: previews.failed + sources.failed,
    lagMsMax: Math.max(0, ...deadlines.map((deadline) => now.getTime() - deadline)),
  };
}

/** Runs `erase` for each; one that fails does not keep the others. */
async function eraseEach<Item>(
  items: readonly Item[],
  erase: (item: Item) => Promise<boolean>,
): Promise<{ gone: Item[]; failed: number }> {
  const gone: Item[] = [];
  let failed = 0;
  for (const item of items) {
    try {
      if (await erase(item)) gone.push(item);
    } catch {
      // Counted, and found again the next time.
      failed += 1;
    }
  }
  return { gone, failed };
}

async function erasePreview(
  tools: EraseTools,
  { jobId, previewKey }: { jobId: string; previewKey: string },
  now: Date,
): Promise<boolean> {
  await tools.previews.erase(previewKey as PreviewKey);
  await tools.db.transact(WORKER, (tx) => markPreviewErased(tx, jobId, now));
  return true;
}

/** The row is marked first, in a transaction that stands only if the bytes went: nobody can count on them in between. */
function eraseSource(tools: EraseTools, { id }: { id: string }, now: Date): Promise<boolean> {
  return tools.db.transact(WORKER, async (tx) => {
    if (!(await markSourceErased(tx, id, now))) return false;
    await tools.sources.erase(sourceKey(id as SourceId, "bytes"));
    await tools.sources.erase(sourceKey(id as SourceId, "rows"));
    return true;
  });
}
