import { PacketFailure } from "@/server/domain/failure";
import { conditionalJson } from "@/server/http/conditional";
import { readSources } from "@/server/services/sources/read-sources";
import { machineRoute, onlyMethods } from "../../../../_web/machine-route";

interface Params {
  readonly sourceId: string;
}

/** What the inspection of an upload has found so far. */
const read = machineRoute<Params>("packets:read", async ({ request, params, services, actor }) => {
  const [source] = await readSources(services, actor, [params.sourceId]);
  if (source === undefined) throw new PacketFailure("not_found");
  const { sourceId: id, title: _, ...rest } = source;
  return conditionalJson(request, { id, ...rest }, source.state === "inspecting" ? { "retry-after": "1" } : {});
});

const others = onlyMethods("GET", "HEAD");

export {
  others as DELETE,
  others as OPTIONS,
  others as PATCH,
  others as POST,
  others as PUT,
  read as GET,
  read as HEAD,
};
