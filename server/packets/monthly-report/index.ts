import type { Manifest, Part } from "@/server/domain/manifest";
import { addDays, formatPeriod, instantOf, lastDayOf } from "../calendar";
import { definePacketKind } from "../kind";
import { monthlyReportRules } from "./rules";
import { samples } from "./sample";
import { MonthlyReport } from "./schema";

/** A school's month for its authority or board: cover, summary with chart, classes, subjects, incidents. */
export const monthlyReport = definePacketKind<MonthlyReport>({
  name: "monthly-report",
  title: "Monthly report",
  description: "A school's month in figures: attendance, classes, subjects and incidents.",
  payload: MonthlyReport,
  audiences: ["internal"],
  businessIdentity: (payload) => `school:${payload.school.ref} period:${payload.period}`,
  subject: (payload) => `${payload.school.name}, ${formatPeriod(payload.period)}`,
  scope: (payload) => payload.school.ref,
  period: (payload) => payload.period,
  rules: monthlyReportRules,
  sources: () => [],
  manifest: (payload) => manifestOf(payload),
  recipient: () => null,
  finishBy: (payload, acceptedAt) => finishBy(payload.period, acceptedAt),
  language: "en",
  watermark: () => null,
  pages: { min: 3, max: 80 },
  retention: { years: 7 },
  inputDays: 7 * 366,
  validationVersion: 1,
  templateVersion: 1,
  tables: [],
  pageNumbers: { style: "page-x-of-y", from: 2 },
  layoutDocuments: [],
  samples,
  template: () => import("./template"),
});

const GRACE_DAYS = 10;

/** Ten days after the month's end; a report that comes later is still wanted, within a day. */
function finishBy(period: string, acceptedAt: Date): Date {
  const due = instantOf(addDays(lastDayOf(period), GRACE_DAYS + 1)).getTime();
  return new Date(Math.max(due, acceptedAt.getTime() + 86_400_000));
}

function manifestOf(payload: MonthlyReport): Manifest {
  const hasDetails = payload.subjects.length + payload.incidents.length > 0 || payload.notes !== undefined;
  const parts: Part[] = [
    template(1, "cover", "Cover"),
    template(2, "summary", "Summary"),
    template(3, "classes", "Classes"),
    ...(hasDetails ? [template(4, "details", "Subjects, incidents and notes")] : []),
  ];
  return { parts, tables: [] };
}

function template(position: number, document: string, title: string): Part {
  return { type: "template", position, document, title, outline: title, params: {} };
}
