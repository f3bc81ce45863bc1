import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { authOptions } from "@/server/auth/options";
import { readEnv } from "@/server/env";
import { web } from "../../../_web/web";

interface RouteContext {
  readonly params: Promise<{ readonly nextauth: string[] }>;
}

/** Signing in and out. */
async function handle(request: NextRequest, context: RouteContext): Promise<Response> {
  return NextAuth(request, context, authOptions(await web(), readEnv().sessionSecret));
}

export { handle as GET, handle as POST };
