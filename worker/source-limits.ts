/** What one foreign file may cost. The bytes themselves are bounded by the upload limit. [C110,C111] */
export const SOURCE_LIMITS = { pagesMax: 2_000, pixelsMax: 100_000_000 } as const;
