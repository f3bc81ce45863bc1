import { newId, type TenantId, type UserId } from "@/server/domain/ids";
import type { Transaction } from "./client";

/**
 * Returns the person a packet is addressed to, adding them where the tenant has not met them. Addresses are compared in lower case, so
 * that the way somebody types theirs does not make them somebody else.
 */
export async function findOrAddRecipient(
  tx: Transaction,
  tenantId: TenantId,
  recipient: { name: string; email: string },
  now: Date,
): Promise<UserId> {
  const email = recipient.email.trim().toLowerCase();
  // An upsert reads first and may lose to another packet for the same new person; skipping duplicates cannot.
  await tx.user.createMany({
    data: [{ id: newId("user"), email, name: recipient.name, createdAt: now }],
    skipDuplicates: true,
  });
  const { id } = await tx.user.findUniqueOrThrow({ where: { email }, select: { id: true } });
  await tx.membership.createMany({
    data: [{ tenantId, userId: id, role: "recipient", createdAt: now }],
    skipDuplicates: true,
  });
  return id as UserId;
}

/** Returns the user with this address, or null. */
export async function findUserByEmail(tx: Transaction, email: string) {
  // PostgreSQL holds no NUL, so nobody has one in their address.
  if (email.includes("\u0000")) return null;
  return tx.user.findUnique({ where: { email: email.trim().toLowerCase() } });
}

/** Returns the names of these people by id. */
export async function listNames(tx: Transaction, userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const users = await tx.user.findMany({
    where: { id: { in: [...new Set(userIds)] } },
    select: { id: true, name: true },
  });
  return new Map(users.map((user) => [user.id, user.name]));
}
