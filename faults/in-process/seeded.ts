import { chanceOf } from "@/server/packets/sampling";
import type { Random } from "./random-choice";

/** Returns a stream of numbers that depends on `seed` only. */
export function seeded(seed: number): Random {
  const chance = chanceOf(seed);
  return () => chance.between(0, 2 ** 30 - 1) / 2 ** 30;
}
