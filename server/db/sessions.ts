import { newId, type SessionId, type TenantId, type UserId } from "@/server/domain/ids";
import type { Transaction } from "./client";

/** Opens a session for a person. */
export async function insertSession(
  tx: Transaction,
  session: { userId: UserId; tenantId: TenantId | null; createdAt: Date; expiresAt: Date },
): Promise<SessionId> {
  const id = newId("session");
  await tx.session.create({ data: { id, ...session } });
  return id;
}

/** Returns a live session with its person and memberships, or null where it ended, was revoked, or the person was disabled. */
export async function findLiveSession(tx: Transaction, sessionId: SessionId, now: Date) {
  return tx.session.findFirst({
    where: { id: sessionId, revokedAt: null, expiresAt: { gt: now }, user: { disabledAt: null } },
    include: {
      user: {
        include: {
          memberships: {
            include: { tenant: { select: { id: true, name: true, accent: true, kinds: true, timeZone: true } } },
            orderBy: { tenant: { name: "asc" } },
          },
        },
      },
    },
  });
}

/** Ends a session at once. */
export async function revokeSession(tx: Transaction, sessionId: SessionId, now: Date): Promise<void> {
  await tx.session.updateMany({ where: { id: sessionId, revokedAt: null }, data: { revokedAt: now } });
}

/** Makes a person act for another of their tenants from now on. */
export async function setSessionTenant(tx: Transaction, sessionId: SessionId, tenantId: TenantId): Promise<void> {
  await tx.session.update({ where: { id: sessionId }, data: { tenantId } });
}

/** Makes other sign-ins for this hashed address wait until the caller's transaction has ended. */
export async function lockSignIns(tx: Transaction, subject: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${subject}, 13))`;
}

/** Records a failed sign-in for this hashed address. */
export async function insertSignInFailure(tx: Transaction, subject: string, at: Date): Promise<void> {
  await tx.signInFailure.create({ data: { subject, at } });
}

/** Returns how often signing in failed for this hashed address since `since`. */
export async function countSignInFailures(tx: Transaction, subject: string, since: Date): Promise<number> {
  return tx.signInFailure.count({ where: { subject, at: { gte: since } } });
}

/** Forgets the failures of this hashed address. */
export async function clearSignInFailures(tx: Transaction, subject: string): Promise<void> {
  await tx.signInFailure.deleteMany({ where: { subject } });
}
