import type { TenantId, UserId } from "@/server/domain/ids";
import type { Transaction } from "./client";

/** Returns the tenant, or null. */
export async function findTenant(tx: Transaction, tenantId: TenantId) {
  return tx.tenant.findUnique({ where: { id: tenantId } });
}

/** Returns a person's memberships with the tenants' names, in name order. */
export async function listMemberships(tx: Transaction, userId: UserId) {
  return tx.membership.findMany({
    where: { userId },
    include: { tenant: { select: { id: true, name: true, slug: true, accent: true } } },
    orderBy: { tenant: { name: "asc" } },
  });
}

/** Makes other transactions that take this lock for the tenant wait until the caller's has ended. */
export async function lockTenant(tx: Transaction, tenantId: TenantId): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${tenantId}, 11))`;
}
