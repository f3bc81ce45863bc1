import { appendAuditEvents } from "@/server/db/audit-events";
import type { Transaction } from "@/server/db/client";
import { insertJobs } from "@/server/db/jobs";
import { keepSourcesUntil } from "@/server/db/sources";
import { idOfActor, type TenantActor } from "@/server/domain/access";
import { PacketFailure } from "@/server/domain/failure";
import { type JobId, newId, type PayloadId, type RevisionId, type UserId } from "@/server/domain/ids";
import type { Fidelity } from "@/server/domain/job";
import { chooseLane, type LaneName, weightOf } from "@/server/domain/lane";
import { manifestDigest } from "@/server/domain/manifest";
import { ATTEMPTS_MAX } from "@/server/domain/retry-policy";
import type { Context } from "../context";
import type { AcceptedRequest } from "./accept-request";
import { measureLoad } from "./measure-load";

export interface Opening {
  readonly fidelity: Fidelity;
  readonly idempotencyKey: string;
  readonly fingerprint: string;
  readonly payloadId: PayloadId;
  readonly revisionId: RevisionId | null;
  readonly redriveOf: JobId | null;
  readonly correlationId: string;
  readonly finishBy: Date;
  readonly eraseBy: Date;
  readonly readers: readonly UserId[];
  /** Who it is made for, where that is not whoever opens it: a redriven packet stays its submitter's. */
  readonly createdBy?: string | null;
}

/** A job that was admitted into its lane and is about to be written. */
export interface AdmittedJob {
  readonly jobId: JobId;
  readonly request: AcceptedRequest;
  readonly opening: Opening;
  readonly lane: LaneName;
  readonly weight: number;
  /** What the tenant had outstanding before it, in weight. */
  readonly outstanding: number;
}

/** Admits one request and opens its job. Throws `too_many_outstanding`, `lane_closed`, `workspace_full` or `source_missing`. */
export async function openJob(
  context: Context,
  tx: Transaction,
  actor: TenantActor,
  request: AcceptedRequest,
  opening: Opening,
): Promise<JobId> {
  const lane = chooseLane(opening.fidelity, request.size);
  const load = await measureLoad(context, tx, request.tenant, { lanes: [lane], count: 1 });
  const weight = weightOf(request.size);
  const outstanding = load.take(lane, weight);
  const jobId = newId("job");
  await openJobs(context, tx, actor, [{ jobId, request, opening, lane, weight, outstanding }]);
  return jobId;
}

/**
 * Writes admitted jobs, their deliveries and their audit events in the caller's transaction: none exists without the others. Throws
 * `source_missing` where the time of a source has run out meanwhile. [C9,C84,C145]
 */
export async function openJobs(
  context: Context,
  tx: Transaction,
  actor: TenantActor,
  admitted: readonly AdmittedJob[],
): Promise<void> {
  if (admitted.length === 0) return;
  const now = context.clock.now();
  await insertJobs(
    tx,
    admitted.map((each) => ({
      job: jobRowOf(each, actor, now),
      manifest: each.request.manifest,
      readers: each.opening.readers,
    })),
  );
  await keepSources(tx, admitted);
  await context.enqueueMany(
    tx,
    admitted.map(({ jobId, lane, outstanding }) => ({ queue: lane, delivery: { jobId }, outstanding })),
  );
  await appendAuditEvents(
    tx,
    actor,
    admitted.map(({ jobId, request, opening, lane }) => ({
      tenantId: request.tenantId,
      action: opening.fidelity === "preview" ? "preview.requested" : "packet.submitted",
      subjectType: "job",
      subjectId: jobId,
      correlationId: opening.correlationId,
      at: now,
      facts: { kind: request.kind.name, lane, pages: request.size.pages },
    })),
  );
}

function jobRowOf({ jobId, request, opening, lane, weight }: AdmittedJob, actor: TenantActor, now: Date) {
  const { kind, payload, manifest, size } = request;
  return {
    id: jobId,
    tenantId: request.tenantId,
    kind: kind.name,
    fidelity: opening.fidelity,
    audience: request.audience,
    revisionId: opening.revisionId,
    payloadId: opening.payloadId,
    businessIdentity: kind.businessIdentity(payload),
    scope: kind.scope(payload),
    period: kind.period(payload),
    subject: kind.subject(payload),
    idempotencyKey: opening.idempotencyKey,
    fingerprint: opening.fingerprint,
    manifestDigest: manifestDigest(manifest),
    validationVersion: kind.validationVersion,
    templateVersion: kind.templateVersion,
    lane,
    weight,
    declaredPages: size.pages,
    declaredBytes: size.bytes,
    declaredRows: size.rows,
    correlationId: opening.correlationId,
    createdBy: opening.createdBy ?? idOfActor(actor),
    redriveOf: opening.redriveOf,
    state: "queued",
    attemptsMax: opening.fidelity === "preview" ? 2 : ATTEMPTS_MAX,
    dueAt: now,
    finishBy: opening.finishBy,
    eraseBy: opening.eraseBy,
    acceptedAt: now,
  };
}

/** Sources live as long as the longest of the jobs that use them. Their time may have run out since they were looked at. */
async function keepSources(tx: Transaction, admitted: readonly AdmittedJob[]): Promise<void> {
  const byDeadline = Map.groupBy(admitted, ({ opening }) => opening.eraseBy.getTime());
  for (const [deadline, jobs] of [...byDeadline].sort(([a], [b]) => a - b)) {
    const sourceIds = jobs.flatMap(({ request }) => request.sourceIds);
    if (!(await keepSourcesUntil(tx, sourceIds, new Date(deadline)))) throw new PacketFailure("source_missing");
  }
}
