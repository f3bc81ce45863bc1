import { initTRPC, TRPCError } from "@trpc/server";
import superjson from "superjson";
import { FAILURES, type FailureCode, type Finding, PacketFailure } from "@/server/domain/failure";
import type { LiveSession } from "@/server/services/accounts/read-session";
import type { Context } from "@/server/services/context";
import type { Log } from "@/server/telemetry/log";

export interface ApiContext {
  readonly services: Context;
  readonly session: LiveSession | null;
  readonly correlationId: string;
  readonly log: Log;
}

/** What a page learns of a failure: the code, plain words, and findings beside their fields. */
export interface FailureShape {
  readonly code: FailureCode;
  readonly message: string;
  readonly findings: readonly Finding[];
  readonly retryAfterSeconds: number | null;
}

const trpc = initTRPC.context<ApiContext>().create({
  transformer: superjson,
  errorFormatter: ({ shape, error }) => ({
    ...shape,
    message: shapeOf(error.cause).message,
    data: { code: shape.data.code, httpStatus: shape.data.httpStatus, failure: shapeOf(error.cause) },
  }),
});

const STATUS_NAMES = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  409: "CONFLICT",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  422: "UNPROCESSABLE_CONTENT",
  429: "TOO_MANY_REQUESTS",
  503: "SERVICE_UNAVAILABLE",
} as const;

/** The one translation of a failure to tRPC's words. What we did not expect is logged by class and told as `internal`. */
const translate = trpc.middleware(async ({ next, ctx }) => {
  const result = await next();
  if (result.ok) return result;
  const { cause } = result.error;
  if (cause instanceof PacketFailure) {
    const status = FAILURES[cause.code].http;
    const code = status in STATUS_NAMES ? STATUS_NAMES[status as keyof typeof STATUS_NAMES] : "INTERNAL_SERVER_ERROR";
    throw new TRPCError({ code, message: cause.code, cause });
  }
  if (result.error.code === "INTERNAL_SERVER_ERROR") {
    ctx.log.error({ event: "request_failed", code: cause?.name ?? "unknown", correlationId: ctx.correlationId });
  }
  return result;
});

export const router = trpc.router;

/** For everybody, signed in or not. */
export const publicProcedure = trpc.procedure.use(translate);

/** For people who are signed in; `ctx.actor` is who. */
export const procedure = publicProcedure.use(({ ctx, next }) => {
  if (ctx.session === null) throw new PacketFailure("unauthenticated");
  return next({ ctx: { ...ctx, actor: ctx.session.actor, view: ctx.session.view } });
});

function shapeOf(cause: unknown): FailureShape {
  const known = cause instanceof PacketFailure;
  const code = known ? cause.code : isInputError(cause) ? "invalid_request" : "internal";
  return {
    code,
    message: FAILURES[code].publicMessage,
    findings: known ? cause.findings : [],
    retryAfterSeconds: known ? (cause.retryAfterSeconds ?? null) : null,
  };
}

function isInputError(cause: unknown): boolean {
  return cause instanceof Error && cause.name.includes("Zod");
}
