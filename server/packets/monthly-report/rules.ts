import type { Finding } from "@/server/domain/failure";
import { addDays, lastDayOf, periodOf } from "../calendar";
import type { RuleContext } from "../kind";
import type { MonthlyReport } from "./schema";

/** Returns what does not add up: a month that has not begun, pupils who do not balance, weeks and incidents of another month. */
export function monthlyReportRules(payload: MonthlyReport, context: RuleContext): Finding[] {
  return [
    ...periodFindings(payload, context),
    ...balanceFindings(payload),
    ...weekFindings(payload),
    ...rowFindings(payload),
  ];
}

function periodFindings(payload: MonthlyReport, context: RuleContext): Finding[] {
  if (payload.period <= periodOf(context.today)) return [];
  return [{ path: ["period"], code: "period_in_future", message: "This month has not begun yet." }];
}

function balanceFindings({ metrics, classes }: MonthlyReport): Finding[] {
  const findings: Finding[] = [];
  const expected = metrics.enrolmentAtStart + metrics.joined - metrics.left;
  if (expected !== metrics.enrolment) {
    findings.push({
      path: ["metrics", "enrolment"],
      code: "enrolment_unbalanced",
      message: `Start plus joined less left gives ${expected}.`,
    });
  }
  const pupils = classes.reduce((sum, row) => sum + row.pupils, 0);
  if (pupils !== metrics.enrolment) {
    findings.push({
      path: ["metrics", "enrolment"],
      code: "classes_unbalanced",
      message: `The classes add up to ${pupils} pupils.`,
    });
  }
  return findings;
}

/** A school week may begin up to six days before the month it is counted in. */
function weekFindings({ weeks, period }: MonthlyReport): Finding[] {
  const earliest = addDays(`${period}-01`, -6);
  return weeks.flatMap((week, index): Finding[] => {
    const path = ["weeks", index, "starting"];
    if (week.starting < earliest || week.starting > lastDayOf(period)) {
      return [{ path, code: "week_outside_period", message: "This week is not in the month of the report." }];
    }
    const previous = weeks[index - 1];
    if (previous !== undefined && week.starting <= previous.starting) {
      return [{ path, code: "weeks_out_of_order", message: "Weeks must follow one another." }];
    }
    return [];
  });
}

function rowFindings({ classes, subjects, incidents, period, metrics }: MonthlyReport): Finding[] {
  const findings: Finding[] = [];
  const names = new Set<string>();
  for (const [index, row] of classes.entries()) {
    if (names.has(row.name)) {
      findings.push({
        path: ["classes", index, "name"],
        code: "duplicate_class",
        message: "This class is listed twice.",
      });
    }
    names.add(row.name);
  }
  for (const [index, row] of subjects.entries()) {
    if (row.passed > row.pupils) {
      findings.push({
        path: ["subjects", index, "passed"],
        code: "more_passed_than_assessed",
        message: "More pupils passed than were assessed.",
      });
    }
    if (row.pupils > metrics.enrolment + metrics.left) {
      findings.push({
        path: ["subjects", index, "pupils"],
        code: "more_assessed_than_enrolled",
        message: "More pupils were assessed than the school has.",
      });
    }
  }
  for (const [index, row] of incidents.entries()) {
    if (periodOf(row.date) !== period) {
      findings.push({
        path: ["incidents", index, "date"],
        code: "incident_outside_period",
        message: "This day is not in the month of the report.",
      });
    }
  }
  return findings;
}
