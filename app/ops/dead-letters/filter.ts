import type { inferRouterInputs } from "@trpc/server";
import type { AppRouter } from "@/server/api/root";

export type LetterFilter = inferRouterInputs<AppRouter>["operations"]["deadLetters"] & { readonly page: number };

/** What a list of dead letters can be narrowed to, and the name of each in the address. */
export const NARROWINGS = ["code", "stage", "kind", "tenantId"] as const;
export type Narrowing = (typeof NARROWINGS)[number];

/** Returns what an address asks for; what it cannot mean is left out. */
export function readFilter(read: (name: string) => string | null): LetterFilter {
  const page = Number(read("page"));
  const narrowed = NARROWINGS.flatMap((name) => {
    const value = read(name);
    return value !== null && /^[a-z0-9_-]{1,60}$/.test(value) ? [[name, value]] : [];
  });
  return {
    ...Object.fromEntries(narrowed),
    page: Number.isInteger(page) && page >= 1 && page <= 10_000 ? page : 1,
  };
}

/** Returns the address that shows this. */
export function addressOf(filter: LetterFilter): string {
  const query = new URLSearchParams();
  for (const name of NARROWINGS) {
    const value = filter[name];
    if (value !== undefined) query.set(name, value);
  }
  if (filter.page > 1) query.set("page", String(filter.page));
  return query.size === 0 ? "/ops/dead-letters" : `/ops/dead-letters?${query}`;
}
