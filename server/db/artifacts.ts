import type { ArtifactId, JobId, TenantId, UserId } from "@/server/domain/ids";
import type { Transaction } from "./client";
import type { Prisma } from "./generated/client";

/** Returns the tenant's artifact, or null. */
export async function findArtifact(tx: Transaction, tenantId: TenantId, artifactId: ArtifactId) {
  return tx.artifact.findFirst({ where: { tenantId, id: artifactId } });
}

/** Returns the artifact that a job made, or null. */
export async function findArtifactOfJob(tx: Transaction, jobId: JobId) {
  return tx.artifact.findUnique({ where: { jobId } });
}

/** Returns the newest finished packets addressed to this person and not withdrawn, at most `most`. */
export async function listAddressed(tx: Transaction, userId: UserId, most: number) {
  return tx.packetReader.findMany({
    where: { userId, withdrawn: null, job: { state: "completed" } },
    include: {
      job: {
        include: {
          artifact: true,
          parts: { orderBy: { position: "asc" } },
          revision: { select: { number: true } },
          tenant: { select: { name: true, accent: true } },
        },
      },
    },
    orderBy: { createdAt: "desc" },
    take: most,
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
