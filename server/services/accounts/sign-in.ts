import { appendAuditEvent } from "@/server/db/audit-events";
import {
  clearSignInFailures,
  countSignInFailures,
  insertSession,
  insertSignInFailure,
  lockSignIns,
} from "@/server/db/sessions";
import { listMemberships } from "@/server/db/tenants";
import { findUserByEmail } from "@/server/db/users";
import type { Actor } from "@/server/domain/access";
import { PacketFailure } from "@/server/domain/failure";
import { digestOf, type SessionId, type TenantId, type UserId } from "@/server/domain/ids";
import type { Context } from "../context";
import { isPassword } from "./password";

const SIGN_IN: Actor = { type: "system", name: "sign-in" };
const FAILURES_MAX = 8;
const FAILURE_WINDOW_MS = 10 * 60_000;
export const SESSION_MS = 12 * 60 * 60_000;

export interface SignedIn {
  readonly sessionId: SessionId;
  readonly userId: UserId;
  readonly name: string;
  readonly email: string;
}

/**
 * Opens a session for the person with this address and password, or returns null. Throws `too_many_attempts` after eight failures in ten
 * minutes for one address, whoever tries. Unknown address and wrong password look and take the same.
 */
export async function signIn(
  context: Pick<Context, "db" | "clock">,
  credentials: { readonly email: string; readonly password: string; readonly correlationId: string },
): Promise<SignedIn | null> {
  const now = context.clock.now();
  const subject = digestOf(credentials.email.trim().toLowerCase());
  const user = await context.db.transact(SIGN_IN, async (tx) => {
    await lockSignIns(tx, subject);
    const failures = await countSignInFailures(tx, subject, new Date(now.getTime() - FAILURE_WINDOW_MS));
    if (failures >= FAILURES_MAX) throw new PacketFailure("too_many_attempts", { retryAfterSeconds: 600 });
    // Counted before it is checked: guesses made at once are counted too, and a success takes them back.
    await insertSignInFailure(tx, subject, now);
    return findUserByEmail(tx, credentials.email);
  });
  const isRight = await isPassword(user?.passwordHash ?? null, credentials.password);
  return context.db.transact(SIGN_IN, async (tx) => {
    if (!isRight || user === null || user.disabledAt !== null) return null;
    await clearSignInFailures(tx, subject);
    const userId = user.id as UserId;
    const [first] = await listMemberships(tx, userId);
    const sessionId = await insertSession(tx, {
      userId,
      tenantId: (first?.tenantId ?? null) as TenantId | null,
      createdAt: now,
      expiresAt: new Date(now.getTime() + SESSION_MS),
    });
    await appendAuditEvent(tx, SIGN_IN, {
      tenantId: null,
      action: "session.opened",
      subjectType: "session",
      subjectId: sessionId,
      correlationId: credentials.correlationId,
      at: now,
    });
    return { sessionId, userId, name: user.name, email: user.email };
  });
}
