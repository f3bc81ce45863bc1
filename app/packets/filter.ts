import type { inferRouterInputs } from "@trpc/server";
import type { AppRouter } from "@/server/api/root";
import { PUBLIC_STATES, type ShownState } from "./states";

export type Filter = inferRouterInputs<AppRouter>["packets"]["list"] & { readonly page: number };

/** Returns what an address asks for; what it cannot mean is left out. */
export function readFilter(read: (name: string) => string | null): Filter {
  const kind = read("kind");
  const state = PUBLIC_STATES.find((known) => known === read("state"));
  const text = read("q")?.trim().slice(0, 200) ?? "";
  const page = Number(read("page"));
  return {
    ...(kind !== null && /^[a-z-]{1,60}$/.test(kind) ? { kind } : {}),
    ...(state === undefined ? {} : { state }),
    ...(text === "" ? {} : { text }),
    page: Number.isInteger(page) && page >= 1 && page <= 10_000 ? page : 1,
  };
}

/** Returns the address that shows this. */
export function addressOf(filter: {
  kind?: string | undefined;
  state?: ShownState | undefined;
  text?: string | undefined;
  page: number;
}): string {
  const query = new URLSearchParams();
  if (filter.text !== undefined) query.set("q", filter.text);
  if (filter.kind !== undefined) query.set("kind", filter.kind);
  if (filter.state !== undefined) query.set("state", filter.state);
  if (filter.page > 1) query.set("page", String(filter.page));
  return query.size === 0 ? "/packets" : `/packets?${query}`;
}
