import type { StageName } from "@/server/domain/job";

/** Where a fault build can let a worker die: around each stage and around each act that must not be half done. */
export type CrashPoint =
  | `${"before" | "after"} ${StageName}`
  | `${"before" | "after"} ${"claim" | "stage-write" | "checkpoint" | "commit" | "record" | "published" | "settle" | "resume"}`;

/**
 * Passes. A fault build puts another module in the place of this one (faults/armed-crash-point.ts), which ends the process at the point it
 * was told; the product holds nothing of it.
 */
export async function crashPoint(_point: CrashPoint): Promise<void> {}
