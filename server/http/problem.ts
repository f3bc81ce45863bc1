import { FAILURES, type FailureCode, type Finding, PacketFailure } from "@/server/domain/failure";

/** A failure as a program reads it (RFC 9457): ours are told apart by `code`; `errors` point into what was sent (RFC 6901). */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: FailureCode;
  readonly requestId: string;
  readonly retryAfter?: number;
  readonly errors?: readonly { readonly pointer: string; readonly code: string; readonly detail: string }[];
}

export const PROBLEM_TYPE = "application/problem+json";

/** Returns the problem that `error` is; whatever is not an expected failure is `internal`, and nothing of it is said. */
export function problemOf(error: unknown, requestId: string, at: readonly (string | number)[] = []): ProblemBody {
  const failure = error instanceof PacketFailure ? error : new PacketFailure("internal");
  const { code, findings } = failure;
  const { http, publicMessage } = FAILURES[code];
  const retryAfterSeconds = failure.retryAfterSeconds ?? (MENDED_BY_WAITING.has(http) ? RETRY_SECONDS : undefined);
  return {
    type: `urn:bindery:problem:${code}`,
    title: code === "internal" ? "Something went wrong on our side. Send the same request again." : publicMessage,
    status: http,
    code,
    requestId,
    ...(retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds }),
    ...(findings.length === 0 ? {} : { errors: findings.slice(0, ERRORS_MAX).map((finding) => errorOf(finding, at)) }),
  };
}

/** Returns the whole answer for a request that failed. */
export function problemResponse(error: unknown, requestId: string): Response {
  const isAboutPayload = error instanceof PacketFailure && error.code !== "invalid_request";
  const problem = problemOf(error, requestId, isAboutPayload ? ["payload"] : []);
  const headers = new Headers({ "content-type": PROBLEM_TYPE, "cache-control": "no-store" });
  if (problem.retryAfter !== undefined) headers.set("retry-after", String(problem.retryAfter));
  if (problem.status === 401) headers.set("www-authenticate", 'Bearer realm="bindery"');
  return new Response(JSON.stringify(problem), { status: problem.status, headers });
}

const ERRORS_MAX = 200;

/** Statuses that always say when to ask again, also where nobody knows a better time (RFC 9110, 15.6.4; RFC 6585, 4). */
const MENDED_BY_WAITING: ReadonlySet<number> = new Set([429, 503]);
const RETRY_SECONDS = 5;

/** A finding about the request itself names its field from the root; all others are about the payload. */
function errorOf(finding: Finding, at: readonly (string | number)[]) {
  const isOwnField = finding.path[0] === "audience" && finding.code === "unknown_audience";
  const path = isOwnField ? [...at.slice(0, -1), ...finding.path] : [...at, ...finding.path];
  return { pointer: pointerOf(path), code: finding.code, detail: finding.message };
}

function pointerOf(path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
