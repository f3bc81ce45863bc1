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

/** What is known of an artifact when its retention ends. */
export interface Retained {
  readonly retainUntil: Date;
  readonly erasedAt: Date | null;
}

export const DISPOSAL_RULE = "retain_until";

/**
 * The decision at the end of retention: `dispose` from that very instant on, never before. Nobody else decides: a legal hold, once there is
 * one, is another fact here that says `keep`. [C318,C320]
 */
export function disposition({ retainUntil, erasedAt }: Retained, now: Date): "keep" | "dispose" {
  return erasedAt === null && retainUntil.getTime() <= now.getTime() ? "dispose" : "keep";
}

/** Years that artifacts of each kind are kept, where a deployment's policy says otherwise than the kind itself. */
export type RetentionPolicy = Readonly<Record<string, number>>;

/** Returns how many years an artifact of this kind is kept here. [C306] */
export function retentionYears(
  kind: { readonly name: string; readonly retention: { readonly years: number } },
  policy: RetentionPolicy,
): number {
  return policy[kind.name] ?? kind.retention.years;
}
