import { formatPeriod } from "../calendar";
import type { DocumentInput } from "../kind";
import type { MonthlyReport } from "./schema";

/** What the foot of every page calls this report. */
export function footer(input: DocumentInput<MonthlyReport>) {
  return { title: `Monthly report, ${input.payload.school.name}`, period: formatPeriod(input.payload.period) };
}
