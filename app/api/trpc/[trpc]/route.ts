import { randomUUID } from "node:crypto";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { appRouter } from "@/server/api/root";
import { isFromOwnPage } from "@/server/http/own-origin";
import { findSession } from "../../../_web/session";
import { web } from "../../../_web/web";

/** The API of our own pages. Each request has a correlation id, which the answer names. */
async function handle(request: Request): Promise<Response> {
  if (request.method !== "GET" && !isFromOwnPage(request.headers)) return new Response(null, { status: 403 });
  const services = await web();
  const correlationId = randomUUID();
  const response = await fetchRequestHandler({
    endpoint: "/api/trpc",
    req: request,
    router: appRouter,
    maxBatchSize: 10,
    createContext: async () => ({ services, session: await findSession(), correlationId, log: services.log }),
  });
  response.headers.set("x-correlation-id", correlationId);
  response.headers.set("cache-control", "no-store");
  return response;
}

export { handle as GET, handle as POST };
