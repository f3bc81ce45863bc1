import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { divideRounded, formatCount, formatDecimal, parseDecimal } from "./decimal";

describe("decimals", () => {
  it("go in and come out exactly, with thousands apart", () => {
    expect(formatDecimal(parseDecimal("1234567.8", 2), 2)).toBe("1,234,567.80");
    expect(formatDecimal(parseDecimal("0.05", 2), 2)).toBe("0.05");
    expect(formatDecimal(parseDecimal("-999.999", 3), 3)).toBe("−999.999");
    expect(formatCount(1_000_000)).toBe("1,000,000");
  });

  it("sum without the faults of floating numbers", () => {
    const sum = ["0.10", "0.20", "0.30", "99999999999.99"].reduce((total, text) => total + parseDecimal(text, 2), 0n);
    expect(formatDecimal(sum, 2)).toBe("100,000,000,000.59");
  });

  it("of more places than asked for are refused, not rounded", () => {
    expect(() => parseDecimal("1.005", 2)).toThrow(RangeError);
    expect(() => parseDecimal("1e5", 2)).toThrow(RangeError);
  });

  it("divide half up, and by nothing to nothing", () => {
    expect(divideRounded(1n, 3n, 2)).toBe(33n);
    expect(divideRounded(1n, 2n, 0)).toBe(1n);
    expect(divideRounded(5n, 0n, 1)).toBeNull();
  });

  it("parse what they print", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), fc.integer({ min: 1, max: 4 }), (units, places) => {
        expect(parseDecimal(formatDecimal(units, places).replaceAll(",", ""), places)).toBe(units);
      }),
    );
  });
});
