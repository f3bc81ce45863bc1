/** Returns the items in an order that the seed decides. */
export function shuffled<Item>(random: () => number, items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, rank: random() }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ item }) => item);
}

/** Returns `count` items: all of them, in an order that the seed decides, before any comes again. */
export function dealt<Item>(random: () => number, items: readonly Item[], count: number): Item[] {
  const hands: Item[] = [];
  while (hands.length < count && items.length > 0) hands.push(...shuffled(random, items));
  return hands.slice(0, count);
}
