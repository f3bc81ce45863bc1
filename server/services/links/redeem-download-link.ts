import { findApiKey } from "@/server/db/api-keys";
import { appendAuditEvent } from "@/server/db/audit-events";
import type { Transaction } from "@/server/db/client";
import { findDownloadLink } from "@/server/db/download-links";
import { correlationOf } from "@/server/db/jobs";
import type { Actor, PersonActor, TenantActor } from "@/server/domain/access";
import { machineOf } from "@/server/domain/api-key";
import { type LinkClaims, verifyLink } from "@/server/domain/download-link";
import { PacketFailure } from "@/server/domain/failure";
import type { JobId } from "@/server/domain/ids";
import { isDisposed } from "@/server/domain/retention";
import type { Context } from "../context";
import { isEntitled, type StoredFile, storedFile } from "./entitlement";

const BEARER: Actor = { type: "system", name: "sign-in" };

/**
 * Returns what a token opens. The link must be ours, alive and not revoked. A person's link opens for that person's live session only; one
 * given to a program opens for whoever holds it, for as long as the program's key lives. Whoever it was issued to must still be entitled.
 * It may be used many times within its minutes, because viewers ask in ranges; each first byte is audited. Throws `unauthenticated` where
 * a person's link comes without a session, `link_invalid`, `link_expired` or `artifact_disposed`. [C364,C366,C367,C369]
 */
export async function redeemDownloadLink(
  context: Context,
  person: PersonActor | null,
  request: { readonly token: string; readonly isFirstByte: boolean },
): Promise<StoredFile> {
  const now = context.clock.now();
  const claims = verifyLink(request.token, context.linkKeys, now);
  if (claims === "link_invalid" && person === null) throw new PacketFailure("unauthenticated");
  if (typeof claims === "string") throw new PacketFailure(claims);
  if (claims.userId !== null && person === null) throw new PacketFailure("unauthenticated");
  if (claims.userId !== null && claims.userId !== person?.userId) throw new PacketFailure("link_invalid");
  return context.db.transact(person ?? BEARER, async (tx) => {
    const link = await findDownloadLink(tx, claims.linkId);
    if (link === null || link.userId !== claims.userId || link.artifactId !== claims.artifactId) {
      throw new PacketFailure("link_invalid");
    }
    if (link.revokedAt !== null) throw new PacketFailure("link_expired");
    const actor = await holderOf(tx, claims, person, link.issuedBy, now);
    const { artifact } = link;
    const jobId = artifact.jobId as JobId;
    if (!(await isEntitled(tx, actor, artifact))) throw new PacketFailure("link_invalid");
    if (isDisposed(artifact, now)) throw new PacketFailure("artifact_disposed");
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

/** Who the link stands for: the person who holds it, or the key it was given to, which must still be in use. */
async function holderOf(
  tx: Transaction,
  claims: LinkClaims,
  person: PersonActor | null,
  issuedBy: string,
  now: Date,
): Promise<TenantActor> {
  if (claims.userId !== null && person !== null) return person;
  const key = await findApiKey(tx, issuedBy);
  const machine = key === null ? null : machineOf(key, now);
  if (machine === null) throw new PacketFailure("link_expired");
  return machine;
}
