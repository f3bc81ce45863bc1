const HOUR_MS = 3_600_000;

/** Why an operator has a dead letter made again. A closed list: free text would be content in the audit trail. */
export const REDRIVE_REASONS = ["cause_mended", "capacity_added", "outage_over", "asked_by_tenant"] as const;
export type RedriveReason = (typeof REDRIVE_REASONS)[number];

/** Why an operator closes a dead letter without another job. */
export const DISCARD_REASONS = ["not_needed", "cannot_be_made", "made_otherwise", "asked_by_tenant"] as const;
export type DiscardReason = (typeof DISCARD_REASONS)[number];

/** Dead letters that one call may touch. What is left is counted, and waits for the next call. */
export const DEAD_LETTERS_AT_ONCE_MAX = 500;

/** The deadline an operator's job gets where the kind's own has passed: it is late already, and is not to be late without end. */
const OPERATOR_DEADLINE_MS = 24 * HOUR_MS;

/**
 * Returns the deadline of the job that follows a dead letter: what the kind's rule says now, or a day from now where that has passed.
 * Never the dead job's own: its deadline stays what it was. `eraseBy` is inherited, so the job ends before its input goes.
 */
export function redriveDeadline(byRule: Date, eraseBy: Date, now: Date): Date {
  const wanted = byRule.getTime() > now.getTime() ? byRule.getTime() : now.getTime() + OPERATOR_DEADLINE_MS;
  return new Date(Math.min(wanted, eraseBy.getTime()));
}
