/** Exact decimals: a decimal string becomes an integer of its smallest unit, and sums never pass through a floating number. */

/** Returns `text` (digits, an optional dot and at most `places` more digits) in units of 10^-places. */
export function parseDecimal(text: string, places: number): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  const fraction = match?.[3] ?? "";
  if (match === null || fraction.length > places) throw new RangeError("Not a decimal of this precision.");
  const units = BigInt(`${match[2]}${fraction.padEnd(places, "0")}`);
  return match[1] === "-" ? -units : units;
}

/** Returns `units` of 10^-places as people read it: "1,234,567.80". */
export function formatDecimal(units: bigint, places: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places).replace(/\B(?=(\d{3})+$)/g, ",");
  const sign = units < 0n ? "\u2212" : "";
  return places === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-places)}`;
}

/** Returns a whole number with its thousands apart. */
export function formatCount(value: number): string {
  return formatDecimal(BigInt(value), 0);
}

/** Returns `numerator / denominator` in units of 10^-places, rounded half up; null where there is nothing to divide by. */
export function divideRounded(numerator: bigint, denominator: bigint, places: number): bigint | null {
  if (denominator <= 0n || numerator < 0n) return null;
  const scaled = numerator * 10n ** BigInt(places);
  return (2n * scaled + denominator) / (2n * denominator);
}
