import dgram from "node:dgram";
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

/**
 * Takes the network from this process, whatever the system allows it. Where a child has no network namespace of its own this is all
 * that stands in the way, so it comes before any other module. [C279]
 */
function refuse(): never {
  throw new Error("A renderer has no network.");
}

for (const name of ["fetch", "WebSocket", "EventSource"]) Reflect.deleteProperty(globalThis, name);
net.Socket.prototype.connect = refuse;
net.Server.prototype.listen = refuse;
dgram.Socket.prototype.bind = refuse;
dgram.Socket.prototype.send = refuse;
dgram.Socket.prototype.connect = refuse;
for (const module of [dns, dns.promises]) {
  const names = Object.keys(module).filter((name) => /^(lookup|resolve|reverse)/.test(name));
  for (const name of names) Reflect.set(module, name, refuse);
}
syncBuiltinESMExports();
