import type { LinkId } from "@/server/domain/ids";
import type { Transaction } from "./client";

/** Records an issued link. The token itself is never stored. */
export async function insertDownloadLink(
  tx: Transaction,
  link: {
    id: LinkId;
    tenantId: string;
    artifactId: string;
    userId: string | null;
    issuedBy: string;
    purpose: string;
    issuedAt: Date;
    expiresAt: Date;
  },
): Promise<void> {
  await tx.downloadLink.create({ data: link });
}

/** Returns the link with its artifact, or null. */
export async function findDownloadLink(tx: Transaction, linkId: LinkId) {
  return tx.downloadLink.findUnique({ where: { id: linkId }, include: { artifact: true } });
}
