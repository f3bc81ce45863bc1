import { createHash, randomBytes } from "node:crypto";
import type { MachineActor, Permission, Reach } from "./access";
import { PERMISSIONS } from "./access";
import type { ApiKeyId, TenantId } from "./ids";

const SECRET = /^bk_[\w-]{43}$/;

/** Returns a new secret of 256 random bits. It is shown once and stored nowhere. */
export function newApiKeySecret(): string {
  return `bk_${randomBytes(32).toString("base64url")}`;
}

/** Returns the hash under which a secret is looked up, or null for what cannot be one. With 256 random bits a plain hash is enough. */
export function hashOfSecret(secret: string): string | null {
  return SECRET.test(secret) ? createHash("sha256").update(secret).digest("hex") : null;
}

/** A key as it is stored, as far as it decides anything. */
export interface StoredKey {
  readonly id: string;
  readonly tenantId: string;
  readonly permissions: readonly string[];
  readonly kinds: readonly string[];
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** Returns who a key acts as, or null once it was revoked or has expired. */
export function machineOf(key: StoredKey, now: Date): MachineActor | null {
  if (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now)) return null;
  return {
    type: "machine",
    keyId: key.id as ApiKeyId,
    tenantId: key.tenantId as TenantId,
    reach: { role: "coordinator", kinds: key.kinds, scopes: key.scopes },
    permissions: PERMISSIONS.filter((permission) => key.permissions.includes(permission)),
  };
}

/** True where everything the key would reach lies within what whoever makes it reaches. */
export function isNoWider(wanted: Pick<Reach, "kinds" | "scopes">, own: Reach): boolean {
  const fits = (part: readonly string[], whole: readonly string[]) =>
    whole.length === 0 || (part.length > 0 && part.every((each) => whole.includes(each)));
  return fits(wanted.kinds, own.kinds) && fits(wanted.scopes, own.scopes);
}

export type { Permission };
