import type { PdfRef } from "./pdf-object";

/** Where an object lies: at a byte offset, or as the nth object of an object stream. */
export type Place =
  | { readonly kind: "free" }
  | { readonly kind: "offset"; readonly offset: number; readonly generation: number }
  | { readonly kind: "packed"; readonly stream: number; readonly index: number };

/** Keeps the newest word on each object. */
export function addPlace(places: Map<number, Place>, number: number, place: Place): void {
  if (number <= OBJECT_NUMBER_MAX && !places.has(number)) places.set(number, place);
}

/** True for a reference that a cross-reference can hold at all. */
export function isPossibleRef(ref: PdfRef): boolean {
  return ref.number > 0 && ref.number <= OBJECT_NUMBER_MAX;
}

/** ISO 32000-1, annex C. */
const OBJECT_NUMBER_MAX = 8_388_607;
