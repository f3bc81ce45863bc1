import type { TenantId } from "@/server/domain/ids";
import type { Transaction } from "./client";

/** Returns the tenant's library documents in use, in title order. */
export async function listLibraryDocuments(tx: Transaction, tenantId: TenantId, type: string) {
  return tx.libraryDocument.findMany({
    where: { tenantId, type, retiredAt: null },
    include: { source: true },
    orderBy: { title: "asc" },
    take: 500,
  });
}
