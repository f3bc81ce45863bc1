import type { SessionId, TenantId, UserId } from "./ids";

export const ROLES = ["admin", "coordinator", "viewer", "recipient"] as const;
export type Role = (typeof ROLES)[number];

/** What a membership allows. Empty lists mean all kinds, all scopes. */
export interface Reach {
  readonly role: Role;
  readonly kinds: readonly string[];
  readonly scopes: readonly string[];
}

/** Who is doing this. A person acts for one tenant at a time; the system acts for whatever tenant a row names. */
export type Actor =
  | {
      readonly type: "person";
      readonly userId: UserId;
      readonly sessionId: SessionId;
      readonly tenantId: TenantId | null;
      readonly reach: Reach | null;
      readonly isOperator: boolean;
    }
  | { readonly type: "system"; readonly name: "worker" | "seed" | "sign-in" };

export type PersonActor = Extract<Actor, { type: "person" }>;

/** A tenant's thing, as far as access depends on it. */
export interface Thing {
  readonly tenantId: string;
  readonly kind: string;
  readonly scope: string;
}

export type Action = "submit" | "read" | "cancel" | "download" | "manage_library";

const ALLOWED: Record<Action, readonly Role[]> = {
  submit: ["admin", "coordinator"],
  read: ["admin", "coordinator", "viewer"],
  cancel: ["admin", "coordinator"],
  download: ["admin", "coordinator", "viewer"],
  manage_library: ["admin", "coordinator"],
};

/** True where `actor` may do `action` for its tenant at all. */
export function mayAct(actor: Actor, action: Action): actor is PersonActor & { tenantId: TenantId; reach: Reach } {
  return (
    actor.type === "person" &&
    actor.tenantId !== null &&
    actor.reach !== null &&
    ALLOWED[action].includes(actor.reach.role)
  );
}

/** True where `actor` may do `action` to this thing: own tenant, allowed role, and within the membership's kinds and scopes. [C362] */
export function mayTouch(actor: Actor, action: Action, thing: Thing): boolean {
  if (!mayAct(actor, action)) return false;
  return actor.tenantId === thing.tenantId && isWithin(actor.reach, thing);
}

/** True where kind and scope lie within the reach. */
export function isWithin(reach: Reach, thing: Pick<Thing, "kind" | "scope">): boolean {
  const kindAllowed = reach.kinds.length === 0 || reach.kinds.includes(thing.kind);
  const scopeAllowed = reach.scopes.length === 0 || reach.scopes.includes(thing.scope);
  return kindAllowed && scopeAllowed;
}
