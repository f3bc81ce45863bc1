import { parseDecimal } from "../decimal";
import { type Shipment, STATUSES, type Status } from "./schema";

export interface Total {
  readonly shipments: number;
  readonly pallets: number;
  readonly grams: bigint;
  /** Minor units of the currency. */
  readonly value: bigint;
}

const NOTHING: Total = { shipments: 0, pallets: 0, grams: 0n, value: 0n };

/** Returns the exact totals by status and of everything. */
export function totalsOf(shipments: readonly Shipment[]): { byStatus: Readonly<Record<Status, Total>>; all: Total } {
  const byStatus: Record<Status, Total> = {
    delivered: NOTHING,
    delayed: NOTHING,
    damaged: NOTHING,
    returned: NOTHING,
    lost: NOTHING,
  };
  for (const shipment of shipments) byStatus[shipment.status] = add(byStatus[shipment.status], totalOf(shipment));
  return { byStatus, all: STATUSES.reduce((sum, status) => add(sum, byStatus[status]), NOTHING) };
}

/** Returns what needs attention: every shipment that was not simply delivered. */
export function exceptionsOf(shipments: readonly Shipment[]): Shipment[] {
  return shipments.filter((shipment) => shipment.status !== "delivered");
}

function totalOf(shipment: Shipment): Total {
  return {
    shipments: 1,
    pallets: shipment.pallets,
    grams: parseDecimal(shipment.weightKg, 3),
    value: parseDecimal(shipment.value, 2),
  };
}

function add(a: Total, b: Total): Total {
  return {
    shipments: a.shipments + b.shipments,
    pallets: a.pallets + b.pallets,
    grams: a.grams + b.grams,
    value: a.value + b.value,
  };
}
