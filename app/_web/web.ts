import { readEnv } from "@/server/env";
import { openWeb, type Web } from "@/server/wiring";

// Pages and routes may be bundled apart, each with a copy of this module: the process still has one set of connections.
const KEY = Symbol.for("bindery.web");

/** Returns the services of this process, opened on first use. A failed opening is tried again by the next request. */
export function web(): Promise<Web> {
  const opened: Promise<Web> | undefined = Reflect.get(globalThis, KEY);
  if (opened !== undefined) return opened;
  const opening = openWeb(readEnv());
  Reflect.set(globalThis, KEY, opening);
  opening.catch(() => Reflect.deleteProperty(globalThis, KEY));
  return opening;
}
