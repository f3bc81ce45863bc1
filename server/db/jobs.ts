import type { Reach } from "@/server/domain/access";
import type { JobId, TenantId, UserId } from "@/server/domain/ids";
import type { LaneName } from "@/server/domain/lane";
import type { Manifest } from "@/server/domain/manifest";
import type { Transaction } from "./client";
import type { Prisma } from "./generated/client";

export type JobRow = Prisma.JobGetPayload<object>;

const ALIVE = ["queued", "retry_wait", "running", "published"];
const WAITING = ["queued", "retry_wait"];
const OVER_WITHOUT_RESULT = ["dead_letter", "cancelled", "validation_failed"];

export interface NewJob {
  readonly job: Prisma.JobUncheckedCreateInput & { readonly id: JobId };
  readonly manifest: Manifest;
  readonly readers: readonly UserId[];
}

/** Stores accepted jobs with their manifests, one row per part. [C19] */
export async function insertJobs(tx: Transaction, jobs: readonly NewJob[]): Promise<void> {
  await tx.job.createMany({ data: jobs.map(({ job, manifest }) => ({ ...job, tables: manifest.tables })) });
  await tx.manifestPart.createMany({
    data: jobs.flatMap(({ job, manifest }) =>
      manifest.parts.map((part) => ({ jobId: job.id, position: part.position, part })),
    ),
  });
  const readers = jobs.flatMap(({ job, readers }) =>
    readers.map((userId) => ({ jobId: job.id, userId, createdAt: job.acceptedAt })),
  );
  if (readers.length > 0) await tx.packetReader.createMany({ data: readers });
}

/** Returns what stands under these keys, each with the state of its job. */
export async function findSubmissions(tx: Transaction, tenantId: TenantId, keys: readonly string[]) {
  return tx.submission.findMany({
    where: { tenantId, idempotencyKey: { in: [...keys] } },
    include: { job: { select: { id: true, state: true } } },
  });
}

export interface SubmissionRow {
  readonly tenantId: TenantId;
  readonly idempotencyKey: string;
  readonly fingerprint: string;
  readonly jobId: JobId;
  readonly createdAt: Date;
}

/** Writes new keys, and points those that stood for a job without a result at the job that follows it. */
export async function putSubmissions(
  tx: Transaction,
  { added, moved }: { readonly added: readonly SubmissionRow[]; readonly moved: readonly SubmissionRow[] },
): Promise<void> {
  if (added.length > 0) await tx.submission.createMany({ data: [...added] });
  for (const { tenantId, idempotencyKey, jobId } of moved) {
    await tx.submission.update({ where: { tenantId_idempotencyKey: { tenantId, idempotencyKey } }, data: { jobId } });
  }
}

/** Returns the live or finished jobs of these revisions. */
export async function findJobsOfRevisions(tx: Transaction, revisionIds: readonly string[]) {
  return tx.job.findMany({
    where: { revisionId: { in: [...revisionIds] }, state: { notIn: OVER_WITHOUT_RESULT } },
    select: { id: true, revisionId: true, audience: true },
  });
}

/** Returns how many of the tenant's jobs are not over, and what they weigh together. */
export async function sumOutstanding(tx: Transaction, tenantId: TenantId): Promise<{ count: number; weight: number }> {
  const sum = await tx.job.aggregate({
    where: { tenantId, state: { in: ALIVE } },
    _count: true,
    _sum: { weight: true },
  });
  return { count: sum._count, weight: sum._sum.weight ?? 0 };
}

/** Returns how many of the tenant's jobs are not over. */
export async function countOutstanding(tx: Transaction, tenantId: TenantId): Promise<number> {
  return tx.job.count({ where: { tenantId, state: { in: ALIVE } } });
}

/** Returns how long the oldest ready job of a lane has waited, in milliseconds. */
export async function oldestReadyMs(tx: Transaction, lane: LaneName, now: Date): Promise<number> {
  const oldest = await tx.job.findFirst({
    where: { lane, state: { in: WAITING }, dueAt: { lte: now } },
    orderBy: { dueAt: "asc" },
    select: { dueAt: true },
  });
  return oldest === null ? 0 : now.getTime() - oldest.dueAt.getTime();
}

export interface JobFilter {
  readonly kind?: string | undefined;
  readonly states?: readonly string[] | undefined;
  readonly text?: string | undefined;
}

/** Returns a page of the tenant's archival jobs within the actor's reach, newest first. */
export async function listJobs(
  tx: Transaction,
  actor: { readonly tenantId: TenantId; readonly reach: Reach | null },
  filter: JobFilter,
  page: { offset: number; most: number },
) {
  const reach = actor.reach;
  // PostgreSQL holds no NUL, so nothing can be found by one.
  const words = filter.text?.toWellFormed().replaceAll("\u0000", "");
  const where: Prisma.JobWhereInput = {
    tenantId: actor.tenantId,
    fidelity: "archival",
    ...(filter.states === undefined ? {} : { state: { in: [...filter.states] } }),
    ...(words === undefined
      ? {}
      : {
          OR: [
            { subject: { contains: literal(words), mode: "insensitive" } },
            { scope: { contains: literal(words), mode: "insensitive" } },
            { id: words },
          ],
        }),
    AND: [
      filter.kind === undefined ? {} : { kind: filter.kind },
      reach === null || reach.kinds.length === 0 ? {} : { kind: { in: [...reach.kinds] } },
      reach === null || reach.scopes.length === 0 ? {} : { scope: { in: [...reach.scopes] } },
    ],
  };
  const rows = await tx.job.findMany({
    where,
    orderBy: [{ acceptedAt: "desc" }, { id: "desc" }],
    skip: page.offset,
    take: page.most,
    include: { revision: { select: { number: true } }, artifact: { select: { pages: true, erasedAt: true } } },
  });
  const total = await tx.job.count({ where });
  return { rows, total };
}

