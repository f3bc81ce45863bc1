import { randomUUID } from "node:crypto";
import type { NextAuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { z } from "zod";
import { parseId } from "@/server/domain/ids";
import { SESSION_MS, signIn } from "@/server/services/accounts/sign-in";
import type { Context } from "@/server/services/context";

const Given = z.object({ email: z.email().max(254), password: z.string().min(1).max(1_000) });

/** Returns next-auth's configuration. The token carries a session id only; who that is, is looked up on each request. */
export function authOptions(context: Pick<Context, "db" | "clock">, secret: string): NextAuthOptions {
  return {
    secret,
    session: { strategy: "jwt", maxAge: SESSION_MS / 1_000 },
    pages: { signIn: "/sign-in", error: "/sign-in" },
    providers: [
      Credentials({
        name: "Password",
        credentials: { email: { type: "email" }, password: { type: "password" } },
        authorize: async (credentials) => {
          const given = Given.safeParse(credentials);
          if (!given.success) return null;
          const session = await signIn(context, { ...given.data, correlationId: randomUUID() });
          return session === null ? null : { id: session.userId, sessionId: session.sessionId };
        },
      }),
    ],
    callbacks: {
      jwt: ({ token, user }) => {
        const sessionId = parseId("session", Reflect.get(user ?? {}, "sessionId"));
        return sessionId === null ? { sid: token.sid } : { sid: sessionId };
      },
      session: ({ session, token }) => ({ expires: session.expires, sid: token.sid }),
    },
  };
}
