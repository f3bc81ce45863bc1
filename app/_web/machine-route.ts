import { randomUUID } from "node:crypto";
import type { MachineActor, Permission } from "@/server/domain/access";
import { PacketFailure } from "@/server/domain/failure";
import { bearerOf } from "@/server/http/bearer";
import { problemResponse } from "@/server/http/problem";
import { authenticateApiKey } from "@/server/services/tenants/authenticate-api-key";
import type { Web } from "@/server/wiring";
import { web } from "./web";

export interface MachineCall<Params> {
  readonly request: Request;
  readonly params: Params;
  readonly services: Web;
  readonly actor: MachineActor;
  /** Follows this request through the log; returned as `x-request-id`. [C80] */
  readonly requestId: string;
}

/**
 * Returns a route of the HTTP contract: who asks and whether their key permits it is settled before anything of the request is read.
 * Whatever is thrown becomes a problem with a code. [C52,C80]
 */
export function machineRoute<Params>(
  permission: Permission,
  answer: (call: MachineCall<Params>) => Promise<Response>,
): (request: Request, context: { readonly params: Promise<Params> }) => Promise<Response> {
  return async (request, context) => {
    const requestId = randomUUID();
    const response = await answered(requestId, request, async () => {
      const services = await web();
      const actor = await authenticateApiKey(services, bearerOf(request.headers));
      if (!actor.permissions.includes(permission)) throw new PacketFailure("forbidden");
      return answer({ request, params: await context.params, services, actor, requestId });
    });
    response.headers.set("x-request-id", requestId);
    return response;
  };
}

async function answered(requestId: string, request: Request, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    const cause =
      !(error instanceof PacketFailure) && request.signal.aborted ? new PacketFailure("source_incomplete") : error;
    if (!(cause instanceof PacketFailure)) {
      const name = cause instanceof Error ? cause.name : "unknown";
      await web().then(
        ({ log }) => log.error({ event: "request_failed", code: name, correlationId: requestId }),
        () => undefined,
      );
    }
    return problemResponse(cause, requestId);
  }
}

/** Returns what answers every other method of an address (RFC 9110, 15.5.6). */
export function onlyMethods(...allowed: readonly string[]): () => Response {
  return () => {
    const headers = { allow: allowed.join(", "), "cache-control": "no-store", "x-request-id": randomUUID() };
    return new Response(null, { status: 405, headers });
  };
}

/** Answers a request for an address that the contract does not have. */
export function nothingHere(): Response {
  const requestId = randomUUID();
  const response = problemResponse(new PacketFailure("not_found"), requestId);
  response.headers.set("x-request-id", requestId);
  return response;
}
