import { divideRounded, formatDecimal } from "../decimal";
import type { MonthlyReport } from "./schema";

/** Sums and averages of a monthly report. Percentages are counted in tenths, so that no total depends on floating arithmetic. */

/** Returns the average of `value` weighted by pupils, in tenths; null where there are no pupils. */
export function weightedTenths<Row extends { readonly pupils: number }>(
  rows: readonly Row[],
  value: (row: Row) => number,
): bigint | null {
  const pupils = rows.reduce((sum, row) => sum + BigInt(row.pupils), 0n);
  const weighted = rows.reduce((sum, row) => sum + BigInt(row.pupils) * tenths(value(row)), 0n);
  return divideRounded(weighted, pupils, 0);
}

/** Returns `part` of `whole` in tenths of a percent; null where the whole is nothing. */
export function shareTenths(part: number, whole: number): bigint | null {
  return divideRounded(BigInt(part) * 1_000n, BigInt(whole), 0);
}

/** Returns "94.6", or a dash where there is no value. */
export function formatTenths(value: bigint | null): string {
  return value === null ? "–" : formatDecimal(value, 1);
}

export function pupilsOf(rows: readonly { readonly pupils: number }[]): number {
  return rows.reduce((sum, row) => sum + row.pupils, 0);
}

/** Returns the classes below the attendance goal, the lowest first. */
export function belowGoal({ classes, metrics }: MonthlyReport): MonthlyReport["classes"] {
  return classes
    .filter((row) => row.attendance < metrics.attendanceTarget)
    .sort((a, b) => a.attendance - b.attendance || (a.name < b.name ? -1 : 1));
}

export function tenths(value: number): bigint {
  return BigInt(Math.round(value * 10));
}
