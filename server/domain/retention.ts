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

/** An upload whose bytes have not arrived in the store whole by then is given up: much longer than storing the largest takes. */
export const RECEIVING_MS_MAX = 60 * 60_000;

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

/** True where nobody is given the bytes any more: they were erased, or are about to be. Readers do not depend on when that is done. */
export function isDisposed(retained: Retained, now: Date): boolean {
  return retained.erasedAt !== null || disposition(retained, now) === "dispose";
}

/** Years that artifacts of each kind are kept, where a deployment's policy says otherwise than the kind itself. */
export type RetentionPolicy = Readonly<Record<string, number>>;

/**
 * Returns a deployment's policy. Throws a RangeError that names the kind where there is none of that name: what is misspelt would else be
 * kept for a time that nobody chose. [C306]
 */
export function retentionPolicy(changes: RetentionPolicy, kinds: readonly string[]): RetentionPolicy {
  const unknown = Object.keys(changes).find((kind) => !kinds.includes(kind));
  if (unknown !== undefined)
    throw new RangeError(`Bindery cannot start: BINDERY_RETENTION names ${unknown}, which is no kind of packet.`);
  return changes;
}

/** Returns how many years an artifact of this kind is kept here. [C306] */
export function retentionYears(
  kind: { readonly name: string; readonly retention: { readonly years: number } },
  policy: RetentionPolicy,
): number {
  return policy[kind.name] ?? kind.retention.years;
}
