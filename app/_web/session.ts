import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { currentSession } from "@/server/auth/actor";
import { readEnv } from "@/server/env";
import { signInPath } from "@/server/http/own-path";
import type { LiveSession, SessionView } from "@/server/services/accounts/read-session";
import { web } from "./web";

/** Returns who is asking, looked up once per request; null where nobody is signed in. */
export const findSession = cache(
  async (): Promise<LiveSession | null> => currentSession(await web(), readEnv().sessionSecret),
);

/** Returns who is asking. Sends people who are not signed in to the sign-in page, which leads back here. */
export async function requireSession(): Promise<LiveSession> {
  const session = await findSession();
  if (session !== null) return session;
  redirect(signInPath((await headers()).get("x-bindery-path") ?? "/"));
}

/** The page a person starts on. */
export function homeOf(view: SessionView): string {
  if (view.tenant?.role === "recipient") return "/my-packets";
  return view.tenant === null ? (view.isOperator ? "/ops" : "/my-packets") : "/packets";
}
