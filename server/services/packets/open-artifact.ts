import { findArtifactOfJob } from "@/server/db/artifacts";
import { appendAuditEvent } from "@/server/db/audit-events";
import { correlationOf } from "@/server/db/jobs";
import type { TenantActor } from "@/server/domain/access";
import { PacketFailure } from "@/server/domain/failure";
import type { JobId } from "@/server/domain/ids";
import { isDisposed } from "@/server/domain/retention";
import type { Context } from "../context";
import { isEntitled, type StoredFile, storedFile } from "../links/entitlement";

/**
 * Returns where a finished packet lies, for reading it on its own page. The same check as for a download link, with the live session in
 * place of the token; each first byte is audited. Throws `not_found` for a packet that is not theirs, `artifact_disposed` once it is gone.
 */
export async function openArtifact(
  context: Context,
  actor: TenantActor,
  request: { readonly jobId: JobId; readonly isFirstByte: boolean },
): Promise<StoredFile> {
  const now = context.clock.now();
  return context.db.transact(actor, async (tx) => {
    const artifact = await findArtifactOfJob(tx, request.jobId);
    if (artifact === null || !(await isEntitled(tx, actor, artifact))) throw new PacketFailure("not_found");
    if (isDisposed(artifact, now)) throw new PacketFailure("artifact_disposed");
    if (request.isFirstByte) {
      await appendAuditEvent(tx, actor, {
        tenantId: artifact.tenantId,
        action: "artifact.viewed",
        subjectType: "artifact",
        subjectId: artifact.id,
        correlationId: await correlationOf(tx, request.jobId),
        at: now,
        facts: { job: request.jobId },
      });
    }
    return storedFile(artifact);
  });
}
