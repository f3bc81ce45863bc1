import { PacketFailure } from "@/server/domain/failure";
import { parseId } from "@/server/domain/ids";
import { conditionalJson } from "@/server/http/conditional";
import { cancelPacket } from "@/server/services/packets/cancel-packet";
import { readPacketStatus } from "@/server/services/packets/read-packet-status";
import { machineRoute, onlyMethods } from "../../../../_web/machine-route";

interface Params {
  readonly jobId: string;
}

/** How far a packet is: the same small fields always, 304 where nothing changed. [C336,C354,C355,C358] */
const read = machineRoute<Params>("packets:read", async ({ request, params, services, actor }) => {
  const { status, retryAfterSeconds } = await readPacketStatus(services, actor, jobIdOf(params));
  return conditionalJson(
    request,
    status,
    retryAfterSeconds === null ? {} : { "retry-after": String(retryAfterSeconds) },
  );
});

/** Stops a packet that is not yet published; answers with how it stands. To ask again is no fault. */
export const DELETE = machineRoute<Params>("packets:write", async ({ params, services, actor }) => {
  const jobId = jobIdOf(params);
  const { cancelled } = await cancelPacket(services, actor, jobId);
  const { status } = await readPacketStatus(services, { ...actor, permissions: ["packets:read"] }, jobId);
  if (!cancelled && status.failure?.code !== "cancelled") throw new PacketFailure("too_late_to_cancel");
  return Response.json(status, { headers: { "cache-control": "no-store" } });
});

function jobIdOf({ jobId }: Params) {
  const id = parseId("job", jobId);
  if (id === null) throw new PacketFailure("not_found");
  return id;
}

const others = onlyMethods("GET", "HEAD", "DELETE");

export { others as OPTIONS, others as PATCH, others as POST, others as PUT, read as GET, read as HEAD };
