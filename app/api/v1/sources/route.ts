import { PacketFailure } from "@/server/domain/failure";
import { declaredDigest } from "@/server/http/content-digest";
import { receiveUpload } from "@/server/services/sources/receive-upload";
import { machineRoute, onlyMethods } from "../../../_web/machine-route";

/**
 * Takes one file in as the body, streamed to the store and never held in memory: the ceiling is kept while it arrives, and a declared
 * length or digest must be what came. `purpose` is `pages`, or `<kind>/<table>` for a CSV file. [C62,C81,C107]
 */
export const POST = machineRoute("sources:write", async ({ request, services, actor, requestId }) => {
  const { headers } = request;
  if (request.body === null) throw new PacketFailure("source_empty");
  const length = headers.get("content-length");
  const received = await receiveUpload(services, actor, {
    bytes: request.body,
    declaredBytes: length !== null && /^\d{1,15}$/.test(length) ? Number(length) : null,
    declaredDigest: declaredDigest(headers),
    title: decoded(headers.get("bindery-title")),
    purpose: new URL(request.url).searchParams.get("purpose") ?? "pages",
    correlationId: requestId,
  });
  const { sourceId: id, bytes, digest } = received;
  const statusUrl = `${services.baseUrl}/api/v1/sources/${id}`;
  const receipt = { id, state: "inspecting", bytes, digest, statusUrl };
  const answer = { location: statusUrl, "retry-after": "1", "cache-control": "no-store" };
  return Response.json(receipt, { status: 202, headers: answer });
});

/** A header holds no letters beyond Latin-1, so a title comes percent-encoded; one that is not is taken as it stands. */
function decoded(title: string | null): string {
  try {
    return decodeURIComponent(title ?? "");
  } catch {
    return title ?? "";
  }
}

const others = onlyMethods("POST");

export { others as DELETE, others as GET, others as OPTIONS, others as PATCH, others as PUT };
