/** A preview shows at most this many pages. [C44] */
export const PREVIEW_PAGES_MAX = 8;
/** Printed on each of its pages. */
export const PREVIEW_MARK = "Preview, not for the record";

/** The longer the record has waited, the fewer pages a preview has: what is optional goes first. */
const SHED = [
  { archiveWaitMs: 10 * 60_000, pagesMax: 2 },
  { archiveWaitMs: 60_000, pagesMax: 4 },
] as const;

/**
 * Returns how many pages a preview may have while the oldest archive copy that is ready has waited so long. A preview has a slot of its own
 * and cannot take one from the record, but both share processors and memory. [C42]
 */
export function previewPagesMax(archiveWaitMs: number): number {
  return SHED.find((step) => archiveWaitMs > step.archiveWaitMs)?.pagesMax ?? PREVIEW_PAGES_MAX;
}
