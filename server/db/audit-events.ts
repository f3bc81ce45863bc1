import { type Actor, idOfActor } from "@/server/domain/access";
import type { Transaction } from "./client";

export interface AuditEntry {
  readonly tenantId: string | null;
  readonly action: string;
  readonly subjectType: "job" | "artifact" | "source" | "session" | "link" | "user" | "library" | "api_key";
  readonly subjectId: string;
  readonly correlationId: string;
  readonly at: Date;
  /** Ids, counts and codes; never content. */
  readonly facts?: Readonly<Record<string, string | number | boolean | null>>;
}

/** Appends one event to the audit trail, within the caller's transaction. */
export function appendAuditEvent(tx: Transaction, actor: Actor, entry: AuditEntry): Promise<void> {
  return appendAuditEvents(tx, actor, [entry]);
}

/** Appends events to the audit trail in this order, within the caller's transaction. */
export async function appendAuditEvents(tx: Transaction, actor: Actor, entries: readonly AuditEntry[]): Promise<void> {
  await tx.auditEvent.createMany({
    data: entries.map((entry) => ({
      tenantId: entry.tenantId,
      actorId: idOfActor(actor),
      actorType: actor.type,
      action: entry.action,
      subjectType: entry.subjectType,
      subjectId: entry.subjectId,
      correlationId: entry.correlationId,
      at: entry.at,
      facts: { ...entry.facts },
    })),
  });
}

/** Returns the newest events about any of these things, newest first. */
export async function listAuditEvents(tx: Transaction, tenantId: string, subjectIds: readonly string[], most: number) {
  return tx.auditEvent.findMany({
    where: { tenantId, subjectId: { in: [...subjectIds] } },
    orderBy: { id: "desc" },
    take: most,
  });
}
