/** What of a job's row tells when it waited, was worked on, and was over. */
export interface FlowRow {
  readonly acceptedAt: Date;
  readonly claimedAt: Date | null;
  readonly settledAt: Date | null;
}

export interface FlowPoint {
  readonly at: Date;
  /** Accepted and never claimed. */
  readonly waiting: number;
  /** Claimed and not over, the pauses before another attempt included. */
  readonly working: number;
  readonly over: number;
}

/**
 * Returns how many jobs waited, were worked on and were over at each instant, from the instants on their rows alone. No log is asked, so
 * that a burst can be replayed for as long as its rows are kept. [C476]
 */
export function flowOf(jobs: readonly FlowRow[], instants: readonly Date[]): FlowPoint[] {
  const accepted = sorted(jobs.map((job) => job.acceptedAt));
  // A job that ends without a claim, such as one that is cancelled, stops waiting then.
  const begun = sorted(jobs.map((job) => job.claimedAt ?? job.settledAt));
  const settled = sorted(jobs.map((job) => job.settledAt));
  return instants.map((at) => {
    const over = countUntil(settled, at);
    const left = countUntil(begun, at);
    return { at, waiting: countUntil(accepted, at) - left, working: left - over, over };
  });
}

function sorted(instants: readonly (Date | null)[]): number[] {
  return instants.flatMap((at) => (at === null ? [] : [at.getTime()])).sort((a, b) => a - b);
}

/** How many of these came at `at` or before. */
function countUntil(instants: readonly number[], at: Date): number {
  let [low, high] = [0, instants.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((instants[middle] ?? 0) <= at.getTime()) low = middle + 1;
    else high = middle;
  }
  return low;
}
