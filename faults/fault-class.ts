import type { Zero } from "./zeros";

/** What one class of faults is given for a run of it. */
export interface FaultRun {
  /** Uniform in [0, 1), from the seed that was printed: every choice comes from here, so that the seed replays them. */
  random(): number;
  /** Faults to inject; a class may stop early where the signal aborts. */
  readonly count: number;
  readonly signal: AbortSignal;
  /** Makes a migrated database on a PostgreSQL that keeps what it acknowledges (fsync on). */
  newDatabase(): Promise<FaultDatabase>;
  /** A directory of this run's own, removed at its end. */
  readonly directory: string;
  /** The renderer's child, bundled from the sources as they stand. */
  readonly childPath: string;
  /** One fault was injected. */
  record(kind: string): void;
  /** What a class promises to bring about did happen: a class whose faults never hit anything proves nothing. */
  sometimes(name: string): void;
  /** After a fault the system came back by itself. */
  recovered(count?: number): void;
  /** What must never happen has happened; `what` says which thing by its id, never by its content. */
  violation(zero: Zero, what: string): void;
}

/** A migrated database of one run. */
export interface FaultDatabase {
  readonly name: string;
  url(): string;
  drop(): Promise<void>;
}

/** One class of faults: a way to break something, over and over, with the proof that everything was put right after each. */
export interface FaultClass {
  readonly name: string;
  /** Faults of a run in CI. */
  readonly ciCount: number;
  /** Faults of a campaign before a release. */
  readonly campaignCount: number;
  /** Names that `sometimes` must have been told by the end of a full run. */
  readonly mustHit: readonly string[];
  /** Resolves once the faults are injected and what they left was judged. Throws a NotRun where this machine does not allow the class. */
  run(run: FaultRun): Promise<void>;
}

/** This machine does not allow the class: said in the summary with the reason, and not counted. */
export class NotRun extends Error {
  override readonly name = "NotRun";
}
