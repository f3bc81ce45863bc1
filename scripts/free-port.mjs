// @ts-check
import { once } from "node:events";
import { createServer } from "node:net";

/** Returns a port of the loopback interface that nothing listens on at this moment. */
export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port for the loopback interface");
  return address.port;
}
