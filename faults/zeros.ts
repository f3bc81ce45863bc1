/** What must not have happened, once, whatever was broken. */
export const ZEROS = [
  /** Acknowledged, and not at an end once everything had time to end. */
  "lost",
  /** More than one job per key, artifact per manifest, or object per artifact. */
  "duplicated",
  /** An object without a record, a directory without a live attempt after the sweep, a stage that ran again, a failure nobody ordered. */
  "unexpected",
  /** Bytes whose digest, length or pages are not those on record, or that a second parser refuses. */
  "corrupt",
  /** Pages out of the manifest's order. */
  "misordered",
  /** Content in a log, a queue, an audit event or a failure. */
  "leaked",
  /** There past its deadline. */
  "overdue",
  /** A deadline later than at acceptance. */
  "clockExtended",
] as const;
export type Zero = (typeof ZEROS)[number];
export type Zeros = Readonly<Record<Zero, number>>;
