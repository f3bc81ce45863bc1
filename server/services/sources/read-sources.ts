import { findSources } from "@/server/db/sources";
import { mayAct, type TenantActor } from "@/server/domain/access";
import { FAILURES, isFailureCode, PacketFailure } from "@/server/domain/failure";
import { parseId } from "@/server/domain/ids";
import type { Context } from "../context";

export interface RowFinding {
  readonly row: number;
  readonly column: string;
  readonly code: string;
  readonly message: string;
}

export interface SourceView {
  readonly sourceId: string;
  readonly title: string;
  readonly state: "inspecting" | "accepted" | "refused";
  readonly mediaType: string | null;
  readonly bytes: number;
  readonly digest: string;
  readonly pages: number;
  readonly rows: number;
  readonly disclosures: readonly string[];
  /** Why it cannot be used and what to do, where it was refused. */
  readonly refusal: { readonly code: string; readonly message: string; readonly page: number | null } | null;
  /** Rows of a table that need another look. */
  readonly findings: readonly RowFinding[];
}

/** Returns these sources of the tenant, in the order asked for; unknown ones are left out. At most 500. */
export async function readSources(context: Context, actor: TenantActor, ids: readonly string[]): Promise<SourceView[]> {
  if (!mayAct(actor, "read")) throw new PacketFailure("not_found");
  const known = ids.slice(0, 500).filter((id) => parseId("source", id) !== null);
  const rows = await context.db.transact(actor, (tx) => findSources(tx, actor.tenantId, known));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    if (row === undefined) return [];
    return [
      {
        sourceId: row.id,
        title: row.title,
        state: row.state as SourceView["state"],
        mediaType: row.mediaType,
        bytes: Number(row.bytes),
        digest: row.digest,
        pages: row.pages,
        rows: row.rows,
        disclosures: row.disclosures,
        refusal: isFailureCode(row.failureCode)
          ? { code: row.failureCode, message: FAILURES[row.failureCode].publicMessage, page: row.failurePage }
          : null,
        findings: row.findings as unknown as RowFinding[],
      },
    ];
  });
}
