import { isAddressedTo } from "@/server/db/artifacts";
import type { Transaction } from "@/server/db/client";
import { mayTouch, type TenantActor } from "@/server/domain/access";
import type { ArtifactKey, JobId } from "@/server/domain/ids";

/** What an archive record says of its bytes. */
interface Recorded {
  readonly jobId: string;
  readonly tenantId: string;
  readonly kind: string;
  readonly scope: string;
  readonly archiveKey: string;
  readonly bytes: bigint;
  readonly digest: string;
  readonly mediaType: string;
  readonly subject: string;
}

export interface StoredFile {
  readonly archiveKey: ArtifactKey;
  readonly bytes: number;
  readonly digest: string;
  readonly mediaType: string;
  /** What the packet is called. Content: for the file's name only, never logged. */
  readonly subject: string;
}

/** True where this person may have the bytes: by role and reach, or because the packet is addressed to them. [C362,C366] */
export async function isEntitled(tx: Transaction, actor: TenantActor, artifact: Recorded): Promise<boolean> {
  if (mayTouch(actor, "download", artifact)) return true;
  return actor.type === "person" && isAddressedTo(tx, artifact.jobId as JobId, actor.userId);
}

/** Returns where the bytes lie and what they are. Only for somebody entitled. */
export function storedFile(artifact: Recorded): StoredFile {
  const { digest, mediaType, subject } = artifact;
  return {
    archiveKey: artifact.archiveKey as ArtifactKey,
    bytes: Number(artifact.bytes),
    digest,
    mediaType,
    subject,
  };
}
