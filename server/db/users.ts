import { newId, type TenantId, type UserId } from "@/server/domain/ids";
import type { Transaction } from "./client";

/** Returns the user ids of recipients by address, adding who is new. In one order whoever asks, so that no two batches wait for each other. */
export async function findOrAddRecipients(
  tx: Transaction,
  tenantId: TenantId,
  recipients: readonly { name: string; email: string }[],
  now: Date,
): Promise<ReadonlyMap<string, UserId>> {
  const names = new Map(recipients.map(({ name, email }) => [addressOf(email), name]));
  if (names.size === 0) return new Map();
  const emails = [...names.keys()].sort();
  await tx.user.createMany({
    data: emails.map((email) => ({ id: newId("user"), email, name: names.get(email) ?? "", createdAt: now })),
    skipDuplicates: true,
  });
  const users = await tx.user.findMany({ where: { email: { in: emails } }, select: { id: true, email: true } });
  const data = users.map(({ id }) => ({ tenantId, userId: id, role: "recipient", createdAt: now }));
  await tx.membership.createMany({
    data: data.sort((a, b) => (a.userId < b.userId ? -1 : 1)),
    skipDuplicates: true,
  });
  return new Map(users.map(({ id, email }) => [email, id as UserId]));
}

/** Returns the form of an address under which a person is known. */
export function addressOf(email: string): string {
  return email.trim().toLowerCase();
}

/** Returns the user with this address, or null. */
export async function findUserByEmail(tx: Transaction, email: string) {
  // PostgreSQL holds no NUL, so nobody has one in their address.
  if (email.includes("\u0000")) return null;
  return tx.user.findUnique({ where: { email: addressOf(email) } });
}

/** Returns the names of these people by id. */
export async function listNames(tx: Transaction, userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const users = await tx.user.findMany({
    where: { id: { in: [...new Set(userIds)] } },
    select: { id: true, name: true },
  });
  return new Map(users.map((user) => [user.id, user.name]));
}
