import { describe, expect, it } from "vitest";
import { PacketFailure } from "@/server/domain/failure";
import { checkPayload } from "./check-payload";
import { depotReport } from "./depot-report";

const { payload, today } = depotReport.samples.typical;

function findingsOf(changed: object): string[] {
  try {
    checkPayload(depotReport, { ...payload, ...changed }, today);
    return [];
  } catch (error) {
    if (!(error instanceof PacketFailure)) throw error;
    return error.findings.map((finding) => `${finding.path.join(".")}: ${finding.message}`);
  }
}

describe("a payload that does not fit", () => {
  it("names the row and the column of shipments sent row by row", () => {
    const row = {
      reference: "SH-1",
      date: "2026-13-04",
      customer: "A",
      destination: "B",
      pallets: 1,
      weightKg: "10",
      value: "10.00",
      status: "eaten",
    };
    const found = findingsOf({ shipments: [row] });
    expect(found.some((words) => words.startsWith("shipments.0.date: "))).toBe(true);
    expect(found.some((words) => words.startsWith("shipments.0.status: "))).toBe(true);
  });

  it("names the file where shipments come as a table", () => {
    expect(findingsOf({ shipments: { table: "" } })).toEqual(["shipments.table: Choose a file."]);
  });

  it("names the whole where it is neither", () => {
    expect(findingsOf({ shipments: 4 }).map((words) => words.split(":")[0])).toEqual(["shipments"]);
  });
});
