import type { CrashPoint } from "./crash-point";

let trap: { readonly point: string; readonly die: () => void } | null = null;

/**
 * Lets the attempt end at a crash point, such as `after commit`, the first time that anybody comes to it: nothing runs after it, no handler,
 * no flush. With the process, as by a power cut; or, where `die` does less, by never going on.
 */
export function dieAt(point: string, die: () => void = () => process.kill(process.pid, "SIGKILL")): void {
  trap = { point, die };
}

/** Stands in the place of the product's `crashPoint`. */
export const crashPoint = (point: CrashPoint): Promise<void> => pass(point);

/** Goes on, or, at the point that was set, never. */
export async function pass(point: string): Promise<void> {
  if (trap?.point !== point) return;
  const { die } = trap;
  trap = null;
  die();
  await new Promise(() => undefined);
}
