import type { JobId, UserId } from "@/server/domain/ids";
import type { Transaction } from "./client";
import type { Prisma } from "./generated/client";

/** Returns the artifact that a job made, or null. */
export async function findArtifactOfJob(tx: Transaction, jobId: JobId) {
  return tx.artifact.findUnique({ where: { jobId } });
}

/**
 * Returns the newest finished packets addressed to this person and not withdrawn, at most `most`. A packet that a later revision has
 * replaced is left out, whoever that one is addressed to.
 */
export async function listAddressed(tx: Transaction, userId: UserId, most: number) {
  const latest = await tx.$queryRaw<{ jobId: string }[]>`
    SELECT r."job_id" AS "jobId" FROM "packet_readers" r
    JOIN "jobs" j ON j."id" = r."job_id" JOIN "revisions" v ON v."id" = j."revision_id"
    WHERE r."user_id" = ${userId} AND r."withdrawn" IS NULL AND j."state" = 'completed'
      AND NOT EXISTS (
        SELECT 1 FROM "revisions" w JOIN "jobs" n ON n."revision_id" = w."id"
        WHERE w."tenant_id" = v."tenant_id" AND w."kind" = v."kind" AND w."business_identity" = v."business_identity"
          AND w."number" > v."number" AND n."audience" = j."audience" AND n."state" = 'completed')
    ORDER BY r."created_at" DESC LIMIT ${most}`;
  return tx.job.findMany({
    where: { id: { in: latest.map((row) => row.jobId) } },
    include: {
      artifact: true,
      parts: { orderBy: { position: "asc" } },
      tenant: { select: { name: true, accent: true } },
    },
  });
}

/** True where the packet of this job is addressed to this person and was not withdrawn. */
export async function isAddressedTo(tx: Transaction, jobId: JobId, userId: UserId): Promise<boolean> {
  const reading = await tx.packetReader.findUnique({ where: { jobId_userId: { jobId, userId } } });
  return reading !== null && reading.withdrawn === null;
}

/** Returns the job that replaced this revision and came furthest, or null where it is the newest. */
export async function findReplacement(
  tx: Transaction,
  packet: { tenantId: string; kind: string; businessIdentity: string; audience: string; number: number },
) {
  return tx.job.findFirst({
    where: {
      tenantId: packet.tenantId,
      kind: packet.kind,
      businessIdentity: packet.businessIdentity,
      audience: packet.audience,
      state: "completed",
      revision: { number: { gt: packet.number } },
    },
    orderBy: { revision: { number: "desc" } },
    select: { id: true, revision: { select: { number: true } } },
  });
}

/** Writes the archive record. One per revision and audience: a second one is refused by the database. [C251,C281] */
export async function insertArtifact(tx: Transaction, record: Prisma.ArtifactUncheckedCreateInput): Promise<void> {
  await tx.artifact.create({ data: record });
}

/** Writes where a preview will lie and until when; an earlier attempt may have said so before. */
export async function putPreview(
  tx: Transaction,
  preview: { jobId: JobId; previewKey: string; bytes: number; pages: number; expiresAt: Date },
): Promise<void> {
  const { jobId } = preview;
  await tx.preview.upsert({ where: { jobId }, create: preview, update: { ...preview, erasedAt: null } });
}

/**
 * Returns artifacts whose retention has ended, and holds their rows until the transaction ends; those that another worker holds are left
 * to it. Leaves out `except`; at most `most`, longest past first.
 */
export async function holdExpiredArtifacts(
  tx: Transaction,
  { now, except, most }: { now: Date; except: readonly string[]; most: number },
) {
  const held = await tx.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "artifacts" WHERE "retain_until" <= ${now} AND "erased_at" IS NULL AND "id" <> ALL(${[...except]}::text[])
    ORDER BY "retain_until" LIMIT ${most} FOR UPDATE SKIP LOCKED`;
  return tx.artifact.findMany({
    where: { id: { in: held.map((row) => row.id) } },
    include: { job: { select: { correlationId: true } } },
    orderBy: { retainUntil: "asc" },
  });
}

/** Says that these artifacts' bytes are gone, and by what rule: their records are deletion receipts from now on. */
export async function markArtifactsErased(
  tx: Transaction,
  ids: readonly string[],
  erasure: { readonly erasedAt: Date; readonly erasedBy: string; readonly erasedRule: string },
): Promise<void> {
  await tx.artifact.updateMany({ where: { id: { in: [...ids] }, erasedAt: null }, data: erasure });
}
