import { findLiveSession, revokeSession, setSessionTenant } from "@/server/db/sessions";
import type { Actor, PersonActor, Role } from "@/server/domain/access";
import { PacketFailure } from "@/server/domain/failure";
import type { SessionId, TenantId, UserId } from "@/server/domain/ids";
import { KINDS } from "@/server/packets/registry";
import type { Context } from "../context";

const SIGN_IN: Actor = { type: "system", name: "sign-in" };

export interface TenantView {
  readonly tenantId: string;
  readonly name: string;
  readonly accent: string;
  readonly role: Role;
}

export interface SessionView {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly isOperator: boolean;
  /** The tenant this person acts for now; null for an operator who belongs to none. */
  readonly tenant: (TenantView & { readonly kinds: readonly string[]; readonly timeZone: string }) | null;
  readonly tenants: readonly TenantView[];
}

export interface LiveSession {
  readonly actor: PersonActor;
  readonly view: SessionView;
}

/** Returns who is behind a session id, looked up afresh, so that a revoked session ends at once; null where it is over. */
export async function readSession(
  context: Pick<Context, "db" | "clock">,
  sessionId: SessionId,
): Promise<LiveSession | null> {
  const session = await context.db.transact(SIGN_IN, (tx) => findLiveSession(tx, sessionId, context.clock.now()));
  if (session === null) return null;
  const { user } = session;
  const membership = user.memberships.find((entry) => entry.tenantId === session.tenantId) ?? user.memberships[0];
  const actor: PersonActor = {
    type: "person",
    userId: user.id as UserId,
    sessionId,
    tenantId: (membership?.tenantId ?? null) as TenantId | null,
    reach:
      membership === undefined
        ? null
        : { role: membership.role as Role, kinds: membership.kinds, scopes: membership.scopes },
    isOperator: user.isOperator,
  };
  const viewOf = (entry: (typeof user.memberships)[number]): TenantView => ({
    tenantId: entry.tenantId,
    name: entry.tenant.name,
    accent: entry.tenant.accent,
    role: entry.role as Role,
  });
  const view: SessionView = {
    userId: user.id,
    name: user.name,
    email: user.email,
    isOperator: user.isOperator,
    tenant:
      membership === undefined
        ? null
        : { ...viewOf(membership), kinds: allowedKinds(membership), timeZone: membership.tenant.timeZone },
    tenants: user.memberships.map(viewOf),
  };
  return { actor, view };
}

/** Ends the actor's session. */
export async function signOut(context: Context, actor: PersonActor): Promise<void> {
  await context.db.transact(actor, (tx) => revokeSession(tx, actor.sessionId, context.clock.now()));
}

/** Makes the actor act for another tenant they belong to. Throws `not_found` where they do not. */
export async function switchTenant(context: Context, actor: PersonActor, tenantId: TenantId): Promise<void> {
  const session = await readSession(context, actor.sessionId);
  const isMember = session?.view.tenants.some((tenant) => tenant.tenantId === tenantId) ?? false;
  if (!isMember) throw new PacketFailure("not_found");
  await context.db.transact(actor, (tx) => setSessionTenant(tx, actor.sessionId, tenantId));
}

function allowedKinds(membership: { kinds: string[]; tenant: { kinds: string[] } }): string[] {
  return KINDS.map((kind) => kind.name).filter(
    (name) =>
      (membership.tenant.kinds.length === 0 || membership.tenant.kinds.includes(name)) &&
      (membership.kinds.length === 0 || membership.kinds.includes(name)),
  );
}
