import type { CrashPoint } from "@/worker/crash-point";
import { passes } from "./armed";

/** In the place of worker/crash-point.ts in a fault build: at the point it was told, this process ends, or stands still. */
export async function crashPoint(point: CrashPoint): Promise<void> {
  await passes(point);
}
