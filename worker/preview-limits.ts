/** A preview shows at most this many pages. [C44] */
export const PREVIEW_PAGES_MAX = 8;
/** Printed on each of its pages. */
export const PREVIEW_MARK = "Preview, not for the record";
