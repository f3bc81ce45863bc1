/** Calendar days and months as text. Nothing here knows a time zone, so no date can shift by a day. [CASE-38] */

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** Returns "30 Nov 2026" for "2026-11-30". */
export function formatDay(day: string): string {
  const { year, month, date } = partsOf(day);
  return `${date} ${monthName(month).slice(0, 3)} ${year}`;
}

/** Returns "Monday 30 November 2026" for "2026-11-30". */
export function formatDayLong(day: string): string {
  const { year, month, date } = partsOf(day);
  return `${WEEKDAYS[new Date(utc(day)).getUTCDay()] ?? ""} ${date} ${monthName(month)} ${year}`;
}

/** Returns "30 Nov" for "2026-11-30". */
export function formatDayShort(day: string): string {
  const { month, date } = partsOf(day);
  return `${date} ${monthName(month).slice(0, 3)}`;
}

/** Returns "November 2026" for "2026-11". */
export function formatPeriod(period: string): string {
  return `${monthName(Number(period.slice(5, 7)))} ${period.slice(0, 4)}`;
}

/** Returns the month of a day: "2026-11" for "2026-11-30". */
export function periodOf(day: string): string {
  return day.slice(0, 7);
}

/** Returns the last day of a month. */
export function lastDayOf(period: string): string {
  const year = Number(period.slice(0, 4));
  const month = Number(period.slice(5, 7));
  return textOf(Date.UTC(year, month, 0));
}

/** Returns the month `months` after `period` (before it where negative). */
export function addMonths(period: string, months: number): string {
  return textOf(Date.UTC(Number(period.slice(0, 4)), Number(period.slice(5, 7)) - 1 + months, 1)).slice(0, 7);
}

/** Returns the day `days` after `day` (before it where negative). */
export function addDays(day: string, days: number): string {
  return textOf(utc(day) + days * 86_400_000);
}

/** Returns 0 for Sunday to 6 for Saturday. */
export function weekdayOf(day: string): number {
  return new Date(utc(day)).getUTCDay();
}

/** Returns the instant at which `day` begins in UTC, `hours` later. */
export function instantOf(day: string, hours = 0): Date {
  return new Date(utc(day) + hours * 3_600_000);
}

function partsOf(day: string): { year: number; month: number; date: number } {
  return { year: Number(day.slice(0, 4)), month: Number(day.slice(5, 7)), date: Number(day.slice(8, 10)) };
}

function utc(day: string): number {
  const { year, month, date } = partsOf(day);
  return Date.UTC(year, month - 1, date);
}

function textOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

function monthName(month: number): string {
  return MONTHS[month - 1] ?? "";
}
