import { PacketFailure } from "@/server/domain/failure";
import { parseId } from "@/server/domain/ids";
import { issueDownloadLink } from "@/server/services/links/issue-download-link";
import { machineRoute, onlyMethods } from "../../../../../_web/machine-route";

interface Params {
  readonly jobId: string;
}

/** Gives out a link to the archived PDF that works for minutes, for whoever holds it, and says so. [C364,C365] */
export const POST = machineRoute<Params>("links:issue", async ({ params, services, actor, requestId }) => {
  const jobId = parseId("job", params.jobId);
  if (jobId === null) throw new PacketFailure("not_found");
  const { path, expiresAt } = await issueDownloadLink(services, actor, { jobId, correlationId: requestId });
  const link = { url: `${services.baseUrl}${path}`, bearer: true, expiresAt: expiresAt.toISOString() };
  return Response.json(link, { status: 201, headers: { "cache-control": "no-store" } });
});

const others = onlyMethods("POST");

export { others as DELETE, others as GET, others as OPTIONS, others as PATCH, others as PUT };
