import type { AttemptTools } from "../run-attempt";
import { TASKS, type Task } from "./record-run";
import { type Maintenance, startMaintenance } from "./schedule";

/** The schedule of a host that goes on only when the test says so. */
export interface HeldSchedule {
  everyMs(task: Task): number;
  run(task: Task): Promise<void>;
  readonly isStopped: boolean;
  stop(): void;
}

/** Starts a host's maintenance and returns once its first sweep is over; nothing is repeated by itself. */
export async function heldSchedule(
  tools: AttemptTools,
  stores: Parameters<typeof startMaintenance>[0]["stores"] = [],
): Promise<HeldSchedule> {
  const repeated: { everyMs: number; run: () => Promise<unknown> }[] = [];
  let stopped = 0;
  const maintenance: Maintenance = startMaintenance({ ...tools, stores }, (everyMs, _, run) => {
    repeated.push({ everyMs, run });
    return () => {
      stopped += 1;
    };
  });
  await maintenance.firstSweep;
  const of = (task: Task) => {
    const found = repeated[TASKS.indexOf(task)];
    if (found === undefined) throw new RangeError("There is no such task.");
    return found;
  };
  return {
    everyMs: (task) => of(task).everyMs,
    run: async (task) => {
      await of(task).run();
    },
    get isStopped() {
      return stopped === repeated.length;
    },
    stop: () => maintenance.stop(),
  };
}
