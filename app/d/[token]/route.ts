import { randomUUID } from "node:crypto";
import { PacketFailure } from "@/server/domain/failure";
import { dispositionOf } from "@/server/http/file-name";
import { signInPath } from "@/server/http/own-path";
import { problemResponse } from "@/server/http/problem";
import { problemPage } from "@/server/http/problem-page";
import { beginsAtFirstByte, serveBytes } from "@/server/http/serve-bytes";
import { redeemDownloadLink } from "@/server/services/links/redeem-download-link";
import { findSession } from "../../_web/session";
import { web } from "../../_web/web";

interface RouteContext {
  readonly params: Promise<{ readonly token: string }>;
}

/**
 * The bytes behind a download link, for the person it was issued to, or for whoever holds a link that was given to a program. Asking for
 * them uses nothing up: a scanner that looks first, and a viewer that asks in ranges, do no harm. [CASE-40,CASE-41]
 */
async function redeem(request: Request, context: RouteContext): Promise<Response> {
  const { token } = await context.params;
  try {
    const services = await web();
    const session = await findSession();
    const isFirstByte = beginsAtFirstByte(request);
    const link = await redeemDownloadLink(services, session?.actor ?? null, { token, isFirstByte });
    return await serveBytes(request, {
      bytes: link.bytes,
      mediaType: link.mediaType,
      entityTag: link.digest,
      disposition: dispositionOf("attachment", link.subject),
      open: (range) => services.archive.open(link.archiveKey, range),
    });
  } catch (error) {
    if (!(error instanceof PacketFailure)) (await web()).log.error({ event: "download_failed", code: nameOf(error) });
    const isUnknown = error instanceof PacketFailure && error.code === "unauthenticated";
    // A program cannot sign in: to it, a link that is not for whoever holds it does not work.
    if (readsProblems(request))
      return problemResponse(isUnknown ? new PacketFailure("link_invalid") : error, randomUUID());
    if (isUnknown) return toSignIn(token);
    return problemPage(error, { href: "/", words: "Go to your packets and ask for a new link" });
  }
}

export { redeem as GET, redeem as HEAD };

/** Relative, because the address that people use may not be the one this process hears. */
function toSignIn(token: string): Response {
  return new Response(null, {
    status: 303,
    headers: { location: signInPath(`/d/${token}`), "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });
}

/** True for a program, which asks for JSON where there is no file; browsers and mail scanners do not. */
function readsProblems(request: Request): boolean {
  return /\bjson\b/i.test(request.headers.get("accept") ?? "");
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "unknown";
}
