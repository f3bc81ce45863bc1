"use client";

import { useSearchParams } from "next/navigation";
import { addressOf, type Filter, readFilter } from "./filter";

/** Returns what the list is narrowed to, and the way to change it. The address is the only place where it is kept, so back works. */
export function useFilter() {
  const query = useSearchParams();
  const filter = readFilter((name) => query.get(name));
  const change = (
    to: Partial<{ [Key in keyof Filter]: Filter[Key] | undefined }>,
    how: "push" | "replace" = "push",
  ) => {
    const next = addressOf({ ...filter, page: 1, ...to, ...(to.page === undefined ? { page: 1 } : {}) } as Filter);
    // Next reads the address from here; going through the router would fetch the page itself again.
    if (how === "push") window.history.pushState(null, "", next);
    else window.history.replaceState(null, "", next);
  };
  return { filter, change };
}
