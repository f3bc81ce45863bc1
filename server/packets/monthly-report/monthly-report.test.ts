import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renderPart } from "@/worker/pdf/render";
import { type Bench, benchFor, textsOf } from "@/worker/pdf/testing/rendered-sample";
import { belowGoal, formatTenths, pupilsOf, shareTenths, weightedTenths } from "./figures";
import { monthlyReport } from "./index";
import type { MonthlyReport } from "./schema";

const { typical, largest } = monthlyReport.samples;
const report = typical.payload;
const codes = (payload: MonthlyReport) =>
  monthlyReport.rules(payload, { today: typical.today }).map((finding) => finding.code);
const first = <Row>(rows: readonly Row[]): Row => {
  const [row] = rows;
  if (row === undefined) throw new Error("The sample has no rows.");
  return row;
};

describe("what the report is about", () => {
  it("is one school and one month", () => {
    expect(monthlyReport.businessIdentity(report)).toBe("school:S-014 period:2026-11");
    expect(monthlyReport.businessIdentity({ ...report, headline: "Other words" })).toBe("school:S-014 period:2026-11");
  });

  it("is due ten days after the month, and a late one within a day", () => {
    const due = monthlyReport.finishBy(report, new Date("2026-12-01T10:00:00Z"));
    expect(due.toISOString()).toBe("2026-12-11T00:00:00.000Z");
    const late = monthlyReport.finishBy(report, new Date("2027-03-01T10:00:00Z"));
    expect(late.toISOString()).toBe("2027-03-02T10:00:00.000Z");
  });
});

describe("what is refused", () => {
  const [one, two, ...rest] = report.weeks;
  it.each<[string, MonthlyReport, string]>([
    ["a month that has not begun", { ...report, period: "2027-01" }, "period_in_future"],
    ["pupils who do not balance", { ...report, metrics: { ...report.metrics, joined: 7 } }, "enrolment_unbalanced"],
    ["classes that do not add up", { ...report, classes: report.classes.slice(1) }, "classes_unbalanced"],
    ["a class listed twice", { ...report, classes: [first(report.classes), ...report.classes] }, "duplicate_class"],
    [
      "a week of another month",
      { ...report, weeks: [{ starting: "2026-10-19", attendance: 90 }] },
      "week_outside_period",
    ],
    [
      "weeks out of order",
      { ...report, weeks: [two, one, ...rest].filter((week) => week !== undefined) },
      "weeks_out_of_order",
    ],
    [
      "more passed than assessed",
      { ...report, subjects: [{ ...first(report.subjects), pupils: 10, passed: 11 }] },
      "more_passed_than_assessed",
    ],
    [
      "more assessed than enrolled",
      { ...report, subjects: [{ ...first(report.subjects), pupils: 9_000 }] },
      "more_assessed_than_enrolled",
    ],
    [
      "an incident of another month",
      { ...report, incidents: [{ ...first(report.incidents), date: "2026-12-01" }] },
      "incident_outside_period",
    ],
  ])("%s", (_name, payload, code) => {
    expect(codes(payload)).toContain(code);
  });

  it("the current month is not the future", () => {
    expect(monthlyReport.rules(report, { today: "2026-11-01" }).map((finding) => finding.code)).toEqual([]);
  });
});

describe("figures", () => {
  const rows = [
    { pupils: 10, mark: 50.1 },
    { pupils: 30, mark: 90.3 },
  ];

  it("averages weigh by pupils, and no pupils have no average", () => {
    expect(formatTenths(weightedTenths(rows, (row) => row.mark))).toBe("80.3");
    expect(formatTenths(weightedTenths<(typeof rows)[number]>([], (row) => row.mark))).toBe("–");
  });

  it("shares round half up and never divide by nothing", () => {
    expect(formatTenths(shareTenths(1, 3))).toBe("33.3");
    expect(formatTenths(shareTenths(1, 16))).toBe("6.3");
    expect(formatTenths(shareTenths(0, 0))).toBe("–");
  });

  it("classes below the goal come lowest first", () => {
    const below = belowGoal(report);
    expect(below.every((row) => row.attendance < report.metrics.attendanceTarget)).toBe(true);
    expect(below.map((row) => row.attendance)).toEqual(below.map((row) => row.attendance).sort((a, b) => a - b));
  });
});

describe("four hundred classes", () => {
  let bench: Bench;
  let pages: string[];
  beforeAll(async () => {
    bench = await benchFor(monthlyReport, largest);
    pages = await textsOf(await renderPart(bench.request(3), () => {}));
  });
  afterAll(() => bench.close());

  it("print each class once and in order", () => {
    const names = largest.payload.classes.map((row) => row.name);
    const teachers = new Set(largest.payload.classes.map((row) => row.teacher.split(" ")[0]));
    const printed = pages
      .join("\n")
      .split("\n")
      .filter((line) => names.includes(line.split(" ")[0] ?? "") && teachers.has(line.split(" ")[1] ?? ""))
      .map((line) => line.split(" ")[0]);
    expect(printed).toEqual(names);
  });

  it("repeat the header on each page of the table, and only there [C441]", async () => {
    expect(pages.length).toBeGreaterThan(9);
    for (const page of pages) expect(page.match(/Attendance %/g)).toHaveLength(1);
    const details = await textsOf(await renderPart(bench.request(4), () => {}));
    const last = details.at(-1) ?? "";
    expect(last).toContain("Notes");
    expect(details.filter((page) => page.includes("Assessed")).length).toBeLessThan(details.length);
  });

  it("end in their totals, weighted by pupils [C441]", () => {
    const classes = largest.payload.classes;
    const total = pupilsOf(classes).toLocaleString("en-GB");
    const attendance = formatTenths(weightedTenths(classes, (row) => row.attendance));
    expect(pages.at(-1)).toContain(`All classes ${total} ${attendance}`);
  });
});
