const DAY_MS = 86_400_000;

/** Returns the earliest instant of disposal: whole calendar years after the commit. */
export function retainUntil(committedAt: Date, years: number): Date {
  const end = new Date(committedAt);
  end.setUTCFullYear(end.getUTCFullYear() + years);
  return end;
}

/** Returns the deletion deadline of temporary input, fixed at acceptance. It is never computed again. [C21,C310,C312] */
export function eraseBy(acceptedAt: Date, days: number): Date {
  return new Date(acceptedAt.getTime() + days * DAY_MS);
}

/** Uploads that nobody used are kept this long. */
export const UNUSED_UPLOAD_DAYS = 7;
