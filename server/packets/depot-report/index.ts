import type { Manifest, Part } from "@/server/domain/manifest";
import { addDays, formatPeriod, instantOf, lastDayOf } from "../calendar";
import { definePacketKind, type SourceFacts } from "../kind";
import { depotReportRules } from "./rules";
import { samples } from "./sample";
import { DepotReport, ShipmentRow } from "./schema";

/** A depot's month: totals by status, exceptions, and every shipment, up to 100,000 of them. */
export const depotReport = definePacketKind<DepotReport>({
  name: "depot-report",
  title: "Depot report",
  description: "A depot's month: totals by status, exceptions and every shipment, from a table of up to 100,000 rows.",
  payload: DepotReport,
  audiences: ["internal"],
  businessIdentity: (payload) => `depot:${payload.depot.ref} period:${payload.period}`,
  subject: (payload) => `${payload.depot.name}, ${formatPeriod(payload.period)}`,
  scope: (payload) => payload.depot.ref,
  period: (payload) => payload.period,
  rules: depotReportRules,
  sources: (payload) =>
    Array.isArray(payload.shipments)
      ? []
      : [{ path: ["shipments", "table"], sourceId: payload.shipments.table, accepts: "table" as const }],
  manifest: (payload, _audience, facts) => manifestOf(payload, facts),
  recipient: () => null,
  finishBy: (payload, acceptedAt) => finishBy(payload.period, acceptedAt),
  language: "en",
  watermark: () => null,
  pages: { min: 2, max: 8_000 },
  retention: { years: 7 },
  inputDays: 7 * 366,
  validationVersion: 1,
  templateVersion: 1,
  tables: [
    {
      name: "shipments",
      title: "Shipments",
      row: ShipmentRow,
      columns: [
        { field: "reference", title: "Reference", aliases: ["ref", "shipment", "shipment reference", "consignment"] },
        { field: "date", title: "Date", aliases: ["shipped", "ship date", "shipping date"] },
        { field: "customer", title: "Customer", aliases: ["client", "consignee"] },
        { field: "destination", title: "Destination", aliases: ["to", "place"] },
        { field: "pallets", title: "Pallets", aliases: ["pallet count", "number of pallets"] },
        { field: "weightKg", title: "Weight kg", aliases: ["weight", "kg", "gross weight", "gross weight kg"] },
        { field: "value", title: "Value", aliases: ["amount", "goods value"] },
        { field: "status", title: "Status", aliases: ["state"] },
        { field: "note", title: "Exception note", aliases: ["note", "remark", "remarks", "exception"] },
      ],
      rowsMax: 100_000,
    },
  ],
  pageNumbers: { style: "page-x-of-y", from: 1 },
  layoutDocuments: [],
  samples,
  template: () => import("./template"),
});

const GRACE_DAYS = 5;

/** Five days after the month's end; a report that comes later is still wanted, within a day. */
function finishBy(period: string, acceptedAt: Date): Date {
  const due = instantOf(addDays(lastDayOf(period), GRACE_DAYS + 1)).getTime();
  return new Date(Math.max(due, acceptedAt.getTime() + 86_400_000));
}

function manifestOf(payload: DepotReport, facts: (sourceId: string) => SourceFacts): Manifest {
  const parts = [
    template(1, "summary", "Summary"),
    template(2, "exceptions", "Exceptions"),
    template(3, "shipments", "Shipments"),
  ];
  if (Array.isArray(payload.shipments)) return { parts, tables: [] };
  const { sourceId, digest, rows, bytes } = facts(payload.shipments.table);
  return { parts, tables: [{ type: "table", table: "shipments", sourceId, digest, rows, bytes }] };
}

function template(position: number, document: string, title: string): Part {
  return { type: "template", position, document, title, outline: title, params: {} };
}
