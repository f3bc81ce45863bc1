import type { Transaction } from "@/server/db/client";
import { findJobsOfRevisions, findSubmissions, type SubmissionRow } from "@/server/db/jobs";
import { findLatestRevisions, type Identity, lockIdentities } from "@/server/db/revisions";
import { PacketFailure } from "@/server/domain/failure";
import type { Digest, JobId, RevisionId, TenantId } from "@/server/domain/ids";
import { canonicalDigest, derivedKey, requestFingerprint } from "@/server/domain/request";
import type { ReadRequest } from "./accept-request";

/** Which business operation a request means. */
export interface Operation {
  readonly identity: Identity;
  readonly idempotencyKey: string;
  readonly fingerprint: Digest;
  readonly payloadDigest: Digest;
  readonly audience: string;
  /** The number its revision has or will have. */
  readonly revisionNumber: number;
  /** The revision with exactly this content, where it is the newest. */
  readonly revisionId: RevisionId | null;
  /** The job that already stands for it; nothing is opened. */
  readonly existing: JobId | null;
  /** The job of this key that ended without a result; a new one is linked to it. */
  readonly endedJob: JobId | null;
}

/** What was submitted so far: what the database holds, and what this transaction is about to add to it. */
export interface Ledger {
  /** Finds out whether this request was made before. Throws `idempotency_conflict` where its key stands for other content. */
  identify(request: ReadRequest, givenKey: string | undefined): Operation;
  /** Notes that an operation is a repeat: its key stands for the job that exists, too. */
  repeated(operation: Operation): void;
  /** Notes that a job was opened for an operation, so that a request behind it in the same batch meets it. */
  opened(operation: Operation, made: { readonly revisionId: RevisionId; readonly jobId: JobId }): void;
  /** The keys to write: new ones, and those that stand for another job from now on. */
  keys(): { readonly added: readonly SubmissionRow[]; readonly moved: readonly SubmissionRow[] };
}

export interface Wanted {
  readonly request: ReadRequest;
  readonly givenKey: string | undefined;
}

const OVER_WITHOUT_RESULT = ["cancelled", "dead_letter"];

/**
 * Opens the ledger for these requests of one tenant. The locks of their identities and keys are held until the transaction ends, so that
 * any number of equal requests at once, alone or in batches, lead to one job. [C11,C12,C27,C30,C31]
 */
export async function openLedger(
  tx: Transaction,
  tenantId: TenantId,
  wanted: readonly Wanted[],
  now: Date,
): Promise<Ledger> {
  const identities = wanted.map(({ request }) => identityOf(request));
  await lockIdentities(tx, identities);
  const givenKeys = wanted.flatMap(({ givenKey }) => givenKey ?? []);
  if (givenKeys.length > 0) {
    await lockIdentities(
      tx,
      givenKeys.map((key) => ({ tenantId, kind: "", businessIdentity: key })),
    );
  }
  const revisions = await findLatestRevisions(tx, tenantId, identities);
  const latest = new Map<string, { id: RevisionId; number: number; digest: string }>();
  for (const row of revisions) {
    latest.set(nameOf(row), { id: row.id as RevisionId, number: row.number, digest: row.payloadDigest });
  }
  // A derived key of a revision that is yet to be made cannot stand for anything.
  const derived = wanted.map(({ request }) => keyFrom(request, latest.get(nameOf(identityOf(request)))?.number ?? 0));
  const rows = await findSubmissions(tx, tenantId, [...new Set([...givenKeys, ...derived])]);
  const standing = new Map(
    rows.map((row) => [
      row.idempotencyKey,
      { fingerprint: row.fingerprint, jobId: row.job.id as JobId, state: row.job.state },
    ]),
  );
  const jobs = await findJobsOfRevisions(
    tx,
    revisions.map(({ id }) => id),
  );
  const jobOf = new Map(jobs.map(({ id, revisionId, audience }) => [`${revisionId} ${audience}`, id as JobId]));
  const added = new Map<string, SubmissionRow>();
  const moved = new Map<string, SubmissionRow>();

  const note = ({ idempotencyKey, fingerprint }: Operation, jobId: JobId) => {
    const row = { tenantId, idempotencyKey, fingerprint, jobId, createdAt: now };
    const isNew = added.has(idempotencyKey) || !standing.has(idempotencyKey);
    (isNew ? added : moved).set(idempotencyKey, row);
    standing.set(idempotencyKey, { fingerprint, jobId, state: "queued" });
  };

  return {
    identify: (request, givenKey) => {
      const { kind, audience, payload } = request;
      const identity = identityOf(request);
      const payloadDigest = canonicalDigest(payload);
      const newest = latest.get(nameOf(identity));
      const isNewest = newest !== undefined && newest.digest === payloadDigest;
      const revisionNumber = isNewest ? newest.number : (newest?.number ?? 0) + 1;
      const operation = {
        identity,
        audience,
        idempotencyKey: givenKey ?? keyFrom(request, revisionNumber),
        fingerprint: requestFingerprint({ kind: kind.name, audience, fidelity: "archival", payload }),
        payloadDigest,
        revisionNumber,
        revisionId: isNewest ? newest.id : null,
        existing: null,
        endedJob: null,
      };
      const earlier = standing.get(operation.idempotencyKey);
      if (earlier !== undefined && earlier.fingerprint !== operation.fingerprint)
        throw new PacketFailure("idempotency_conflict");
      if (earlier !== undefined && !OVER_WITHOUT_RESULT.includes(earlier.state))
        return { ...operation, existing: earlier.jobId };
      const sameRevision = isNewest ? jobOf.get(`${newest.id} ${audience}`) : undefined;
      if (sameRevision === undefined) return { ...operation, endedJob: earlier?.jobId ?? null };
      return { ...operation, existing: sameRevision };
    },
    repeated: (operation) => {
      const { existing, idempotencyKey } = operation;
      if (existing !== null && standing.get(idempotencyKey)?.jobId !== existing) note(operation, existing);
    },
    opened: (operation, { revisionId, jobId }) => {
      const { identity, revisionNumber: number, payloadDigest: digest, audience } = operation;
      latest.set(nameOf(identity), { id: revisionId, number, digest });
      jobOf.set(`${revisionId} ${audience}`, jobId);
      note(operation, jobId);
    },
    keys: () => ({ added: [...added.values()], moved: [...moved.values()] }),
  };
}

function identityOf({ tenantId, kind, payload }: ReadRequest): Identity {
  return { tenantId, kind: kind.name, businessIdentity: kind.businessIdentity(payload) };
}

function nameOf({ kind, businessIdentity }: Pick<Identity, "kind" | "businessIdentity">): string {
  return JSON.stringify([kind, businessIdentity]);
}

function keyFrom({ kind, payload, audience }: ReadRequest, revisionNumber: number): string {
  const businessIdentity = kind.businessIdentity(payload);
  return derivedKey({ kind: kind.name, businessIdentity, audience, fidelity: "archival", revisionNumber });
}
