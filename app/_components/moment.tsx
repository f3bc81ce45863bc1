"use client";

import { useTimeZone } from "../_shell/person";
import { clockWords, dayWords, instantWords } from "./words";

interface Props {
  readonly at: Date;
  /** `full`: day and time. `day`: the day. `clock`: the time of day. */
  readonly show?: "full" | "day" | "clock";
}

const WORDS = { full: instantWords, day: dayWords, clock: clockWords } as const;

/** An instant in the tenant's zone, which is named on hover. */
export function Moment({ at, show = "full" }: Props) {
  const timeZone = useTimeZone();
  return (
    <time dateTime={at.toISOString()} title={`${instantWords(at, timeZone)} (${timeZone})`}>
      {WORDS[show](at, timeZone)}
    </time>
  );
}
