import type { ApiKeyId, SessionId, TenantId, UserId } from "./ids";

export const ROLES = ["admin", "coordinator", "viewer", "recipient"] as const;
export type Role = (typeof ROLES)[number];

/** What a membership allows. Empty lists mean all kinds, all scopes. */
export interface Reach {
  readonly role: Role;
  readonly kinds: readonly string[];
  readonly scopes: readonly string[];
}

/** What an API key may be used for. */
export const PERMISSIONS = ["packets:write", "packets:read", "sources:write", "links:issue"] as const;
export type Permission = (typeof PERMISSIONS)[number];

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
  | {
      /** A program with an API key, bound to one tenant. */
      readonly type: "machine";
      readonly keyId: ApiKeyId;
      readonly tenantId: TenantId;
      readonly reach: Reach;
      readonly permissions: readonly Permission[];
    }
  | { readonly type: "system"; readonly name: "worker" | "seed" | "sign-in" };

export type PersonActor = Extract<Actor, { type: "person" }>;
export type MachineActor = Extract<Actor, { type: "machine" }>;
/** Whoever asks for something on a tenant's behalf. */
export type TenantActor = PersonActor | MachineActor;

/** A tenant's thing, as far as access depends on it. */
export interface Thing {
  readonly tenantId: string;
  readonly kind: string;
  readonly scope: string;
}

export type Action = "submit" | "upload" | "read" | "cancel" | "download" | "manage_library" | "manage_keys";

const ALLOWED: Record<Action, readonly Role[]> = {
  submit: ["admin", "coordinator"],
  upload: ["admin", "coordinator"],
  read: ["admin", "coordinator", "viewer"],
  cancel: ["admin", "coordinator"],
  download: ["admin", "coordinator", "viewer"],
  manage_library: ["admin", "coordinator"],
  manage_keys: ["admin"],
};

/** What a key must permit for a program to do the same; null where only people may. */
const PERMITTED: Record<Action, Permission | null> = {
  submit: "packets:write",
  upload: "sources:write",
  read: "packets:read",
  cancel: "packets:write",
  download: "links:issue",
  manage_library: null,
  manage_keys: null,
};

/** Returns the id that stands for the actor in rows and audit events: a user's, a key's, or the system's name. */
export function idOfActor(actor: Actor): string {
  if (actor.type === "person") return actor.userId;
  return actor.type === "machine" ? actor.keyId : actor.name;
}

/** True where `actor` may do `action` for its tenant at all. */
export function mayAct<Asking extends Actor>(
  actor: Asking,
  action: Action,
): actor is Extract<Asking, TenantActor> & { tenantId: TenantId; reach: Reach } {
  if (actor.type === "system" || actor.tenantId === null || actor.reach === null) return false;
  if (actor.type === "person") return ALLOWED[action].includes(actor.reach.role);
  const permission = PERMITTED[action];
  return permission !== null && actor.permissions.includes(permission);
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
