import { findArtifactOfJob, insertArtifact, putPreview } from "@/server/db/artifacts";
import { type ClaimedJob, type Fence, findEvidence, markPublished } from "@/server/db/attempts";
import type { Database } from "@/server/db/client";
import type { Publication } from "@/server/domain/artifact";
import { PacketFailure } from "@/server/domain/failure";
import type { JobId, RevisionId, TenantId } from "@/server/domain/ids";
import { type ArtifactKey, artifactKey, newId, type PreviewKey, previewKey } from "@/server/domain/ids";
import { type RetentionPolicy, retainUntil, retentionYears } from "@/server/domain/retention";
import { findKind } from "@/server/packets/registry";
import type { Archive } from "@/server/ports/archive";
import type { Clock } from "@/server/ports/clock";
import type { ArchiveRecords } from "./archive-records";
import { crashPoint } from "./crash-point";
import { VerifyEvidence } from "./evidence";
import { type Journal, WORKER } from "./journal";

export interface PublishTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly archive: Archive<ArtifactKey>;
  readonly previews: Archive<PreviewKey>;
  readonly records: ArchiveRecords;
  readonly retention: RetentionPolicy;
  readonly previewMsMax: number;
  readonly rendererBuild: string;
}

/** What stands as JSON beside an artifact: its row, and the id of the request it goes back to. */
export type ArchiveRecord = Readonly<Record<string, unknown>> & { readonly archiveKey: ArtifactKey };

/**
 * Makes the verified file visible. Archival: the verified facts are written down, the bytes are committed once under the revision's key,
 * then archive record and `published` in one transaction. A preview goes to a store of its own, for minutes.
 * [C47,C250,C258,C262,C271,C293]
 */
export async function publish(
  tools: PublishTools,
  job: ClaimedJob,
  journal: Journal,
  file: { readonly path: string; readonly publication: Publication },
): Promise<ArchiveRecord | null> {
  if (job.fidelity === "preview") return publishPreview(tools, job, journal, file);
  await journal.flush();
  await crashPoint("before commit");
  await tools.archive.commit(keyOf(job), file.path, file.publication.digest);
  await crashPoint("after commit");
  journal.pulse.signal.throwIfAborted();
  return recordPublication(tools, job, journal, file.publication);
}

/**
 * Finds out whether an earlier attempt had committed the bytes before it died. Returns its publication where the archive holds exactly
 * the verified digest, or null: then the stages run again. [C192,C275,C294]
 */
export async function findCommitted(tools: PublishTools, job: ClaimedJob): Promise<Publication | null> {
  if (job.fidelity === "preview" || job.attempt === 1) return null;
  const evidence = await tools.db.transact(WORKER, (tx) => findEvidence(tx, job.id as JobId, "verify"));
  const parsed = VerifyEvidence.safeParse(evidence);
  if (!parsed.success) return null;
  const held = await tools.archive.digestOf(keyOf(job));
  return held === parsed.data.publication.digest ? parsed.data.publication : null;
}

/** Writes archive record and `published` together and returns the record. Throws `lease_lost` where another took over. */
export async function recordPublication(
  tools: PublishTools,
  job: ClaimedJob,
  journal: Journal,
  publication: Publication,
): Promise<ArchiveRecord> {
  const at = tools.clock.now();
  const fence = fenceOf(job);
  const kind = findKind(job.kind);
  if (kind === null || job.revisionId === null) throw new PacketFailure("unknown_kind");
  const record = {
    id: newId("artifact"),
    tenantId: job.tenantId,
    jobId: job.id,
    revisionId: job.revisionId,
    audience: job.audience,
    kind: job.kind,
    businessIdentity: job.businessIdentity,
    scope: job.scope,
    period: job.period,
    subject: job.subject,
    archiveKey: keyOf(job),
    mediaType: "application/pdf",
    bytes: publication.bytes,
    digest: publication.digest,
    pages: publication.pages,
    pageMap: publication.pageMap as unknown as object[],
    manifestDigest: job.manifestDigest,
    templateVersion: job.templateVersion,
    rendererBuild: tools.rendererBuild,
    validation: publication.checks as unknown as object[],
    archivalLevel: publication.archivalLevel,
    attempt: job.attempt,
    committedAt: at,
    retainUntil: retainUntil(at, retentionYears(kind, tools.retention)),
  };
  await crashPoint("before published");
  const held = await tools.db.transact(WORKER, async (tx) => {
    const marked = await markPublished(tx, fence, {
      at,
      rendererBuild: tools.rendererBuild,
      checkpoints: journal.takePending(),
    });
    if (marked) await insertArtifact(tx, record);
    return marked;
  });
  if (!held) throw new PacketFailure("lease_lost");
  await crashPoint("after published");
  return { ...record, correlationId: job.correlationId };
}

/** Writes the JSON record of a published job again, in case its worker died before it did. Returns the pages. */
export async function rewriteRecord(tools: PublishTools, job: ClaimedJob): Promise<number> {
  if (job.fidelity === "preview") return 0;
  const record = await tools.db.transact(WORKER, (tx) => findArtifactOfJob(tx, job.id as JobId));
  if (record === null) throw new PacketFailure("internal", { detail: "published without a record" });
  await tools.records.write(record.archiveKey as ArtifactKey, {
    ...record,
    bytes: Number(record.bytes),
    correlationId: job.correlationId,
  });
  return record.pages;
}

/** The row with the preview's last minute comes first: whatever happens to the attempt, its bytes are erased by then. [C168] */
async function publishPreview(
  tools: PublishTools,
  job: ClaimedJob,
  journal: Journal,
  file: { readonly path: string; readonly publication: Publication },
): Promise<null> {
  const at = tools.clock.now();
  const jobId = job.id as JobId;
  const { bytes, pages } = file.publication;
  const key = previewKey(jobId);
  const expiresAt = new Date(at.getTime() + tools.previewMsMax);
  await journal.flush();
  await tools.db.transact(WORKER, (tx) => putPreview(tx, { jobId, previewKey: key, bytes, pages, expiresAt }));
  await crashPoint("before commit");
  await tools.previews.commit(key, file.path, file.publication.digest);
  await crashPoint("after commit");
  const published = { at, rendererBuild: tools.rendererBuild, checkpoints: journal.takePending() };
  await crashPoint("before published");
  const held = await tools.db.transact(WORKER, (tx) => markPublished(tx, fenceOf(job), published));
  if (!held) throw new PacketFailure("lease_lost");
  await crashPoint("after published");
  return null;
}

function keyOf(job: ClaimedJob): ArtifactKey {
  return artifactKey(job.tenantId as TenantId, job.revisionId as RevisionId, job.audience);
}

/** Returns the fence of the attempt that claimed this job. */
export function fenceOf(job: ClaimedJob): Fence {
  return { jobId: job.id as JobId, attempt: job.attempt };
}
