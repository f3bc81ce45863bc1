import { addDays, addMonths, periodOf } from "../calendar";
import type { KindSamples, Sample, SampleFile } from "../kind";
import { chanceOf } from "../sampling";
import type { DepotReport, Shipment, Status } from "./schema";

const TODAY = "2026-12-01";

function typicalOn(today: string): Sample<DepotReport> {
  return depotSample(today, 180, { ref: "D-07", name: "Rotterdam Waalhaven" });
}

/** Returns a depot's month with `rows` shipments in a CSV file. */
export function depotSample(today: string, rows: number, depot: DepotReport["depot"]): Sample<DepotReport> {
  const period = addMonths(periodOf(today), -1);
  return {
    payload: {
      depot,
      period,
      currency: "EUR",
      preparedBy: "Femke de Groot",
      remarks: "Quay 3 was closed on two days for repairs; what was due then left the day after and counts as delayed.",
      shipments: { table: "sample_depot_shipments" },
    },
    today,
    files: [csvOf(period, rows)],
  };
}

function csvOf(period: string, rows: number): SampleFile {
  return {
    sourceId: "sample_depot_shipments",
    title: "Shipments",
    mediaType: "text/csv",
    make: async () => new TextEncoder().encode(shipmentsCsv(shipmentsOf(period, rows))),
  };
}

/** Returns `rows` synthetic shipments of the month. */
export function shipmentsOf(period: string, rows: number): Shipment[] {
  const chance = chanceOf(rows);
  return Array.from({ length: rows }, (_, index): Shipment => {
    const status = statusOf(chance.between(1, 100));
    const pallets = chance.between(1, 33);
    return {
      reference: `SH-${String(200_001 + index)}`,
      date: addDays(`${period}-01`, Math.floor((index * 28) / rows)),
      customer: chance.pick(CUSTOMERS),
      destination: chance.pick(DESTINATIONS),
      pallets,
      weightKg: `${pallets * chance.between(180, 720)}.${chance.between(0, 9)}`,
      value: `${pallets * chance.between(150, 2_400)}.${String(chance.between(0, 99)).padStart(2, "0")}`,
      status,
      ...(status === "delivered" ? {} : { note: chance.pick(NOTES[status]) }),
    };
  });
}

/** Returns the shipments as the CSV file that a depot would upload. */
export function shipmentsCsv(shipments: readonly Shipment[]): string {
  const head = [
    "Reference",
    "Date",
    "Customer",
    "Destination",
    "Pallets",
    "Weight kg",
    "Value",
    "Status",
    "Exception note",
  ];
  const lines = shipments.map((row) =>
    [
      row.reference,
      row.date,
      row.customer,
      row.destination,
      `${row.pallets}`,
      row.weightKg,
      row.value,
      row.status,
      row.note ?? "",
    ]
      .map(quoted)
      .join(","),
  );
  return `${[head.join(","), ...lines].join("\r\n")}\r\n`;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function statusOf(roll: number): Status {
  if (roll <= 91) return "delivered";
  if (roll <= 95) return "delayed";
  if (roll <= 97) return "damaged";
  return roll <= 99 ? "returned" : "lost";
}

const CUSTOMERS = [
  "Kowalczyk & Søn A/S",
  "Brüggemann Kühltransporte GmbH & Co. KG",
  "Vélos de l’Atlantique",
  "Ελληνικά Ελαιόλαδα Α.Ε.",
  "Łódź Textile Works",
  "Café do Porto Lda.",
  "Nordic Timber AB",
  "Мебел София ООД",
  "Ackermann Tools",
  "O’Brien Dairies",
] as const satisfies readonly [string, ...string[]];

const DESTINATIONS = [
  "Gdańsk, PL",
  "Thessaloniki, GR",
  "Besançon, FR",
  "Malmö, SE",
  "Plovdiv, BG",
  "Galway, IE",
  "Zürich, CH",
  "Győr, HU",
  "Ålesund, NO",
  "Braga, PT",
] as const satisfies readonly [string, ...string[]];

const NOTES = {
  delayed: [
    "Left one day late, quay 3 closed.",
    "Customs papers came after cut-off; released on the second day.",
    "Driver's hours used up at the border.",
  ],
  damaged: [
    "Two pallets wet on arrival; claim opened with the carrier.",
    "Shrink wrap torn, goods counted and complete.",
  ],
  returned: ["Refused by consignee: order cancelled.", "Address closed over the holidays; redelivery agreed."],
  lost: ["Not found after three days. Police report filed."],
} as const satisfies Record<Exclude<Status, "delivered">, readonly [string, ...string[]]>;

/** Synthetic depots. The typical month comes as a CSV file, as it does in life; the largest too, with its size. */
export const samples: KindSamples<DepotReport> = {
  typical: typicalOn(TODAY),
  typicalOn,
  largest: depotSample(TODAY, 2_000, { ref: "D-01", name: "Duisburg Logport" }),
  invalid: { payload: { ...typicalOn(TODAY).payload, period: "2027-02" }, code: "period_in_future" },
};
