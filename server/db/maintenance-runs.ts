import type { Transaction } from "./client";

export interface MaintenanceRunRow {
  readonly task: string;
  readonly workerId: string;
  readonly at: Date;
  readonly ms: number;
  /** What it removed, sent or disposed of. */
  readonly done: number;
  readonly failed: number;
  /** How far past its deadline the latest of it was, in milliseconds. */
  readonly lagMsMax: number;
}

/** Records what a maintenance task did. */
export async function insertMaintenanceRun(tx: Transaction, run: MaintenanceRunRow): Promise<void> {
  await tx.maintenanceRun.create({ data: run });
}

/** Forgets runs from before this instant. */
export async function deleteOldMaintenanceRuns(tx: Transaction, before: Date): Promise<void> {
  await tx.maintenanceRun.deleteMany({ where: { at: { lt: before } } });
}
