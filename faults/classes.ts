import { childKills } from "./child-kills";
import { databaseStops } from "./database-stops";
import { diskFull } from "./disk-full";
import type { FaultClass } from "./fault-class";
import { IN_PROCESS_CLASSES } from "./in-process/classes";
import { MODEL_CLASSES } from "./model/classes";
import { network } from "./network";
import { rollingRestart } from "./rolling-restart";
import { webKills } from "./web-kills";
import { workerKills } from "./worker-kills";
import { zombies } from "./zombies";

/** Every class of faults, in the order in which they run. */
export const FAULT_CLASSES: readonly FaultClass[] = [
  workerKills,
  childKills,
  webKills,
  zombies,
  databaseStops,
  network,
  diskFull,
  ...IN_PROCESS_CLASSES,
  ...MODEL_CLASSES,
  rollingRestart,
];
