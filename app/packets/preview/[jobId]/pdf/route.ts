import { PacketFailure } from "@/server/domain/failure";
import { parseId } from "@/server/domain/ids";
import { dispositionOf } from "@/server/http/file-name";
import { problemPage } from "@/server/http/problem-page";
import { serveBytes } from "@/server/http/serve-bytes";
import { openPreview } from "@/server/services/packets/read-preview";
import { findSession } from "../../../../_web/session";
import { web } from "../../../../_web/web";

interface RouteContext {
  readonly params: Promise<{ readonly jobId: string }>;
}

/** The bytes of a preview, for the person who asked for it and while it lives. */
async function view(request: Request, context: RouteContext): Promise<Response> {
  const jobId = parseId("job", (await context.params).jobId);
  try {
    const services = await web();
    const session = await findSession();
    if (session === null) throw new PacketFailure("unauthenticated");
    if (jobId === null) throw new PacketFailure("not_found");
    const preview = await openPreview(services, session.actor, jobId);
    return await serveBytes(request, {
      bytes: preview.bytes,
      mediaType: "application/pdf",
      entityTag: null,
      disposition: dispositionOf("inline", "Preview, not for the record"),
      open: (range) => services.previews.open(preview.key, range),
    });
  } catch (error) {
    return problemPage(error, { href: "/", words: "Go to your packets" });
  }
}

export { view as GET, view as HEAD };
