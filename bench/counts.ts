import type { TenantId } from "@/server/domain/ids";
import type { Installation } from "./installation";

/** How many rows there are, of whatever state. */
export async function count({ sql }: Installation, what: "artifacts" | "jobs"): Promise<number> {
  const [row] = await sql<{ n: number }>(`SELECT count(*)::int AS n FROM ${what}`);
  return row?.n ?? 0;
}

/** Packets that are done: verified, published and on record as completed, not merely begun. */
export async function completePackets({ sql }: Pick<Installation, "sql">): Promise<number> {
  const [row] = await sql<{ n: number }>(
    "SELECT count(*)::int AS n FROM jobs j JOIN artifacts a ON a.job_id = j.id WHERE j.state = 'completed'",
  );
  return row?.n ?? 0;
}

/** Packets that something is still to be done for. */
export async function unfinished({ sql }: Installation): Promise<number> {
  const [row] = await sql<{ n: number }>(
    "SELECT count(*)::int AS n FROM jobs WHERE state IN ('queued', 'retry_wait', 'running', 'published')",
  );
  return row?.n ?? 0;
}

/** Seconds from acceptance to claim, in the mean, of the tenth of the import that was claimed first and the tenth that was last. */
export async function queueWaits(
  { sql }: Installation,
  { tenantId }: { readonly tenantId: TenantId },
): Promise<{ first: number; last: number }> {
  const rows = await sql<{ wait: number }>(
    "SELECT extract(epoch FROM claimed_at - accepted_at)::float8 AS wait FROM jobs WHERE tenant_id = $1 ORDER BY claimed_at",
    [tenantId],
  );
  const mean = (some: readonly { wait: number }[]) =>
    Math.round((some.reduce((sum, { wait }) => sum + wait, 0) / Math.max(1, some.length)) * 10) / 10;
  const tenth = Math.max(1, Math.floor(rows.length / 10));
  return { first: mean(rows.slice(0, tenth)), last: mean(rows.slice(-tenth)) };
}
