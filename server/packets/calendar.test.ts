import { describe, expect, it } from "vitest";
import {
  addDays,
  addMonths,
  formatDay,
  formatDayLong,
  formatDayShort,
  formatPeriod,
  instantOf,
  lastDayOf,
  periodOf,
  weekdayOf,
} from "./calendar";

describe("calendar days", () => {
  it("read the same whatever zone the machine is in", () => {
    const zone = process.env.TZ;
    for (const tz of ["Pacific/Kiritimati", "America/Los_Angeles", "UTC"]) {
      process.env.TZ = tz;
      expect(formatDay("2026-11-30")).toBe("30 Nov 2026");
      expect(formatDayLong("2026-11-30")).toBe("Monday 30 November 2026");
      expect(formatDayShort("2026-03-01")).toBe("1 Mar");
      expect(weekdayOf("2026-11-29")).toBe(0);
      expect(instantOf("2026-11-30", 9).toISOString()).toBe("2026-11-30T09:00:00.000Z");
    }
    process.env.TZ = zone;
  });

  it("count across months, leap days and clock changes", () => {
    expect(addDays("2028-02-28", 1)).toBe("2028-02-29");
    expect(addDays("2026-03-28", 2)).toBe("2026-03-30");
    expect(addDays("2026-01-01", -1)).toBe("2025-12-31");
  });
});

describe("months", () => {
  it("have names, last days and neighbours", () => {
    expect(formatPeriod("2026-02")).toBe("February 2026");
    expect(lastDayOf("2026-02")).toBe("2026-02-28");
    expect(lastDayOf("2028-02")).toBe("2028-02-29");
    expect(lastDayOf("2026-12")).toBe("2026-12-31");
    expect(addMonths("2026-01", -1)).toBe("2025-12");
    expect(periodOf("2026-11-30")).toBe("2026-11");
  });
});
