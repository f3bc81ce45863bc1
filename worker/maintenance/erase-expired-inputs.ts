import type { Database } from "@/server/db/client";
import {
  deleteExpiredPayloads,
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

export interface Erased {
  readonly previews: number;
  readonly sources: number;
  readonly payloads: number;
  /** How far past its deadline the latest of them was, in milliseconds. */
  readonly lagMsMax: number;
}

/**
 * Removes previews, uploads and payloads whose deadline has come: the bytes first, then the row says so. Can run twice, and beside live
 * work: what it cannot remove it finds again. [C308,C320]
 */
export async function eraseExpiredInputs(tools: {
  db: Database;
  clock: Clock;
  previews: Archive<PreviewKey>;
  sources: Archive<SourceKey>;
}): Promise<Erased> {
  const now = tools.clock.now();
  let lagMsMax = 0;
  const seen = (deadline: Date) => {
    lagMsMax = Math.max(lagMsMax, now.getTime() - deadline.getTime());
  };
  const { previews, sources } = await tools.db.transact(WORKER, async (tx) => ({
    previews: await listExpiredPreviews(tx, now, MOST),
    sources: await listExpiredSources(tx, now, MOST),
  }));
  for (const preview of previews) {
    await tools.previews.erase(preview.previewKey as PreviewKey);
    await tools.db.transact(WORKER, (tx) => markPreviewErased(tx, preview.jobId, now));
    seen(preview.expiresAt);
  }
  for (const source of sources) {
    await tools.sources.erase(sourceKey(source.id as SourceId, "bytes"));
    await tools.sources.erase(sourceKey(source.id as SourceId, "rows"));
    await tools.db.transact(WORKER, (tx) => markSourceErased(tx, source.id, now));
    seen(source.eraseBy);
  }
  const payloads = await tools.db.transact(WORKER, (tx) => deleteExpiredPayloads(tx, now));
  return { previews: previews.length, sources: sources.length, payloads, lagMsMax };
}
