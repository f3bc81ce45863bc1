import type { SourceKey } from "@/server/domain/ids";
import type { Archive } from "@/server/ports/archive";
import type { Clock } from "@/server/ports/clock";
import type { Pool } from "./renderer/pool";

/** Children that render or parse, with limits, so that this process never does. */
export type Renderers = Pick<Pool, "ask">;

/** What a stage may use. */
export interface Tools {
  readonly renderers: Renderers;
  readonly sources: Archive<SourceKey>;
  readonly clock: Clock;
  readonly packetBytesMax: number;
  readonly sourceBytesMax: number;
  readonly rendererBuild: string;
}

/** An attempt's pulse: stages show progress through it, and stop when it is gone. */
export interface Pulse {
  /** Aborted when the lease is lost or the worker must stop. */
  readonly signal: AbortSignal;
  /** Something was done; the lease is renewed from this and from nothing else. [C172] */
  readonly progress: () => void;
}
