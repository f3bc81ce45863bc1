import { listApiKeysOf } from "@/server/db/api-keys";
import { listNames } from "@/server/db/users";
import { mayAct, type PersonActor } from "@/server/domain/access";
import { PacketFailure } from "@/server/domain/failure";
import type { Context } from "../context";

export interface ApiKeyView {
  readonly keyId: string;
  readonly name: string;
  /** The last characters of the secret. */
  readonly tail: string;
  readonly permissions: readonly string[];
  readonly kinds: readonly string[];
  readonly scopes: readonly string[];
  readonly createdBy: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly state: "live" | "expired" | "revoked";
}

const MOST = 200;

/** Returns the tenant's API keys, newest first, those that ended among them. For admins; others get `not_found`. */
export async function listApiKeys(context: Context, actor: PersonActor): Promise<ApiKeyView[]> {
  if (!mayAct(actor, "manage_keys")) throw new PacketFailure("not_found");
  const now = context.clock.now();
  return context.db.transact(actor, async (tx) => {
    const keys = await listApiKeysOf(tx, actor.tenantId, MOST);
    const names = await listNames(
      tx,
      keys.map((key) => key.createdBy),
    );
    return keys.map((key) => ({
      keyId: key.id,
      name: key.name,
      tail: key.tail,
      permissions: key.permissions,
      kinds: key.kinds,
      scopes: key.scopes,
      createdBy: names.get(key.createdBy) ?? null,
      createdAt: key.createdAt,
      expiresAt: key.expiresAt,
      lastUsedAt: key.lastUsedAt,
      state: key.revokedAt !== null ? "revoked" : key.expiresAt !== null && key.expiresAt <= now ? "expired" : "live",
    }));
  });
}
