import { PERMISSIONS, type Permission, type PersonActor } from "@/server/domain/access";
import { createApiKey } from "@/server/services/tenants/create-api-key";
import type { TestContext } from "@/server/services/test-context";
import { openLog } from "@/server/telemetry/log";

/** The configured address of the service in these tests; requests come in under another one. */
export const BASE_URL = "https://bindery.example.org";
const WEB = Symbol.for("bindery.web");

/** Makes the routes of this process work on `context`. */
export function serveWith(context: TestContext): void {
  const web = { ...context, log: openLog("silent"), baseUrl: BASE_URL, isReady: async () => undefined };
  Reflect.set(globalThis, WEB, Promise.resolve(web));
}

/** Gives the routes of this process back what they opened themselves. */
export function serveNoMore(): void {
  Reflect.deleteProperty(globalThis, WEB);
}

/** Makes a key that reaches as far as whoever makes it, and returns its secret. */
export async function keyOf(
  context: TestContext,
  by: PersonActor,
  { permissions = PERMISSIONS, ...reach }: { permissions?: readonly Permission[]; scopes?: string[] } = {},
): Promise<string> {
  const wanted = {
    name: "Import",
    permissions,
    kinds: [],
    scopes: [],
    expiresAt: null,
    correlationId: "cor",
    ...reach,
  };
  return (await createApiKey(context, by, wanted)).secret;
}

export interface Asking {
  readonly method?: string;
  readonly key: string;
  readonly headers?: Record<string, string>;
  /** Text as it is, anything else as JSON. */
  readonly body?: unknown;
}

/** Returns a request as a program sends it. */
export function asking(path: string, { method = "GET", key, headers = {}, body }: Asking): Request {
  return new Request(`http://127.0.0.1:3000${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
}
