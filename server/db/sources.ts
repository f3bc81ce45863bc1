import type { SourceId, TenantId } from "@/server/domain/ids";
import type { Transaction } from "./client";
import type { Prisma } from "./generated/client";

export type SourceRow = Prisma.SourceGetPayload<object>;

/** Returns the tenant's sources with these ids; another tenant's look absent, and so does what has not arrived whole. */
export async function findSources(tx: Transaction, tenantId: TenantId, ids: readonly string[]): Promise<SourceRow[]> {
  return tx.source.findMany({
    where: { tenantId, id: { in: [...ids] }, state: { not: "receiving" }, erasedAt: null },
  });
}

/** Returns the tenant's library documents with these ids that are in use, each with its source. */
export async function findLibraryDocuments(tx: Transaction, tenantId: TenantId, ids: readonly string[]) {
  return tx.libraryDocument.findMany({
    where: { tenantId, id: { in: [...ids] }, retiredAt: null },
    include: { source: true },
  });
}

/** Keeps uploads at least until the deadline of the job that uses them. Returns false where one of them is erased already. */
export async function keepSourcesUntil(tx: Transaction, ids: readonly string[], until: Date): Promise<boolean> {
  const wanted = [...new Set(ids)].sort();
  if (wanted.length === 0) return true;
  // What is kept longer anyway is not written: packets with the same policies do not wait for each other.
  await tx.$executeRaw`
    WITH held AS (SELECT "id" FROM "sources" WHERE "id" = ANY(${wanted}) AND "erased_at" IS NULL AND "erase_by" < ${until}
      ORDER BY "id" FOR NO KEY UPDATE)
    UPDATE "sources" SET "erase_by" = GREATEST("erase_by", ${until}) WHERE "id" IN (SELECT "id" FROM held) AND "erased_at" IS NULL`;
  return (await tx.source.count({ where: { id: { in: wanted }, erasedAt: null } })) === wanted.length;
}

/** Writes down an upload whose bytes are about to be stored. Where they never become whole, `eraseBy` is when they go. */
export async function insertSource(
  tx: Transaction,
  source: {
    id: SourceId;
    tenantId: TenantId;
    purpose: string;
    title: string;
    bytes: number;
    digest: string;
    uploadedBy: string | null;
    createdAt: Date;
    eraseBy: Date;
  },
): Promise<void> {
  await tx.source.create({ data: { ...source, state: "receiving" } });
}

/** Says that the bytes of an upload are stored whole, and waits for its inspection. False where it was given up meanwhile. */
export async function markReceived(tx: Transaction, sourceId: SourceId, eraseBy: Date): Promise<boolean> {
  const received = await tx.source.updateMany({
    where: { id: sourceId, state: "receiving", erasedAt: null },
    data: { state: "inspecting", eraseBy },
  });
  return received.count === 1;
}

/** Gives up an upload that is not whole. False where it is whole after all: then its bytes are to stay. */
export async function markAbandoned(tx: Transaction, sourceId: SourceId, at: Date): Promise<boolean> {
  const abandoned = await tx.source.updateMany({
    where: { id: sourceId, state: "receiving" },
    data: { erasedAt: at, title: "" },
  });
  return abandoned.count === 1;
}

/** Counts a try at inspecting this upload and returns it, or null where it needs none. */
export async function claimInspection(tx: Transaction, sourceId: SourceId) {
  const claimed = await tx.source.updateMany({
    where: { id: sourceId, state: "inspecting", erasedAt: null },
    data: { tries: { increment: 1 } },
  });
  if (claimed.count === 0) return null;
  return tx.source.findUnique({ where: { id: sourceId }, include: { tenant: { select: { strictSources: true } } } });
}

/** Takes a try back: what went wrong was not the file's doing. */
export async function forgiveTry(tx: Transaction, sourceId: SourceId): Promise<void> {
  await tx.source.updateMany({
    where: { id: sourceId, state: "inspecting", tries: { gt: 0 } },
    data: { tries: { decrement: 1 } },
  });
}

/** Writes what an inspection found. The first verdict stands. */
export async function recordInspection(
  tx: Transaction,
  sourceId: SourceId,
  verdict: {
    state: "accepted" | "refused";
    failureCode: string | null;
    failurePage: number | null;
    mediaType: string | null;
    pages: number;
    rows: number;
    rowsDigest: string | null;
    rowsBytes: number;
    sizes: Prisma.InputJsonValue;
    disclosures: string[];
    findings: Prisma.InputJsonValue;
  },
  inspectedAt: Date,
): Promise<void> {
  await tx.source.updateMany({ where: { id: sourceId, state: "inspecting" }, data: { ...verdict, inspectedAt } });
}

/** True where this try at inspecting an upload is the latest and has no verdict yet. */
export async function isInspectionLive(tx: Transaction, sourceId: SourceId, tries: number): Promise<boolean> {
  return (await tx.source.count({ where: { id: sourceId, state: "inspecting", tries } })) > 0;
}
