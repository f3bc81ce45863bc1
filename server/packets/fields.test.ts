import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { count, day, email, line, money, percent, period, prose, reference } from "./fields";

const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

describe("text", () => {
  it("comes out trimmed and composed, so that one name has one spelling", () => {
    expect(line(40).parse("  Zoe\u0308 Ångstro\u0308m ")).toBe("Zoë Ångström");
  });

  it("keeps line ends of every system as one kind, in prose only", () => {
    expect(prose(40).parse("one\r\ntwo\rthree\tfour")).toBe("one\ntwo\nthree four");
    expect(accepts(line(40), "one\ntwo")).toBe(false);
  });

  it.each([
    ["a NUL", "a\u0000b", "U+0000"],
    ["half a surrogate pair", "a\ud83db", "U+D83D"],
    ["a zero-width space", "a\u200bb", "U+200B"],
    ["a direction override", "a\u202eb", "U+202E"],
  ])("refuses %s and says which character it is", (_name, text, code) => {
    expect(line(40).safeParse(text).error?.issues[0]?.message).toContain(code);
    expect(prose(40).safeParse(text).error?.issues[0]?.message).toContain(code);
  });

  it("longer than its limit is refused, never cut [C121]", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 300 }), (limit, length) => {
        expect(accepts(line(limit), "x".repeat(length))).toBe(length <= limit);
        expect(accepts(prose(limit), "x".repeat(length))).toBe(length <= limit);
      }),
    );
  });

  it("a reference cannot hold what would make an identity ambiguous", () => {
    for (const text of ["a b", "a:b", "a\nb", "", " ", "../x y"]) expect(accepts(reference(), text)).toBe(false);
    expect(reference().parse("HR/2026-104")).toBe("HR/2026-104");
  });
});

describe("days", () => {
  it("are exactly the days that exist, in every year we take [C123]", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9999 }),
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 0, max: 32 }),
        (year, month, date) => {
          const text = `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(date).padStart(2, "0")}`;
          const instant = new Date(Date.UTC(2000, 0, 1));
          instant.setUTCFullYear(year, month - 1, date);
          const exists = instant.getUTCMonth() === month - 1 && instant.getUTCDate() === date;
          expect(accepts(day(), text)).toBe(exists && year >= 1900 && year < 2200);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each([
    "2026-02-30",
    "2027-02-29",
    "0000-01-01",
    "2026-1-1",
    "2026-01-01T00:00:00Z",
    "01/02/2026",
    " 2026-01-01",
    "２０２６-01-01",
    "",
    20260101,
    null,
  ])("%j is refused [C123]", (value) => {
    expect(accepts(day(), value)).toBe(false);
  });

  it("a clock change is a day like any other [C123]", () => {
    expect(day().parse("2026-03-29")).toBe("2026-03-29");
    expect(day().parse("2028-02-29")).toBe("2028-02-29");
  });

  it("a month has two digits and is one of twelve [C123]", () => {
    expect(period().parse("2026-12")).toBe("2026-12");
    for (const value of ["2026-13", "2026-00", "2026-1", "26-01", "2026"]) expect(accepts(period(), value)).toBe(false);
  });
});

describe("numbers", () => {
  it.each([-1, 1.5, 1e9, Number.NaN, Number.POSITIVE_INFINITY, "3", null])(
    "a count of %s is refused [C122]",
    (value) => {
      expect(accepts(count(600), value)).toBe(false);
    },
  );

  it("a count that must be there cannot be nothing [C122]", () => {
    expect(accepts(count(600, 1), 0)).toBe(false);
    expect(count(600, 1).parse(600)).toBe(600);
  });

  it("a percentage has at most one decimal, without floating surprises", () => {
    for (let tenths = 0; tenths <= 1_000; tenths += 1) expect(accepts(percent(), tenths / 10)).toBe(true);
    for (const value of [-0.1, 100.1, 92.45, Number.NaN]) expect(accepts(percent(), value)).toBe(false);
  });

  it("money is text with two places, and one amount has one spelling", () => {
    expect(money().parse("1200")).toBe("1200.00");
    expect(money().parse(" 1200.5 ")).toBe("1200.50");
    for (const value of ["1,200.00", "1.200,00", "-5.00", "0012.00", "1e3", "12.345", "€5", "", 1200]) {
      expect(accepts(money(), value)).toBe(false);
    }
  });
});

describe("e-mail addresses", () => {
  it("are kept in small letters", () => {
    expect(email().parse(" Zoe.L@Example.ORG ")).toBe("zoe.l@example.org");
  });

  it.each([
    "",
    "zoe",
    "zoe@",
    "@example.org",
    "a b@example.org",
    "zoe@example.org, x@example.org",
    "zoe@example.org\nBcc: x",
  ])("%j is refused", (value) => {
    expect(accepts(email(), value)).toBe(false);
  });
});
