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
  const user = await tx.user.upsert({
    where: { email },
    create: { id: newId("user"), email, name: recipient.name, createdAt: now },
    update: {},
  });
  await tx.membership.upsert({
    where: { tenantId_userId: { tenantId, userId: user.id } },
    create: { tenantId, userId: user.id, role: "recipient", createdAt: now },
    update: {},
  });
  return user.id as UserId;
}

/** Returns the user with this address, or null. */
export async function findUserByEmail(tx: Transaction, email: string) {
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
