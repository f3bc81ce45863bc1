import { findArtifactOfJob } from "@/server/db/artifacts";
import { appendAuditEvent } from "@/server/db/audit-events";
import { insertDownloadLink } from "@/server/db/download-links";
import { idOfActor, type TenantActor } from "@/server/domain/access";
import { signLink } from "@/server/domain/download-link";
import { PacketFailure } from "@/server/domain/failure";
import { type ArtifactId, type JobId, newId } from "@/server/domain/ids";
import { isDisposed } from "@/server/domain/retention";
import type { Context } from "../context";
import { isEntitled } from "./entitlement";

export interface IssuedLink {
  readonly path: string;
  readonly expiresAt: Date;
}

/**
 * Returns a link to the packet's bytes that works for minutes: for this person, or, given to a program, for whoever holds it. Issued only after the access check; requester, packet
 * and expiry are audited. Throws `not_found` for a packet that is not theirs, `artifact_disposed` once it is gone. [C364,C365,C367]
 */
export async function issueDownloadLink(
  context: Context,
  actor: TenantActor,
  request: { readonly jobId: JobId; readonly correlationId: string },
): Promise<IssuedLink> {
  const now = context.clock.now();
  return context.db.transact(actor, async (tx) => {
    const artifact = await findArtifactOfJob(tx, request.jobId);
    if (artifact === null || !(await isEntitled(tx, actor, artifact))) throw new PacketFailure("not_found");
    if (isDisposed(artifact, now)) throw new PacketFailure("artifact_disposed");
    const userId = actor.type === "person" ? actor.userId : null;
    const linkId = newId("link");
    const expiresAt = new Date(now.getTime() + context.linkMsMax);
    const artifactId = artifact.id as ArtifactId;
    await insertDownloadLink(tx, {
      id: linkId,
      tenantId: artifact.tenantId,
      artifactId,
      userId,
      issuedBy: idOfActor(actor),
      purpose: "download",
      issuedAt: now,
      expiresAt,
    });
    await appendAuditEvent(tx, actor, {
      tenantId: artifact.tenantId,
      action: "link.issued",
      subjectType: "artifact",
      subjectId: artifactId,
      correlationId: request.correlationId,
      at: now,
      facts: { job: request.jobId, link: linkId, expiresAt: expiresAt.toISOString() },
    });
    const token = signLink({ linkId, artifactId, userId, purpose: "download", expiresAt }, context.linkKeys);
    return { path: `/d/${token}`, expiresAt };
  });
}
