import { createHash, randomBytes } from "node:crypto";

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

export type TenantId = Branded<"TenantId">;
export type UserId = Branded<"UserId">;
export type JobId = Branded<"JobId">;
export type RevisionId = Branded<"RevisionId">;
export type PayloadId = Branded<"PayloadId">;
export type SourceId = Branded<"SourceId">;
export type ArtifactId = Branded<"ArtifactId">;
export type LinkId = Branded<"LinkId">;
export type SessionId = Branded<"SessionId">;
export type ApiKeyId = Branded<"ApiKeyId">;
/** Where an accepted artifact lies in the archive. Only `artifactKey` makes one. */
export type ArtifactKey = Branded<"ArtifactKey">;
/** Where a preview lies, for minutes. The archive does not take it. [C47] */
export type PreviewKey = Branded<"PreviewKey">;
/** Where uploaded bytes lie until their `eraseBy`. */
export type SourceKey = Branded<"SourceKey">;
/** Where a stage's output lies for the next attempt at the same job, until the job's `eraseBy`. */
export type StagedKey = Branded<"StagedKey">;
/** `sha256:` and 64 hex digits. */
export type Digest = Branded<"Digest">;

const PREFIX = {
  tenant: "ten",
  user: "usr",
  job: "job",
  revision: "rev",
  payload: "pay",
  source: "src",
  artifact: "art",
  link: "lnk",
  session: "ses",
  apiKey: "key",
  library: "lib",
  audit: "aud",
} as const;

interface IdOf {
  tenant: TenantId;
  user: UserId;
  job: JobId;
  revision: RevisionId;
  payload: PayloadId;
  source: SourceId;
  artifact: ArtifactId;
  link: LinkId;
  session: SessionId;
  apiKey: ApiKeyId;
  library: Branded<"LibraryDocumentId">;
  audit: Branded<"AuditEventId">;
}
export type LibraryDocumentId = IdOf["library"];

/** Returns a new opaque id: the noun's prefix and 128 random bits. Nothing about the thing can be read from it. */
export function newId<Noun extends keyof typeof PREFIX>(noun: Noun): IdOf[Noun] {
  return `${PREFIX[noun]}_${randomBytes(16).toString("hex")}` as IdOf[Noun];
}

/** Returns `value` as an id of `noun`, or null where it is not one (so that nothing else ever reaches a query). */
export function parseId<Noun extends keyof typeof PREFIX>(noun: Noun, value: unknown): IdOf[Noun] | null {
  if (typeof value !== "string") return null;
  return new RegExp(`^${PREFIX[noun]}_[0-9a-f]{32}$`).test(value) ? (value as IdOf[Noun]) : null;
}

/** Returns the SHA-256 of `bytes` in the form we store and print. [C261] */
export function digestOf(bytes: Uint8Array | string): Digest {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}` as Digest;
}

/** Returns `value` as a digest, or null where it is not one. */
export function parseDigest(value: unknown): Digest | null {
  return typeof value === "string" && /^sha256:[0-9a-f]{64}$/.test(value) ? (value as Digest) : null;
}

/** The deterministic archive key: the same revision and audience always lead to the same object. [C262,C291] */
export function artifactKey(tenantId: TenantId, revisionId: RevisionId, audience: string): ArtifactKey {
  return keyOf("artifact", tenantId, revisionId, audience) as ArtifactKey;
}

/** The key of the preview that `jobId` makes. */
export function previewKey(jobId: JobId): PreviewKey {
  return keyOf("preview", jobId) as PreviewKey;
}

/** The key of the uploaded bytes (`part` "bytes") or of what the inspection made of them (`part` "rows"). */
export function sourceKey(sourceId: SourceId, part: "bytes" | "rows"): SourceKey {
  return keyOf("source", sourceId, part) as SourceKey;
}

/** The key of file `index` of what `stage` of this attempt left. Never shared between jobs. */
export function stagedKey(jobId: JobId, attempt: number, stage: string, index: number): StagedKey {
  return keyOf("staged", jobId, String(attempt), stage, String(index)) as StagedKey;
}

/** Keys are hashes, so that no id, name or title can be read from a path. [C207,C217] */
function keyOf(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
