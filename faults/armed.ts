import { writeSync } from "node:fs";

/** What a fault build does at its point: end as by a power cut, or stand still until somebody lets it go on. */
type Act = "SIGKILL" | "SIGSTOP";

/** `BINDERY_FAULT` is `act|point|n`: the act at the n-th time that this process comes by the point. Read here only, in fault builds only. */
const [act, armedPoint, nth] = (process.env.BINDERY_FAULT ?? "").split("|");
let hits = 0;

/** Goes on, or, at the point this process was armed with, does what it was told: nothing runs after SIGKILL, no handler, no flush. */
export async function passes(point: string): Promise<void> {
  if (point !== armedPoint) return;
  hits += 1;
  if (hits !== Number(nth)) return;
  // Synchronous, so that it is out before the end.
  writeSync(1, `${JSON.stringify({ event: "fault_point", code: point })}\n`);
  process.kill(process.pid, act as Act);
  // The signal is handled between two turns: nothing of ours runs in the meantime.
  if (act === "SIGKILL") await new Promise(() => undefined);
}
