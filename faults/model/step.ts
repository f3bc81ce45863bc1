import type fc from "fast-check";
import type { AsyncCommand } from "fast-check";
import { compare, type Model } from "./model";
import type { System } from "./system";

/** Steps of one sort, with what is drawn for them. */
export type AnyStep = fc.Arbitrary<AsyncCommand<Model, System>>;

/**
 * Returns a command that does `act` on the system and on the model, and compares the two afterwards. `isPossible` leaves it out of a
 * sequence where it would mean nothing; `label` is what a failing sequence is printed with.
 */
export function step(
  label: string,
  act: (model: Model, system: System) => Promise<void>,
  isPossible: (model: Model) => boolean = () => true,
): AsyncCommand<Model, System> {
  return {
    check: (model) => isPossible(model),
    run: async (model, system) => {
      await act(model, system);
      await compare(model, system);
    },
    toString: () => label,
  };
}

/** Returns the item that is `back` from the newest, going round. */
export function fromNewest<Item>(items: readonly Item[], back: number): Item {
  const item = items[items.length - 1 - (back % Math.max(1, items.length))];
  if (item === undefined) throw new RangeError("There is nothing yet.");
  return item;
}
