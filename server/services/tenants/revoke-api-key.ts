import { endApiKey } from "@/server/db/api-keys";
import { appendAuditEvent } from "@/server/db/audit-events";
import { mayAct, type PersonActor } from "@/server/domain/access";
import { PacketFailure } from "@/server/domain/failure";
import type { ApiKeyId } from "@/server/domain/ids";
import type { Context } from "../context";

/** Ends a key at once: its next request is refused, and so are the links it was given. Revoking again is no fault. For admins. */
export async function revokeApiKey(
  context: Context,
  actor: PersonActor,
  request: { readonly keyId: ApiKeyId; readonly correlationId: string },
): Promise<{ revoked: boolean }> {
  if (!mayAct(actor, "manage_keys")) throw new PacketFailure("not_found");
  const { tenantId } = actor;
  const at = context.clock.now();
  return context.db.transact(actor, async (tx) => {
    const revoked = await endApiKey(tx, tenantId, { id: request.keyId, at, by: actor.userId });
    if (revoked) {
      await appendAuditEvent(tx, actor, {
        tenantId,
        action: "api_key.revoked",
        subjectType: "api_key",
        subjectId: request.keyId,
        correlationId: request.correlationId,
        at,
      });
    }
    return { revoked };
  });
}
