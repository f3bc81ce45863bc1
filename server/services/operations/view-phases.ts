/** The instants that a job's row keeps of its life. */
export interface PhaseInstants {
  readonly acceptedAt: Date;
  readonly claimedAt: Date | null;
  readonly validatedAt: Date | null;
  readonly fetchedAt: Date | null;
  readonly renderedAt: Date | null;
  readonly assembledAt: Date | null;
  readonly verifiedAt: Date | null;
  readonly publishedAt: Date | null;
  readonly settledAt: Date | null;
  readonly erasedAt: Date | null;
}

/** Phases in the order of a job's life, each with the column that says when it was over. [C399] */
const PHASES = [
  ["accepted", "acceptedAt"],
  ["claimed", "claimedAt"],
  ["validated", "validatedAt"],
  ["fetched", "fetchedAt"],
  ["rendered", "renderedAt"],
  ["assembled", "assembledAt"],
  ["verified", "verifiedAt"],
  ["published", "publishedAt"],
  ["settled", "settledAt"],
  ["erased", "erasedAt"],
] as const satisfies readonly (readonly [string, keyof PhaseInstants])[];
export type PhaseName = (typeof PHASES)[number][0];

export interface PhaseView {
  readonly name: PhaseName;
  /** Null where the job has not come so far. */
  readonly at: Date | null;
  /** How long after the phase before that was reached, in milliseconds. */
  readonly afterMs: number | null;
}

/** Returns the phases of a job, each with its instant and its distance from the one before; nothing is inferred from logs. [C399,C476] */
export function viewPhases(job: PhaseInstants): PhaseView[] {
  let before: Date | null = null;
  return PHASES.map(([name, column]): PhaseView => {
    const at = job[column];
    const afterMs = at === null || before === null ? null : at.getTime() - before.getTime();
    before = at ?? before;
    return { name, at, afterMs };
  });
}
