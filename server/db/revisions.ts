import { randomBytes } from "node:crypto";
import { type Digest, newId, type PayloadId, type RevisionId, type TenantId } from "@/server/domain/ids";
import type { Transaction } from "./client";
import type { Prisma } from "./generated/client";

export interface Identity {
  readonly tenantId: TenantId;
  readonly kind: string;
  readonly businessIdentity: string;
}

/** Makes later submissions about the same thing wait for this transaction, so that revisions are numbered without gaps or twins. */
export async function lockIdentity(tx: Transaction, identity: Identity): Promise<void> {
  const name = JSON.stringify([identity.tenantId, identity.kind, identity.businessIdentity]);
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 7))`;
}

/** Returns the newest revision of this business identity, or null. */
export async function findLatestRevision(tx: Transaction, identity: Identity) {
  return tx.revision.findFirst({ where: { ...identity }, orderBy: { number: "desc" } });
}

/** Stores content under a new payload id, to be erased by `eraseBy`. */
export async function insertPayload(
  tx: Transaction,
  payload: { tenantId: TenantId; content: Prisma.InputJsonValue; digest: Digest; createdAt: Date; eraseBy: Date },
): Promise<PayloadId> {
  const id = newId("payload");
  await tx.payload.create({ data: { id, ...payload } });
  return id;
}

/** Opens the next revision of this business identity. The caller holds the identity's lock. */
export async function insertRevision(
  tx: Transaction,
  revision: Identity & {
    number: number;
    payloadId: PayloadId;
    payloadDigest: Digest;
    createdBy: string | null;
    createdAt: Date;
  },
): Promise<RevisionId> {
  const id = newId("revision");
  await tx.revision.create({ data: { id, ...revision, nonce: randomBytes(16).toString("hex") } });
  return id;
}

/** Returns stored content, or null once it has been erased. */
export async function findPayload(tx: Transaction, payloadId: string) {
  return tx.payload.findUnique({ where: { id: payloadId } });
}
