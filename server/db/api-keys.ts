import type { ApiKeyId, TenantId } from "@/server/domain/ids";
import type { Transaction } from "./client";

/** Stores a key. Of its secret only the hash is kept. */
export async function insertApiKey(
  tx: Transaction,
  key: {
    id: ApiKeyId;
    tenantId: TenantId;
    name: string;
    secretHash: string;
    tail: string;
    permissions: string[];
    kinds: string[];
    scopes: string[];
    createdBy: string;
    createdAt: Date;
    expiresAt: Date | null;
  },
): Promise<void> {
  await tx.apiKey.create({ data: key });
}

/** Returns the key whose secret has this hash, or null. */
export async function findApiKeyByHash(tx: Transaction, secretHash: string) {
  return tx.apiKey.findUnique({ where: { secretHash } });
}

/** Returns a key by its id, or null. */
export async function findApiKey(tx: Transaction, id: string) {
  return tx.apiKey.findUnique({ where: { id } });
}

/** Returns the tenant's keys, newest first, those that ended among them. At most `most`. */
export async function listApiKeysOf(tx: Transaction, tenantId: TenantId, most: number) {
  return tx.apiKey.findMany({ where: { tenantId }, orderBy: [{ createdAt: "desc" }, { id: "desc" }], take: most });
}

/** Returns how many of the tenant's keys are in use. */
export async function countLiveApiKeys(tx: Transaction, tenantId: TenantId): Promise<number> {
  return tx.apiKey.count({ where: { tenantId, revokedAt: null } });
}

/** Notes that a key was used. Where somebody else is at that row they note it as well, so nobody waits for it. */
export async function touchApiKey(tx: Transaction, id: string, at: Date): Promise<void> {
  await tx.$executeRaw`
    UPDATE api_keys SET last_used_at = ${at}
    WHERE id IN (SELECT id FROM api_keys WHERE id = ${id} FOR UPDATE SKIP LOCKED)`;
}

/** Ends a key. False where the tenant has no such key that is in use. */
export async function endApiKey(
  tx: Transaction,
  tenantId: TenantId,
  key: { id: ApiKeyId; at: Date; by: string },
): Promise<boolean> {
  const ended = await tx.apiKey.updateMany({
    where: { tenantId, id: key.id, revokedAt: null },
    data: { revokedAt: key.at, revokedBy: key.by },
  });
  return ended.count === 1;
}
