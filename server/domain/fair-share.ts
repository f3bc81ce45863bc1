/** A tenant with work that is due in a lane, and what it has had of the lane. Weights are in ordinary packets. */
export interface Contender {
  readonly tenantId: string;
  /** Its job that has been due longest. */
  readonly jobId: string;
  readonly dueAt: Date;
  /** Weight of its jobs that are being made now. */
  readonly runningWeight: number;
  /** Weight of its jobs that were begun lately. */
  readonly recentWeight: number;
  readonly running: number;
  /** Jobs that it may have made at once in this lane; null for as many as there are slots. */
  readonly runningMax: number | null;
}

/**
 * Returns whose turn it is: of the tenants below their own limit the one with the least weight under way, then with the least begun
 * lately, then with the job that has been due longest. Null where nobody may begin. One tenant alone uses every slot; a newcomer waits for
 * one slot, whatever others have queued. [C68,C70]
 */
export function fairest(contenders: readonly Contender[]): Contender | null {
  const allowed = contenders.filter(({ running, runningMax }) => runningMax === null || running < runningMax);
  return allowed.reduce<Contender | null>((best, each) => (best === null || isBefore(each, best) ? each : best), null);
}

function isBefore(a: Contender, b: Contender): boolean {
  const [first = 0] = [
    a.runningWeight - b.runningWeight,
    a.recentWeight - b.recentWeight,
    a.dueAt.getTime() - b.dueAt.getTime(),
    a.tenantId < b.tenantId ? -1 : 1,
  ].filter((difference) => difference !== 0);
  return first < 0;
}
