import { randomBytes } from "node:crypto";
import type { Digest, PayloadId, RevisionId, TenantId } from "@/server/domain/ids";
import type { Transaction } from "./client";
import type { Prisma } from "./generated/client";

export interface Identity {
  readonly tenantId: TenantId;
  readonly kind: string;
  readonly businessIdentity: string;
}

/** Makes later submissions about the same things wait for this transaction: takes their identities' locks, in one order whoever asks, so that two batches never wait for each other. */
export async function lockIdentities(tx: Transaction, identities: readonly Identity[]): Promise<void> {
  const names = identities.map(({ tenantId, kind, businessIdentity }) =>
    JSON.stringify([tenantId, kind, businessIdentity]),
  );
  await tx.$executeRaw`
    SELECT pg_advisory_xact_lock(lock) FROM (
      SELECT DISTINCT hashtextextended(name, 7) AS lock FROM unnest(${names}::text[]) AS name ORDER BY 1) AS ordered`;
}

/** Returns the newest revision of each of the tenant's business identities of a kind that has one. */
export async function findLatestRevisions(tx: Transaction, tenantId: TenantId, identities: readonly Identity[]) {
  return tx.revision.findMany({
    where: { tenantId, OR: identities.map(({ kind, businessIdentity }) => ({ kind, businessIdentity })) },
    orderBy: [{ kind: "asc" }, { businessIdentity: "asc" }, { number: "desc" }],
    distinct: ["kind", "businessIdentity"],
  });
}

/** Stores many payloads whose ids were made before. */
export async function insertPayloads(
  tx: Transaction,
  payloads: readonly {
    id: PayloadId;
    tenantId: TenantId;
    content: Prisma.InputJsonValue;
    digest: Digest;
    createdAt: Date;
    eraseBy: Date;
  }[],
): Promise<void> {
  if (payloads.length > 0) await tx.payload.createMany({ data: [...payloads] });
}

export interface NewRevision extends Identity {
  readonly id: RevisionId;
  readonly number: number;
  readonly payloadId: PayloadId;
  readonly payloadDigest: Digest;
  readonly createdBy: string | null;
  readonly createdAt: Date;
}

/** Opens these revisions. The caller holds their identities' locks. */
export async function insertRevisions(tx: Transaction, revisions: readonly NewRevision[]): Promise<void> {
  if (revisions.length === 0) return;
  await tx.revision.createMany({
    data: revisions.map((revision) => ({ ...revision, nonce: randomBytes(16).toString("hex") })),
  });
}

/** Returns stored content, or null once it has been erased. */
export async function findPayload(tx: Transaction, payloadId: string) {
  return tx.payload.findUnique({ where: { id: payloadId } });
}
