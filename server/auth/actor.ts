import { getServerSession } from "next-auth";
import { parseId } from "@/server/domain/ids";
import { type LiveSession, readSession } from "@/server/services/accounts/read-session";
import type { Context } from "@/server/services/context";
import { authOptions } from "./options";

/** Returns who is asking, from the session cookie of the current request; null where nobody is signed in. */
export async function currentSession(context: Context, secret: string): Promise<LiveSession | null> {
  const session: unknown = await getServerSession(authOptions(context, secret));
  const sessionId = parseId("session", Reflect.get(Object(session), "sid"));
  return sessionId === null ? null : readSession(context, sessionId);
}
