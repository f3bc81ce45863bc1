import { countLiveApiKeys, insertApiKey } from "@/server/db/api-keys";
import { appendAuditEvent } from "@/server/db/audit-events";
import { lockTenant } from "@/server/db/tenants";
import { mayAct, type Permission, type PersonActor } from "@/server/domain/access";
import { hashOfSecret, isNoWider, newApiKeySecret } from "@/server/domain/api-key";
import { type Finding, PacketFailure } from "@/server/domain/failure";
import { type ApiKeyId, newId } from "@/server/domain/ids";
import { findKind } from "@/server/packets/registry";
import type { Context } from "../context";

export interface NewApiKey {
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** Empty for all that the person themselves reaches. */
  readonly kinds: readonly string[];
  readonly scopes: readonly string[];
  /** Null for a key without an end. */
  readonly expiresAt: Date | null;
  readonly correlationId: string;
}

export const LIVE_KEYS_MAX = 50;

/**
 * Makes a key for the tenant's programs and returns it with its secret, which nobody sees again. Only an admin may, and no key reaches
 * further than they do. Throws `payload_invalid` with the fields, `not_found` for others.
 */
export async function createApiKey(
  context: Context,
  actor: PersonActor,
  wanted: NewApiKey,
): Promise<{ keyId: ApiKeyId; secret: string }> {
  if (!mayAct(actor, "manage_keys")) throw new PacketFailure("not_found");
  const now = context.clock.now();
  const { tenantId, reach } = actor;
  const name = wanted.name.trim();
  const kinds = wanted.kinds.length === 0 ? [...reach.kinds] : [...wanted.kinds];
  const scopes = wanted.scopes.length === 0 ? [...reach.scopes] : [...wanted.scopes];
  const findings = problemsOf({ ...wanted, name, kinds }, now);
  if (!isNoWider({ kinds, scopes }, reach))
    findings.push(finding("kinds", "too_wide", "A key cannot reach further than you do."));
  if (findings.length > 0) throw new PacketFailure("payload_invalid", { findings });
  const secret = newApiKeySecret();
  const secretHash = hashOfSecret(secret);
  if (secretHash === null) throw new TypeError("A new secret has a hash.");
  const keyId = newId("apiKey");
  await context.db.transact(actor, async (tx) => {
    await lockTenant(tx, tenantId);
    if ((await countLiveApiKeys(tx, tenantId)) >= LIVE_KEYS_MAX) {
      const message = `There are ${LIVE_KEYS_MAX} keys already. Revoke one that is not used.`;
      throw new PacketFailure("payload_invalid", { findings: [finding("name", "too_many", message)] });
    }
    await insertApiKey(tx, {
      id: keyId,
      tenantId,
      name,
      secretHash,
      tail: secret.slice(-4),
      permissions: [...new Set(wanted.permissions)],
      kinds,
      scopes,
      createdBy: actor.userId,
      createdAt: now,
      expiresAt: wanted.expiresAt,
    });
    await appendAuditEvent(tx, actor, {
      tenantId,
      action: "api_key.created",
      subjectType: "api_key",
      subjectId: keyId,
      correlationId: wanted.correlationId,
      at: now,
      facts: { permissions: wanted.permissions.join(" "), expiresAt: wanted.expiresAt?.toISOString() ?? null },
    });
  });
  return { keyId, secret };
}

function problemsOf(wanted: Pick<NewApiKey, "name" | "permissions" | "kinds" | "expiresAt">, now: Date): Finding[] {
  const findings: Finding[] = [];
  if (wanted.name === "" || wanted.name.length > 80 || /\p{Cc}/u.test(wanted.name))
    findings.push(finding("name", "name_invalid", "Give the key a name of at most 80 characters."));
  if (wanted.permissions.length === 0)
    findings.push(finding("permissions", "permissions_missing", "Choose at least one thing that the key may do."));
  if (wanted.kinds.some((kind) => findKind(kind) === null))
    findings.push(finding("kinds", "unknown_kind", "This kind of packet is not known here."));
  if (wanted.expiresAt !== null && wanted.expiresAt <= now)
    findings.push(finding("expiresAt", "expiry_past", "Choose a day that is still to come."));
  return findings;
}

function finding(field: string, code: string, message: string): Finding {
  return { path: [field], code, message };
}
