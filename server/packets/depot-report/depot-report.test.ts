import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { derivedKey } from "@/server/domain/request";
import { renderPart } from "@/worker/pdf/render";
import { type Bench, benchFor, textsOf } from "@/worker/pdf/testing/rendered-sample";
import { depotReport } from "./index";
import { depotSample, shipmentsCsv, shipmentsOf } from "./sample";
import { type DepotReport, type Shipment, ShipmentRow } from "./schema";
import { exceptionsOf, formatShare, formatWeight, palletsByDestination, totalsOf, weightPlaces } from "./totals";

const { typical } = depotReport.samples;
const report = typical.payload;
const inline = (shipments: Shipment[]): DepotReport => ({ ...report, shipments });
const rows = shipmentsOf("2026-11", 40);
const benches: Bench[] = [];
afterAll(() => Promise.all(benches.map((bench) => bench.close())));

const shipment = fc.record({
  reference: fc.constant("R"),
  date: fc.constant("2026-11-01"),
  customer: fc.constant("C"),
  destination: fc.constantFrom("A", "B"),
  pallets: fc.integer({ min: 0, max: 10_000 }),
  weightKg: fc
    .integer({ min: 0, max: 999_999_999 })
    .map((grams) => `${Math.floor(grams / 1000)}.${String(grams % 1000).padStart(3, "0")}`),
  value: fc
    .integer({ min: 0, max: 999_999_999 })
    .map((cents) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`),
  status: fc.constantFrom(
    "delivered" as const,
    "delayed" as const,
    "damaged" as const,
    "returned" as const,
    "lost" as const,
  ),
});

describe("what the report is about", () => {
  it("is one depot and one month; the key follows from depot, month and revision and from nothing else [C29]", () => {
    const keyOf = (payload: DepotReport, revisionNumber = 1) =>
      derivedKey({
        kind: depotReport.name,
        businessIdentity: depotReport.businessIdentity(payload),
        audience: "internal",
        fidelity: "archival",
        revisionNumber,
      });
    expect(depotReport.businessIdentity(report)).toBe("depot:D-07 period:2026-11");
    expect(keyOf({ ...report, preparedBy: "Somebody else", depot: { ...report.depot, name: "Renamed" } })).toBe(
      keyOf(report),
    );
    const others = [
      keyOf({ ...report, depot: { ...report.depot, ref: "D-08" } }),
      keyOf({ ...report, period: "2026-10" }),
      keyOf(report, 2),
    ];
    expect(new Set([keyOf(report), ...others]).size).toBe(4);
  });
});

describe("what is refused", () => {
  const [first] = rows;
  it.each<[string, DepotReport, string]>([
    ["a month that has not begun", { ...report, period: "2027-02" }, "period_in_future"],
    [
      "a shipment of another month",
      inline(rows.map((row, index) => (index === 3 ? { ...row, date: "2026-12-01" } : row))),
      "shipment_outside_period",
    ],
    ["a reference listed twice", inline(first === undefined ? [] : [first, ...rows]), "duplicate_shipment"],
  ])("%s", (_name, payload, code) => {
    expect(depotReport.rules(payload, { today: typical.today }).map((finding) => finding.code)).toEqual([code]);
  });

  it("rows of a file that belong to another month, by their number, when the pages are made", async () => {
    const sample = depotSample("2026-12-01", 30, report.depot);
    const bench = await benchFor(depotReport, { ...sample, payload: { ...sample.payload, period: "2026-10" } });
    benches.push(bench);
    await expect(renderPart(bench.request(1), () => {})).rejects.toMatchObject({
      code: "table_invalid",
      findings: expect.arrayContaining([expect.objectContaining({ path: ["shipments", 0, "date"] })]),
    });
  });
});

describe("a row of a CSV file", () => {
  it("becomes what the same shipment is as JSON", () => {
    const [row] = rows;
    const cells = { ...row, pallets: `${row?.pallets}`, status: ` ${row?.status.toUpperCase()} `, note: "" };
    expect(ShipmentRow.parse(cells)).toEqual({ ...row, note: "" });
  });

  it.each([
    ["pallets", ""],
    ["pallets", "2.5"],
    ["pallets", "-1"],
    ["pallets", "1e3"],
    ["pallets", "99999"],
    ["weightKg", "1,5"],
    ["value", "=1+1"],
    ["status", "arrived"],
    ["date", "04.11.2026"],
    ["customer", ""],
    ["reference", "007 x"],
  ])("with %s %j is refused [C122]", (field, cell) => {
    const [row] = rows;
    expect(ShipmentRow.safeParse({ ...row, pallets: `${row?.pallets}`, [field]: cell }).success).toBe(false);
  });

  it("keeps leading zeros and quotes what needs quoting", () => {
    const [row] = rows;
    if (row === undefined) throw new Error("No rows.");
    expect(ShipmentRow.parse({ ...row, pallets: "4", reference: "000123" }).reference).toBe("000123");
    expect(shipmentsCsv([{ ...row, customer: 'Brown, "Bo"' }])).toContain('"Brown, ""Bo"""');
  });
});

describe("totals", () => {
  it("are exact, and the parts make the whole [C441]", () => {
    fc.assert(
      fc.property(fc.array(shipment, { maxLength: 60 }), (made) => {
        const { byStatus, all } = totalsOf(made);
        const cents = made.reduce((sum, row) => sum + BigInt(row.value.replace(".", "")), 0n);
        const grams = made.reduce((sum, row) => sum + BigInt(row.weightKg.replace(".", "")), 0n);
        expect(all).toEqual({
          shipments: made.length,
          pallets: made.reduce((sum, row) => sum + row.pallets, 0),
          grams,
          value: cents,
        });
        expect(Object.values(byStatus).reduce((sum, part) => sum + part.value, 0n)).toBe(cents);
        expect(exceptionsOf(made)).toHaveLength(made.length - byStatus.delivered.shipments);
        expect(palletsByDestination(made).reduce((sum, part) => sum + part.pallets, 0)).toBe(all.pallets);
      }),
    );
  });

  it("show no more decimals than the data has, and no fewer", () => {
    const [row] = rows;
    if (row === undefined) throw new Error("No rows.");
    expect(weightPlaces([{ ...row, weightKg: "4" }])).toBe(0);
    expect(
      weightPlaces([
        { ...row, weightKg: "4" },
        { ...row, weightKg: "4.25" },
      ]),
    ).toBe(2);
    expect(formatWeight(4_250n, 2)).toBe("4.25");
    expect(formatShare(57, 61)).toBe("93.4");
    expect(formatShare(0, 0)).toBe("–");
  });

  it("stand on the page as they are [C441]", async () => {
    const bench = await benchFor(depotReport, { ...typical, payload: inline(rows), files: [] });
    benches.push(bench);
    const { all } = totalsOf(rows);
    const value = `${String(all.value / 100n).replace(/\B(?=(\d{3})+$)/g, ",")}.${String(all.value % 100n).padStart(2, "0")}`;
    const [page] = await textsOf(await renderPart(bench.request(1), () => {}));
    expect(page).toContain("All shipments 40 100.0");
    expect(page).toContain(value);
  });
});
