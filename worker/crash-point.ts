import type { StageName } from "@/server/domain/job";

/** The acts of an attempt that must not be half done. A stage stands for its own work, its staging and its checkpoint together. */
type Act = Exclude<StageName, "accept"> | "claim" | "stage-write" | "checkpoint" | "commit" | "published" | "record";

/**
 * Where a fault build can let a worker die: before and after each act, before and after a job is settled, before and after finished stages
 * are taken up again, and between the row of a staged file and its bytes.
 */
export type CrashPoint = `${"before" | "after"} ${Act | "settle" | "resume"}` | "amid stage-write";

/**
 * Passes. A fault build puts another module in the place of this one (faults/armed-crash-point.ts), which ends the process at the point it
 * was told; the product holds nothing of it.
 */
export async function crashPoint(_point: CrashPoint): Promise<void> {}
