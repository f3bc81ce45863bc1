import { createHash } from "node:crypto";

/**
 * Answers a GET or HEAD with JSON under a strong entity tag, or 304 where the asker has these very bytes already (RFC 9110, 13.1.2). It is
 * never stored by anybody between. [C334,C357]
 */
export function conditionalJson(request: Request, body: unknown, headers: Record<string, string> = {}): Response {
  const text = JSON.stringify(body);
  const tag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 27)}"`;
  const all = { ...headers, etag: tag, "cache-control": "private, no-store" };
  if (isHeld(request.headers.get("if-none-match"), tag)) return new Response(null, { status: 304, headers: all });
  const answer = { status: 200, headers: { ...all, "content-type": "application/json" } };
  return new Response(request.method === "HEAD" ? null : text, answer);
}

function isHeld(header: string | null, tag: string): boolean {
  if (header === null) return false;
  return header.split(",").some((each) => ["*", tag, `W/${tag}`].includes(each.trim()));
}
