import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Waiting } from "./poll";

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

export type Step = (request: Seen, response: ServerResponse) => void;

/** A real server that does to each request what the next step says; the last step goes on for ever. */
export async function openTestServer(...steps: Step[]) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", url = "", headers } = request;
    seen.push({ method, url, headers, body: Buffer.concat(chunks) });
    const step = steps[Math.min(seen.length, steps.length) - 1];
    step?.({ method, url, headers, body: Buffer.concat(chunks) }, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    seen,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Answers with JSON. */
export function answering(status: number, body: unknown, headers: Record<string, string> = {}): Step {
  return (_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };
}

/** Answers with a problem, as the service does. */
export function refusing(status: number, code: string, headers: Record<string, string> = {}): Step {
  return answering(status, { title: "No.", status, code, requestId: "r-1" }, headers);
}

/** Resets the connection without a word. */
export const resetting: Step = (_, response) => void response.socket?.resetAndDestroy();

/** Begins an answer, and resets the connection once the other side has had the time to see that it began. */
export const breakingOff: Step = (_, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
  response.write('{"id":');
  setTimeout(() => response.socket?.resetAndDestroy(), 20);
};

/** Never answers. */
export const silent: Step = () => undefined;

/** A clock that stands still but for the waits that are asked of it, and writes them down. */
export function fakeWaiting(random = () => 1): Waiting & { readonly waits: number[] } {
  const waits: number[] = [];
  let now = 0;
  return {
    waits,
    now: () => now,
    random,
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      waits.push(ms);
      now += ms;
    },
  };
}
