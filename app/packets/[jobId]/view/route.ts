import { PacketFailure } from "@/server/domain/failure";
import { parseId } from "@/server/domain/ids";
import { dispositionOf } from "@/server/http/file-name";
import { problemPage } from "@/server/http/problem-page";
import { beginsAtFirstByte, serveBytes } from "@/server/http/serve-bytes";
import { openArtifact } from "@/server/services/packets/open-artifact";
import { findSession } from "../../../_web/session";
import { web } from "../../../_web/web";

interface RouteContext {
  readonly params: Promise<{ readonly jobId: string }>;
}

/** The bytes of a finished packet for the viewer on its page, whole or in ranges. Needs the live session; no link is involved. */
async function view(request: Request, context: RouteContext): Promise<Response> {
  const jobId = parseId("job", (await context.params).jobId);
  try {
    const services = await web();
    const session = await findSession();
    if (session === null) throw new PacketFailure("unauthenticated");
    if (jobId === null) throw new PacketFailure("not_found");
    const artifact = await openArtifact(services, session.actor, { jobId, isFirstByte: beginsAtFirstByte(request) });
    return await serveBytes(request, {
      bytes: artifact.bytes,
      mediaType: artifact.mediaType,
      entityTag: artifact.digest,
      disposition: dispositionOf("inline", artifact.subject),
      open: (range) => services.archive.open(artifact.archiveKey, range),
    });
  } catch (error) {
    return problemPage(error, { href: "/", words: "Go to your packets" });
  }
}

export { view as GET, view as HEAD };
