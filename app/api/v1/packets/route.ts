import { PacketFailure } from "@/server/domain/failure";
import { formatCursor, parseCursor } from "@/server/http/cursor";
import { readJson } from "@/server/http/json-body";
import { PacketSubmission, StatusQuery, SUBMISSION_BYTES_MAX } from "@/server/http/machine-schemas";
import { listPacketStatuses } from "@/server/services/packets/list-packet-statuses";
import { submitPacket } from "@/server/services/packets/submit-packet";
import { machineRoute, onlyMethods } from "../../../_web/machine-route";
import { receiptOf } from "./receipt";

/** Accepts a packet and answers at once with where to ask for it; the work is done elsewhere. [C56,C61,C75,C76] */
export const POST = machineRoute("packets:write", async ({ request, services, actor, requestId }) => {
  const idempotencyKey = request.headers.get("idempotency-key");
  if (idempotencyKey === null) throw new PacketFailure("idempotency_key_missing");
  const submission = await readJson(request, PacketSubmission, SUBMISSION_BYTES_MAX);
  const submitted = await submitPacket(services, actor, { ...submission, idempotencyKey, correlationId: requestId });
  const receipt = receiptOf(services.baseUrl, submitted);
  const headers = { location: receipt.statusUrl, "retry-after": "1", "idempotency-replayed": String(receipt.replayed) };
  return Response.json(receipt, { status: 202, headers: { ...headers, "cache-control": "no-store" } });
});

/** Lists packets, newest first, a page at a time. */
export const GET = machineRoute("packets:read", async ({ request, services, actor }) => {
  const url = new URL(request.url);
  const query = StatusQuery.safeParse(Object.fromEntries(url.searchParams));
  if (!query.success) throw new PacketFailure("invalid_request");
  const { cursor, limit, ...filter } = query.data;
  const after = cursor === undefined ? null : parseCursor(cursor);
  const { packets, last } = await listPacketStatuses(services, actor, { ...filter, after, most: limit });
  const next = new URL(`${services.baseUrl}/api/v1/packets`);
  for (const [name, value] of url.searchParams) next.searchParams.set(name, value);
  if (last !== null) next.searchParams.set("cursor", formatCursor(last));
  const body = { packets, next: last === null ? null : next.href };
  return Response.json(body, { headers: { "cache-control": "private, no-store" } });
});

const others = onlyMethods("GET", "HEAD", "POST");

export { others as DELETE, others as OPTIONS, others as PATCH, others as PUT };
