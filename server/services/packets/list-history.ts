import { listAuditEvents } from "@/server/db/audit-events";
import { findJob } from "@/server/db/jobs";
import { listNames } from "@/server/db/users";
import { mayTouch, type TenantActor } from "@/server/domain/access";
import { PacketFailure } from "@/server/domain/failure";
import type { JobId } from "@/server/domain/ids";
import type { Context } from "../context";

export interface HistoryEntry {
  readonly id: string;
  readonly at: Date;
  readonly action: string;
  /** The person's name, or "Bindery". */
  readonly who: string;
}

const MOST = 100;

/** Returns what happened to a packet and who downloaded it, newest first. */
export async function listHistory(context: Context, actor: TenantActor, jobId: JobId): Promise<HistoryEntry[]> {
  return context.db.transact(actor, async (tx) => {
    const job = actor.tenantId === null ? null : await findJob(tx, actor.tenantId, jobId);
    if (job === null || !mayTouch(actor, "read", job)) throw new PacketFailure("not_found");
    const subjects = job.artifact === null ? [job.id] : [job.id, job.artifact.id];
    const events = await listAuditEvents(tx, job.tenantId, subjects, MOST);
    const people = events.flatMap((event) =>
      event.actorType === "person" && event.actorId !== null ? [event.actorId] : [],
    );
    const names = await listNames(tx, people);
    return events.map((event) => ({
      id: String(event.id),
      at: event.at,
      action: event.action,
      who: names.get(event.actorId ?? "") ?? "Bindery",
    }));
  });
}
