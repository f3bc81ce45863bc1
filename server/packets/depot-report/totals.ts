import { divideRounded, formatDecimal, parseDecimal } from "../decimal";
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

/** Returns the pallets of each destination, the most first, then by name. */
export function palletsByDestination(shipments: readonly Shipment[]): { destination: string; pallets: number }[] {
  const pallets = new Map<string, number>();
  for (const row of shipments) pallets.set(row.destination, (pallets.get(row.destination) ?? 0) + row.pallets);
  return [...pallets]
    .map(([destination, count]) => ({ destination, pallets: count }))
    .sort((a, b) => b.pallets - a.pallets || (a.destination < b.destination ? -1 : 1));
}

/** Returns how many decimals the weights of a report need: those that the most exact of them has. */
export function weightPlaces(shipments: readonly Shipment[]): number {
  return shipments.reduce((most, { weightKg }) => Math.max(most, weightKg.split(".")[1]?.length ?? 0), 0);
}

/** Returns a weight in kilograms with `places` decimals. It must need no more. */
export function formatWeight(grams: bigint, places: number): string {
  return formatDecimal(grams / 10n ** BigInt(3 - places), places);
}

/** Returns "93.4" for 57 of 61, or a dash where there is nothing. */
export function formatShare(part: number, whole: number): string {
  const tenths = divideRounded(BigInt(part) * 1_000n, BigInt(whole), 0);
  return tenths === null ? "–" : formatDecimal(tenths, 1);
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
