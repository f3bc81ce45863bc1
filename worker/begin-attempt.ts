import { z } from "zod";
import { type ClaimedJob, claimJob } from "@/server/db/attempts";
import { type Database, isLockTimeout, limitLockWaits, type Transaction } from "@/server/db/client";
import { findContenders, lockLane } from "@/server/db/contenders";
import { oldestReadyMs } from "@/server/db/jobs";
import { findPayload } from "@/server/db/revisions";
import { PacketFailure } from "@/server/domain/failure";
import { fairest } from "@/server/domain/fair-share";
import type { JobId, TenantId } from "@/server/domain/ids";
import type { Fidelity, JobState } from "@/server/domain/job";
import type { LaneName, Lanes } from "@/server/domain/lane";
import { Manifest } from "@/server/domain/manifest";
import { dayIn } from "@/server/packets/check-payload";
import { findKind } from "@/server/packets/registry";
import type { Clock } from "@/server/ports/clock";
import { WORKER } from "./journal";
import { previewPagesMax } from "./preview-limits";
import { noProducts, type Work } from "./work";
import type { Workspace } from "./workspace";

export interface Claim {
  readonly job: ClaimedJob;
  readonly state: Extract<JobState, "running" | "published">;
  readonly payload: unknown;
  /** The digest under which the payload was stored, for work that has no revision to hold it. */
  readonly payloadDigest: string;
  /** How long the oldest archive copy has waited; 0 for the copies themselves, which nothing shortens. */
  readonly archiveWaitMs: number;
}

export interface ClaimTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly workerId: string;
  readonly lanes: Lanes;
}

/** What was begun within this time counts as had of the lane lately. */
const RECENT_MS = 120_000;

/** Locks of a claim are held for milliseconds; whoever holds one for longer stands still, and is not waited for. */
const LOCK_MS_MAX = 2_000;

/** Claims this job for this worker. Null where there is nothing to do: done already, not due, or held by somebody else. [C148] */
export function claim(deps: ClaimTools, jobId: JobId, lane: LaneName): Promise<Claim | null> {
  return claimChosen(deps, lane, async () => jobId);
}

/**
 * Claims the job whose turn it is in the lane. A delivery says that there is work; whose turn it is, is decided when a slot is free, by
 * one worker of the lane at a time. Where that one stands still, the delivered job is claimed without asking whose turn it is. [C68,C70]
 */
export async function claimByTurn(deps: ClaimTools, delivered: JobId, lane: LaneName): Promise<Claim | null> {
  try {
    return await claimChosen(deps, lane, (tx) => chooseJob(tx, deps, lane));
  } catch (error) {
    if (isLockTimeout(error)) return claim(deps, delivered, lane);
    throw error;
  }
}

async function claimChosen(
  deps: ClaimTools,
  lane: LaneName,
  choose: (tx: Transaction) => Promise<JobId | null>,
): Promise<Claim | null> {
  return deps.db.transact(WORKER, async (tx) => {
    await limitLockWaits(tx, LOCK_MS_MAX);
    const jobId = await choose(tx);
    if (jobId === null) return null;
    const now = deps.clock.now();
    const leaseUntil = new Date(now.getTime() + deps.lanes[lane].leaseMs);
    const job = await claimJob(tx, { jobId, workerId: deps.workerId, now, leaseUntil });
    if (job === null) return null;
    const payload = await findPayload(tx, job.payloadId);
    const state = job.state === "published" ? "published" : "running";
    const archiveWaitMs = job.fidelity === "preview" ? await oldestReadyMs(tx, "archive", now) : 0;
    return { job, state, payload: payload?.content ?? null, payloadDigest: payload?.digest ?? "", archiveWaitMs };
  });
}

async function chooseJob(tx: Transaction, { clock }: ClaimTools, lane: LaneName): Promise<JobId | null> {
  await lockLane(tx, lane);
  const now = clock.now();
  const contenders = await findContenders(tx, lane, { now, recent: new Date(now.getTime() - RECENT_MS) });
  return (fairest(contenders)?.jobId ?? null) as JobId | null;
}

const Paper = z.enum(["A4", "LETTER"]);

/** Returns the attempt's frozen input. Throws `unknown_kind` for a kind this worker does not have, `source_missing` for erased input. */
export function workOf(
  { job, payload, payloadDigest, archiveWaitMs }: Claim,
  { workspace, now, lanes, msLeft }: { workspace: Workspace; now: Date; lanes: Lanes; msLeft: () => number },
): Work {
  const kind = findKind(job.kind);
  if (kind === null) throw new PacketFailure("unknown_kind");
  if (payload === null) throw new PacketFailure("source_missing");
  const createdAt = job.revision?.createdAt ?? job.acceptedAt;
  return {
    jobId: job.id,
    tenantId: job.tenantId as TenantId,
    attempt: job.attempt,
    kind,
    fidelity: job.fidelity as Fidelity,
    pagesMax: job.fidelity === "preview" ? previewPagesMax(archiveWaitMs) : null,
    audience: job.audience,
    lane: job.lane as LaneName,
    renderMsMax: lanes[job.lane as LaneName].renderMsMax,
    msLeft,
    payload,
    manifest: Manifest.parse({ parts: job.parts.map((row) => row.part), tables: job.tables }),
    accepted: { payload: job.revision?.payloadDigest ?? payloadDigest, manifest: job.manifestDigest },
    letterhead: {
      tenantName: job.tenant.name,
      accent: job.tenant.accent,
      logo: job.tenant.logo,
      paper: Paper.parse(job.tenant.paper),
    },
    revision: {
      number: job.revision?.number ?? 0,
      shortId: (job.revision?.id ?? job.id).slice(4, 12),
      createdAt,
      preparedOn: dayIn(job.tenant.timeZone, createdAt),
      nonce: job.revision?.nonce ?? job.id.slice(4),
    },
    strictSources: job.tenant.strictSources,
    title: `${kind.title}: ${job.subject}`,
    today: dayIn(job.tenant.timeZone, now),
    workspace,
    products: noProducts(),
  };
}
