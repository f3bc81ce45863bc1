import { randomUUID } from "node:crypto";
import { FAILURES, type FailureCode, PacketFailure } from "@/server/domain/failure";
import { isFromOwnPage } from "@/server/http/own-origin";
import { receiveUpload } from "@/server/services/sources/receive-upload";
import { findSession } from "../../_web/session";
import { web } from "../../_web/web";

/**
 * Takes one file in as the body of the request and streams it to the sources; it is never held in memory. `x-bindery-title` is its name,
 * percent-encoded; `x-bindery-purpose` what it is for. Answers with its id, or with a code and plain words. [CASE-44]
 */
export async function POST(request: Request): Promise<Response> {
  const correlationId = randomUUID();
  try {
    if (!isFromOwnPage(request.headers)) throw new PacketFailure("not_found");
    const session = await findSession();
    if (session === null) throw new PacketFailure("unauthenticated");
    if (request.body === null) throw new PacketFailure("source_empty");
    const received = await receiveUpload(await web(), session.actor, {
      bytes: request.body,
      declaredBytes: declaredBytes(request.headers),
      title: decoded(request.headers.get("x-bindery-title")),
      purpose: request.headers.get("x-bindery-purpose") ?? "",
      correlationId,
    });
    return Response.json(received, { status: 201, headers: answerHeaders(correlationId) });
  } catch (error) {
    return refusal(error, request, correlationId);
  }
}

async function refusal(error: unknown, request: Request, correlationId: string): Promise<Response> {
  const otherwise: FailureCode = request.signal.aborted ? "source_incomplete" : "internal";
  const code: FailureCode = error instanceof PacketFailure ? error.code : otherwise;
  if (code === "internal") (await web()).log.error({ event: "upload_failed", code: "internal", correlationId });
  const { http, publicMessage } = FAILURES[code];
  return Response.json({ code, message: publicMessage }, { status: http, headers: answerHeaders(correlationId) });
}

function answerHeaders(correlationId: string): Record<string, string> {
  return { "cache-control": "no-store", "x-correlation-id": correlationId };
}

function declaredBytes(headers: Headers): number | null {
  const length = headers.get("content-length");
  return length !== null && /^\d{1,15}$/.test(length) ? Number(length) : null;
}

function decoded(title: string | null): string {
  try {
    return decodeURIComponent(title ?? "");
  } catch {
    // Not percent-encoded after all: it is only shown, so it is taken as it stands.
    return title ?? "";
  }
}
