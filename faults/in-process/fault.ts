import type { Zero } from "../zeros";

/** What must not have happened, and which thing it happened to: in our own words and ids. */
export interface Fault {
  readonly zero: Zero;
  readonly what: string;
}

/** Returns the fault in a list where `isMet`, or an empty list: for checks that are added up. */
export function faultIf(isMet: boolean, zero: Zero, what: string): Fault[] {
  return isMet ? [{ zero, what }] : [];
}
