"use client";

import { createContext, type ReactNode, use } from "react";
import type { SessionView } from "@/server/services/accounts/read-session";

const Person = createContext<SessionView | null>(null);

/** Tells every page below who is signed in and for whom they act. */
export function PersonProvider({ view, children }: { readonly view: SessionView; readonly children: ReactNode }) {
  return <Person value={view}>{children}</Person>;
}

/** Returns who is signed in. Only below `SignedIn`. */
export function usePerson(): SessionView {
  const view = use(Person);
  if (view === null) throw new Error("This component stands below SignedIn.");
  return view;
}

/** Returns the zone in which instants are shown. */
export function useTimeZone(): string {
  return use(Person)?.tenant?.timeZone ?? "UTC";
}
