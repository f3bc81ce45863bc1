import { subscribe } from "node:diagnostics_channel";
import type { ServerResponse } from "node:http";
import { LENGTH_HEADER } from "@/server/http/serve-bytes";

/**
 * Makes routes able to say how long their body is. Next drops `Content-Length` from every route's answer, because a body that it fetched
 * and unpacked would no longer fit it. Without it a browser shows no progress, and a client cannot tell that a file was cut short. Node
 * hands us each response before Next sees it; the length travels under a name of ours and becomes the real header there.
 */
export function keepBodyLengths(): void {
  subscribe("http.server.request.start", (message) => {
    const response: ServerResponse = Reflect.get(Object(message), "response");
    const setHeader = response.setHeader;
    response.setHeader = (name, value) =>
      setHeader.call(response, name.toLowerCase() === LENGTH_HEADER ? "content-length" : name, value) as ServerResponse;
  });
}
