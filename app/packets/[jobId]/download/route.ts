import { randomUUID } from "node:crypto";
import { PacketFailure } from "@/server/domain/failure";
import { parseId } from "@/server/domain/ids";
import { isFromOwnPage } from "@/server/http/own-origin";
import { signInPath } from "@/server/http/own-path";
import { problemPage } from "@/server/http/problem-page";
import { issueDownloadLink } from "@/server/services/links/issue-download-link";
import { findSession } from "../../../_web/session";
import { web } from "../../../_web/web";

interface RouteContext {
  readonly params: Promise<{ readonly jobId: string }>;
}

/**
 * Issues a download link and leads to it. The target of a plain form, so that a click navigates at once, in every browser and in the
 * windows of mail programs, without a script. [CASE-43]
 */
export async function POST(request: Request, context: RouteContext): Promise<Response> {
  if (!isFromOwnPage(request.headers)) return new Response(null, { status: 403 });
  const { jobId: given } = await context.params;
  const jobId = parseId("job", given);
  try {
    const session = await findSession();
    if (session === null) return leadTo(signInPath("/"));
    if (jobId === null) throw new PacketFailure("not_found");
    const link = await issueDownloadLink(await web(), session.actor, { jobId, correlationId: randomUUID() });
    return leadTo(link.path);
  } catch (error) {
    return problemPage(error, { href: "/", words: "Go to your packets" });
  }
}

function leadTo(path: string): Response {
  return new Response(null, {
    status: 303,
    headers: { location: path, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });
}
