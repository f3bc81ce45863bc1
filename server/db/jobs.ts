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

/** Stores an accepted job with its manifest, one row per part. [C19] */
export async function insertJob(
  tx: Transaction,
  job: Prisma.JobUncheckedCreateInput & { id: JobId },
  manifest: Manifest,
  readers: readonly UserId[],
): Promise<void> {
  await tx.job.create({ data: { ...job, tables: manifest.tables } });
  await tx.manifestPart.createMany({
    data: manifest.parts.map((part) => ({ jobId: job.id, position: part.position, part })),
  });
  if (readers.length > 0) {
    await tx.packetReader.createMany({
      data: readers.map((userId) => ({ jobId: job.id, userId, createdAt: job.acceptedAt })),
    });
  }
}

/** Returns the key's submission and the job that stands for it, or null. */
export async function findSubmission(tx: Transaction, tenantId: TenantId, idempotencyKey: string) {
  return tx.submission.findUnique({
    where: { tenantId_idempotencyKey: { tenantId, idempotencyKey } },
    include: { job: true },
  });
}

/** Points the key at a job; an earlier job of the key had ended without a result. */
export async function putSubmission(
  tx: Transaction,
  submission: { tenantId: TenantId; idempotencyKey: string; fingerprint: string; jobId: JobId; createdAt: Date },
): Promise<void> {
  const { tenantId, idempotencyKey } = submission;
  await tx.submission.upsert({
    where: { tenantId_idempotencyKey: { tenantId, idempotencyKey } },
    create: submission,
    update: { jobId: submission.jobId },
  });
}

/** Returns the live or finished job of a revision and audience, or null. */
export async function findJobOfRevision(tx: Transaction, revisionId: string, audience: string): Promise<JobRow | null> {
  return tx.job.findFirst({ where: { revisionId, audience, state: { notIn: OVER_WITHOUT_RESULT } } });
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
