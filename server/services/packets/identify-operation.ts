import type { Transaction } from "@/server/db/client";
import { findJobOfRevision, findSubmission, putSubmission } from "@/server/db/jobs";
import { findLatestRevision, type Identity, lockIdentity } from "@/server/db/revisions";
import { PacketFailure } from "@/server/domain/failure";
import type { Digest, JobId, RevisionId } from "@/server/domain/ids";
import { canonicalDigest, derivedKey, requestFingerprint } from "@/server/domain/request";
import type { AcceptedRequest } from "./accept-request";

/** Which business operation a request means. */
export interface Operation {
  readonly identity: Identity;
  readonly idempotencyKey: string;
  readonly fingerprint: Digest;
  readonly payloadDigest: Digest;
  /** The number its revision has or will have. */
  readonly revisionNumber: number;
  /** The revision with exactly this content, where it is the newest. */
  readonly revisionId: RevisionId | null;
  /** The job that already stands for it; nothing is opened. */
  readonly existing: JobId | null;
  /** The job of this key that ended without a result; a new one is linked to it. */
  readonly endedJob: JobId | null;
}

/** What a header can carry: visible characters and spaces of ASCII. */
const IDEMPOTENCY_KEY = /^[ -~]{1,255}$/;

/**
 * Finds out whether this request was made before. Holds the identity's and the key's locks until the transaction ends, so that any
 * number of equal requests at once lead to one job. Throws `idempotency_conflict` where the key stands for other content.
 * [C11,C12,C27,C30,C31]
 */
export async function identifyOperation(
  tx: Transaction,
  request: AcceptedRequest,
  givenKey: string | undefined,
  now: Date,
): Promise<Operation> {
  if (givenKey !== undefined && !IDEMPOTENCY_KEY.test(givenKey)) throw new PacketFailure("invalid_request");
  const { kind, audience, payload } = request;
  const identity = {
    tenantId: request.tenantId,
    kind: kind.name,
    businessIdentity: kind.businessIdentity(payload),
  };
  await lockIdentity(tx, identity);
  const payloadDigest = canonicalDigest(payload);
  const latest = await findLatestRevision(tx, identity);
  const isNewest = latest !== null && latest.payloadDigest === payloadDigest;
  const revisionNumber = isNewest ? latest.number : (latest?.number ?? 0) + 1;
  const idempotencyKey =
    givenKey ??
    derivedKey({
      kind: kind.name,
      businessIdentity: identity.businessIdentity,
      audience,
      fidelity: "archival",
      revisionNumber,
    });
  const operation = {
    identity,
    idempotencyKey,
    fingerprint: requestFingerprint({ kind: kind.name, audience, fidelity: "archival", payload }),
    payloadDigest,
    revisionNumber,
    revisionId: isNewest ? (latest.id as RevisionId) : null,
  };
  await lockIdentity(tx, { ...identity, kind: "", businessIdentity: idempotencyKey });

  const earlier = await findSubmission(tx, identity.tenantId, idempotencyKey);
  if (earlier !== null && earlier.fingerprint !== operation.fingerprint)
    throw new PacketFailure("idempotency_conflict");
  const mayOpenAgain = earlier === null || earlier.job.state === "cancelled" || earlier.job.state === "dead_letter";
  const endedJob = (earlier?.job.id ?? null) as JobId | null;
  if (!mayOpenAgain) return { ...operation, existing: endedJob, endedJob: null };

  const sameRevision = isNewest ? await findJobOfRevision(tx, latest.id, audience) : null;
  if (sameRevision !== null) {
    const existing = sameRevision.id as JobId;
    await putSubmission(tx, {
      tenantId: identity.tenantId,
      idempotencyKey,
      fingerprint: operation.fingerprint,
      jobId: existing,
      createdAt: now,
    });
    return { ...operation, existing, endedJob: null };
  }
  return { ...operation, existing: null, endedJob };
}
