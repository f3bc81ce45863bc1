import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import * as links from "./packets/[jobId]/links/route";
import * as one from "./packets/[jobId]/route";
import * as batch from "./packets/batch/route";
import * as packets from "./packets/route";

interface Route {
  readonly pattern: RegExp;
  readonly handlers: Readonly<Record<string, unknown>>;
}

const ROUTES: readonly Route[] = [
  { pattern: /^\/api\/v1\/packets$/, handlers: packets },
  { pattern: /^\/api\/v1\/packets\/batch$/, handlers: batch },
  { pattern: /^\/api\/v1\/packets\/(?<jobId>[^/]+)$/, handlers: one },
  { pattern: /^\/api\/v1\/packets\/(?<jobId>[^/]+)\/links$/, handlers: links },
];

/**
 * Serves the real routes over HTTP, without the pages around them. `before` sees each request and may end it without an answer, as a
 * connection that breaks would.
 */
export async function openMachineServer(
  before: (method: string, answered: () => Promise<Response>) => Promise<Response | null>,
) {
  const server = createServer(async (incoming, outgoing) => {
    const { method = "GET" } = incoming;
    const answer = await before(method, () => route(incoming));
    if (answer === null) return void outgoing.socket?.resetAndDestroy();
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    outgoing.end(Buffer.from(await answer.arrayBuffer()));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function route(incoming: IncomingMessage): Promise<Response> {
  const { method = "GET", url = "/" } = incoming;
  const address = new URL(url, "http://127.0.0.1");
  for (const { pattern, handlers } of ROUTES) {
    const match = pattern.exec(address.pathname);
    const handler = match === null ? undefined : Reflect.get(handlers, method);
    if (typeof handler !== "function") continue;
    const body = method === "GET" ? {} : { body: Readable.toWeb(incoming) as NodeStream, duplex: "half" };
    const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const request = new Request(address, { method, headers, ...body } as RequestInit);
    return handler(request, { params: Promise.resolve({ ...match?.groups }) });
  }
  return new Response(null, { status: 404 });
}
