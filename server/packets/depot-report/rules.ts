import type { Finding } from "@/server/domain/failure";
import { periodOf } from "../calendar";
import type { RuleContext } from "../kind";
import type { DepotReport, Shipment } from "./schema";

/** Returns what is wrong with a report whose form is right: a month that has not begun, shipments of another month or listed twice. */
export function depotReportRules(payload: DepotReport, context: RuleContext): Finding[] {
  const findings: Finding[] = [];
  if (payload.period > periodOf(context.today)) {
    findings.push({ path: ["period"], code: "period_in_future", message: "This month has not begun yet." });
  }
  if (Array.isArray(payload.shipments)) findings.push(...shipmentFindings(payload.shipments, payload.period));
  return findings;
}

/** Returns the same for rows, wherever they came from. Stops at 200, which is more than anybody will read. */
export function shipmentFindings(shipments: readonly Shipment[], period: string): Finding[] {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  for (const [index, shipment] of shipments.entries()) {
    if (periodOf(shipment.date) !== period) {
      findings.push({
        path: ["shipments", index, "date"],
        code: "shipment_outside_period",
        message: "This day is not in the month of the report.",
      });
    }
    if (seen.has(shipment.reference)) {
      findings.push({
        path: ["shipments", index, "reference"],
        code: "duplicate_shipment",
        message: "This reference is listed twice.",
      });
    }
    seen.add(shipment.reference);
    if (findings.length >= 200) break;
  }
  return findings;
}
