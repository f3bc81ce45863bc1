import { insertPayloads } from "@/server/db/revisions";
import type { TenantActor } from "@/server/domain/access";
import { type JobId, newId } from "@/server/domain/ids";
import { canonicalDigest, requestFingerprint } from "@/server/domain/request";
import type { Context } from "../context";
import { acceptRequest, type PacketRequest } from "./accept-request";
import { openJob } from "./open-job";

/** A preview nobody waits for any more is not worth making. */
const PREVIEW_PATIENCE_MS = 2 * 60_000;
/** What a preview was made from goes with it. */
const PREVIEW_INPUT_MS = 60 * 60_000;

/**
 * Asks for a reduced copy of what this request would make. It goes through the interactive lane, belongs to no revision and lives for
 * minutes; nothing can turn it into a record. Throws like submitting does. [C40,C45,C47]
 */
export async function previewPacket(
  context: Context,
  actor: TenantActor,
  request: PacketRequest & { readonly correlationId: string },
): Promise<{ jobId: JobId }> {
  const now = context.clock.now();
  return context.db.transact(actor, async (tx) => {
    const accepted = await acceptRequest(tx, actor, request, now);
    const { kind, audience, payload } = accepted;
    const deadline = new Date(now.getTime() + PREVIEW_INPUT_MS);
    const payloadId = newId("payload");
    await insertPayloads(tx, [
      {
        id: payloadId,
        tenantId: accepted.tenantId,
        content: payload as object,
        digest: canonicalDigest(payload),
        createdAt: now,
        eraseBy: deadline,
      },
    ]);
    const jobId = await openJob(context, tx, actor, accepted, {
      fidelity: "preview",
      idempotencyKey: `preview:${newId("payload")}`,
      fingerprint: requestFingerprint({ kind: kind.name, audience, fidelity: "preview", payload }),
      payloadId,
      revisionId: null,
      redriveOf: null,
      correlationId: request.correlationId,
      finishBy: new Date(now.getTime() + PREVIEW_PATIENCE_MS),
      eraseBy: deadline,
      readers: [],
    });
    return { jobId };
  });
}
