import { listJobsAfter } from "@/server/db/jobs";
import { mayAct, type TenantActor } from "@/server/domain/access";
import { PacketFailure } from "@/server/domain/failure";
import { JOB_STATES, PUBLIC_STATE, type PublicState } from "@/server/domain/job";
import type { Context } from "../context";
import { type PacketStatus, statusOf } from "./read-packet-status";

export interface StatusFilter {
  readonly kind?: string | undefined;
  readonly state?: PublicState | undefined;
  readonly period?: string | undefined;
  readonly scope?: string | undefined;
  /** The last row of the page before; none for the first page. */
  readonly after: { readonly acceptedAt: Date; readonly jobId: string } | null;
  readonly most: number;
}

/** Returns the tenant's packets within the actor's reach, newest first, and whether more follow. [C60] */
export async function listPacketStatuses(
  context: Context,
  actor: TenantActor,
  { state, ...filter }: StatusFilter,
): Promise<{ packets: PacketStatus[]; last: StatusFilter["after"] }> {
  if (!mayAct(actor, "read")) throw new PacketFailure("not_found");
  const states = state === undefined ? undefined : JOB_STATES.filter((each) => PUBLIC_STATE[each] === state);
  const rows = await context.db.transact(actor, (tx) =>
    listJobsAfter(tx, actor, { ...filter, states, most: filter.most + 1 }),
  );
  const page = rows.slice(0, filter.most);
  const end = page.at(-1);
  const isMore = rows.length > page.length && end !== undefined;
  return { packets: page.map(statusOf), last: isMore ? { acceptedAt: end.acceptedAt, jobId: end.id } : null };
}
