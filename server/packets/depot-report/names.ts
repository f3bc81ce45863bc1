import { formatPeriod } from "../calendar";
import type { DocumentInput } from "../kind";
import type { DepotReport, Status } from "./schema";

/** What the foot of every page calls this report. */
export function footer(input: DocumentInput<DepotReport>) {
  return { title: `Depot report, ${input.payload.depot.name}`, period: formatPeriod(input.payload.period) };
}

/** A status as it stands in print. */
export function statusName(status: Status): string {
  return status.charAt(0).toUpperCase() + status.slice(1);
}
