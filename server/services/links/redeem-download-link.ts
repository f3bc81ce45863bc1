import { appendAuditEvent } from "@/server/db/audit-events";
import { findDownloadLink } from "@/server/db/download-links";
import { correlationOf } from "@/server/db/jobs";
import type { PersonActor } from "@/server/domain/access";
import { verifyLink } from "@/server/domain/download-link";
import { PacketFailure } from "@/server/domain/failure";
import type { JobId } from "@/server/domain/ids";
import type { Context } from "../context";
import { isEntitled, type StoredFile, storedFile } from "./entitlement";

/**
 * Returns what a token opens. The link must be ours, alive, not revoked, and used by the person it was issued to, who must still be
 * entitled. It may be used many times within its minutes, because viewers ask in ranges; each first byte is audited.
 * Throws `link_invalid`, `link_expired` or `artifact_disposed`. [C364,C366,C367,C369]
 */
export async function redeemDownloadLink(
  context: Context,
  actor: PersonActor,
  request: { readonly token: string; readonly isFirstByte: boolean },
): Promise<StoredFile> {
  const now = context.clock.now();
  const claims = verifyLink(request.token, context.linkKeys, now);
  if (typeof claims === "string") throw new PacketFailure(claims);
  if (claims.userId !== actor.userId) throw new PacketFailure("link_invalid");
  return context.db.transact(actor, async (tx) => {
    const link = await findDownloadLink(tx, claims.linkId);
    if (link === null || link.userId !== actor.userId || link.artifactId !== claims.artifactId) {
      throw new PacketFailure("link_invalid");
    }
    if (link.revokedAt !== null) throw new PacketFailure("link_expired");
    const { artifact } = link;
    const jobId = artifact.jobId as JobId;
    if (!(await isEntitled(tx, actor, artifact))) throw new PacketFailure("link_invalid");
    if (artifact.erasedAt !== null) throw new PacketFailure("artifact_disposed");
    if (request.isFirstByte) {
      await appendAuditEvent(tx, actor, {
        tenantId: artifact.tenantId,
        action: "artifact.downloaded",
        subjectType: "artifact",
        subjectId: artifact.id,
        correlationId: await correlationOf(tx, jobId),
        at: now,
        facts: { job: jobId, link: link.id, bytes: Number(artifact.bytes) },
      });
    }
    return storedFile(artifact);
  });
}
