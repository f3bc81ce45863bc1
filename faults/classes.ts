import type { FaultClass } from "./fault-class";
import { workerKills } from "./worker-kills";

/** Every class of faults, in the order in which they run. */
export const FAULT_CLASSES: readonly FaultClass[] = [workerKills];
