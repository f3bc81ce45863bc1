import { parse } from "range-parser";

/** The length of a body under a name that reaches Node: see app/_web/body-length.ts. */
export const LENGTH_HEADER = "x-body-length";

export interface ServedBytes {
  readonly bytes: number;
  readonly mediaType: string;
  /** Names these very bytes, such as their digest; null where nothing may be remembered of them. */
  readonly entityTag: string | null;
  readonly disposition: string;
  open(range?: { readonly start: number; readonly end: number }): Promise<ReadableStream<Uint8Array>>;
}

/**
 * Answers a GET or HEAD with bytes: whole, one range of them (206, or 416 for nonsense), or "unchanged" (304). Several ranges at once are
 * answered with the whole, as RFC 9110, 14.2 allows. The answer is never stored, never sniffed, and can run nothing. [CASE-41]
 */
export async function serveBytes(request: Request, served: ServedBytes): Promise<Response> {
  const headers = headersOf(served);
  if (isUnchanged(request.headers, served.entityTag)) {
    return new Response(null, { status: 304, headers: without(headers, "content-type", "content-disposition") });
  }
  const range = rangeOf(request.headers, served);
  if (range === "unsatisfiable") {
    return new Response(null, {
      status: 416,
      headers: {
        ...without(headers, "content-type", "content-disposition"),
        "content-range": `bytes */${served.bytes}`,
      },
    });
  }
  const length = range === null ? served.bytes : range.end - range.start + 1;
  const answer = {
    status: range === null ? 200 : 206,
    headers: {
      ...headers,
      "content-length": String(length),
      [LENGTH_HEADER]: String(length),
      ...(range === null ? {} : { "content-range": `bytes ${range.start}-${range.end}/${served.bytes}` }),
    },
  };
  if (request.method === "HEAD") return new Response(null, answer);
  return new Response(await served.open(range ?? undefined), answer);
}

/** True where this request begins at the first byte of a file and will get it: what counts as a download. */
export function beginsAtFirstByte(request: Request): boolean {
  const range = request.headers.get("range");
  return request.method === "GET" && (range === null || /^bytes=0-/.test(range.trim()));
}

function headersOf(served: ServedBytes): Record<string, string> {
  return {
    "content-type": served.mediaType,
    "content-disposition": served.disposition,
    "accept-ranges": "bytes",
    "cache-control": "private, no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    ...(served.entityTag === null ? {} : { etag: `"${served.entityTag}"` }),
  };
}

function without(headers: Record<string, string>, ...names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

function isUnchanged(headers: Headers, entityTag: string | null): boolean {
  const known = headers.get("if-none-match");
  if (known === null || entityTag === null) return false;
  return known.trim() === "*" || known.split(",").some((tag) => tag.trim().replace(/^W\//, "") === `"${entityTag}"`);
}

function rangeOf(headers: Headers, served: ServedBytes): { start: number; end: number } | "unsatisfiable" | null {
  const asked = headers.get("range");
  if (asked === null || !asked.startsWith("bytes=")) return null;
  const condition = headers.get("if-range");
  if (condition !== null && condition.trim() !== `"${served.entityTag}"`) return null;
  if (asked.includes(",")) return null;
  const [range] = parse(served.bytes, asked).ranges;
  return range === undefined ? "unsatisfiable" : { start: range.start, end: range.end };
}