/** Returns `text` as a pattern that means itself. */
function literal(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

/** Returns the tenant's job with everything its page shows, or null. */
export async function findJob(tx: Transaction, tenantId: TenantId, jobId: JobId) {
  return tx.job.findFirst({
    where: { tenantId, id: jobId },
    include: {
      revision: { select: { id: true, number: true, businessIdentity: true } },
      artifact: true,
      preview: true,
      parts: { orderBy: { position: "asc" } },
      checkpoints: { orderBy: [{ attempt: "asc" }, { startedAt: "asc" }] },
      attempts: { orderBy: { number: "asc" } },
    },
  });
}

/** True where a job can still be cancelled: its bytes are not on their way into the archive, where each needs its record. */
export function isCancellable(job: { readonly state: string; readonly stage: string | null }): boolean {
  return WAITING.includes(job.state) || (job.state === "running" && job.stage !== "publish");
}

/** Cancels a job as far as `isCancellable` allows. Returns false where it was too late. */
export async function cancelJob(tx: Transaction, tenantId: TenantId, jobId: JobId, now: Date): Promise<boolean> {
  const cancelled = await tx.job.updateMany({
    where: {
      tenantId,
      id: jobId,
      OR: [
        { state: { in: WAITING } },
        { state: "running", stage: null },
        { state: "running", stage: { not: "publish" } },
      ],
    },
    data: { state: "cancelled", settledAt: now, failureCode: "cancelled", leaseUntil: null },
  });
  return cancelled.count === 1;
}

/** Returns how many waiting jobs of the lane are due before this one. */
export async function countAhead(tx: Transaction, job: { lane: string; dueAt: Date; id: string }): Promise<number> {
  return tx.job.count({
    where: { lane: job.lane, state: { in: WAITING }, dueAt: { lt: job.dueAt }, NOT: { id: job.id } },
  });
}

/** Returns the correlation id that the job was accepted under, so that a download can be followed back to its request. [C400] */
export async function correlationOf(tx: Transaction, jobId: JobId): Promise<string> {
  const job = await tx.job.findUniqueOrThrow({ where: { id: jobId }, select: { correlationId: true } });
  return job.correlationId;
}

const STATUS = {
  id: true,
  tenantId: true,
  kind: true,
  scope: true,
  audience: true,
  fidelity: true,
  state: true,
  stage: true,
  acceptedAt: true,
  settledAt: true,
  finishBy: true,
  failureCode: true,
  artifact: {
    select: { bytes: true, pages: true, digest: true, committedAt: true, retainUntil: true, erasedAt: true },
  },
} as const satisfies Prisma.JobSelect;

export type JobStatusRow = Prisma.JobGetPayload<{ select: typeof STATUS }>;

/** Returns what a status says of the tenant's job, or null. */
export async function findJobStatus(tx: Transaction, tenantId: TenantId, jobId: JobId): Promise<JobStatusRow | null> {
  return tx.job.findFirst({ where: { tenantId, id: jobId }, select: STATUS });
}

/** Returns the tenant's archival jobs within the actor's reach that come after `after` in the order newest first. */
export async function listJobsAfter(
  tx: Transaction,
  actor: { readonly tenantId: TenantId; readonly reach: Reach },
  filter: {
    readonly kind?: string | undefined;
    readonly period?: string | undefined;
    readonly scope?: string | undefined;
    readonly states?: readonly string[] | undefined;
    readonly after: { readonly acceptedAt: Date; readonly jobId: string } | null;
    readonly most: number;
  },
): Promise<JobStatusRow[]> {
  const { kinds, scopes } = actor.reach;
  const { after } = filter;
  return tx.job.findMany({
    where: {
      tenantId: actor.tenantId,
      fidelity: "archival",
      ...(filter.states === undefined ? {} : { state: { in: [...filter.states] } }),
      ...(filter.period === undefined ? {} : { period: filter.period }),
      AND: [
        filter.kind === undefined ? {} : { kind: filter.kind },
        filter.scope === undefined ? {} : { scope: filter.scope },
        kinds.length === 0 ? {} : { kind: { in: [...kinds] } },
        scopes.length === 0 ? {} : { scope: { in: [...scopes] } },
        after === null
          ? {}
          : {
              OR: [{ acceptedAt: { lt: after.acceptedAt } }, { acceptedAt: after.acceptedAt, id: { lt: after.jobId } }],
            },
      ],
    },
    orderBy: [{ acceptedAt: "desc" }, { id: "desc" }],
    take: filter.most,
    select: STATUS,
  });
}
