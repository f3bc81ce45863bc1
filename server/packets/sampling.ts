/** What the samples are made of: a seeded stream of numbers and synthetic names. The same on every run and machine. */

export interface Chance {
  /** A whole number from `min` to `max`. */
  between(min: number, max: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
}

/** Returns a stream of numbers that depends on `seed` only (mulberry32). */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return { between, pick: (items) => items[between(0, items.length - 1)] ?? items[0] };
}

const GIVEN = [
  "Amélie",
  "Bartosz",
  "Çiğdem",
  "Dafydd",
  "Ελένη",
  "Françoise",
  "Górán",
  "Hye-Rin",
  "Ingrid",
  "João",
  "Katarzyna",
  "Lukáš",
  "Märta",
  "Niamh",
  "Øystein",
  "Přemysl",
  "Quentin",
  "Rūta",
  "Søren",
  "Tamás",
  "Ulrike",
  "Владимир",
  "Wanda",
  "Ximena",
  "Yvonne",
  "Željko",
] as const satisfies readonly [string, ...string[]];
const FAMILY = [
  "Åkesson",
  "Brzęczyszczykiewicz",
  "Costa",
  "Durand",
  "Eriksen",
  "Ferreira",
  "Grünwald",
  "Horváth",
  "Iversen",
  "Jónsdóttir",
  "Kowalczyk",
  "Lindqvist",
  "Müller",
  "Nguyễn",
  "O’Connor",
  "Παπαδοπούλου",
  "Quintero",
  "Robertson",
  "Şahin",
  "Țepeș",
  "Urbonaitė",
  "van der Berg",
  "Weiß",
  "Иванова",
  "Yıldız",
  "Žukauskas",
] as const satisfies readonly [string, ...string[]];

/** Returns a full name that belongs to nobody, in Latin, Greek or Cyrillic letters. */
export function nameOf(chance: Chance): string {
  return `${chance.pick(GIVEN)} ${chance.pick(FAMILY)}`;
}
