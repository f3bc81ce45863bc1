import { BinderyFailure } from "./bindery-failure";
import type { Problem } from "./contract";
import type { Waiting } from "./poll";
import { requestMs, waitMs } from "./poll-schedule";

export interface Sender {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
  readonly waiting: Waiting;
}

export interface Sending {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below the base URL, or an address that the service gave. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Made anew for each try: a stream that was begun cannot be sent twice. */
  readonly body?: () => BodyInit;
  /** How long one try may take; five seconds where nothing is said. */
  readonly timeoutMs?: number;
  /** True where the body is handed on as it comes. Any other answer counts only once it is here whole. */
  readonly isStreamed?: boolean;
  /** How long to go on trying. One absolute deadline; nothing extends it. */
  readonly patienceMs: number;
  readonly signal: AbortSignal;
}

/** Answers after which the same request may be sent again: it was not taken, or nobody can tell whether it was. */
const AGAIN = new Set([429, 500, 502, 503, 504]);

/**
 * Sends a request until it is answered or the patience is over. A connection that is reset, also half way through the answer, a try that
 * takes too long, and answers that ask for it are tried again after a capped, jittered wait, never sooner than the service says; any other
 * answer is final. Only requests
 * that mean the same however often they come may be sent with it. Throws a BinderyFailure.
 */
export async function send(sender: Sender, sending: Sending): Promise<Response> {
  const { waiting } = sender;
  const { patienceMs, signal } = sending;
  const startedAt = waiting.now();
  for (let readings = 1; ; readings += 1) {
    signal.throwIfAborted();
    const remainingMs = patienceMs - (waiting.now() - startedAt);
    const tried = await once(sender, sending, Math.min(sending.timeoutMs ?? requestMs(remainingMs), remainingMs));
    if (tried instanceof Response && !AGAIN.has(tried.status)) return accepted(tried);
    const failure = tried instanceof Response ? await refusalOf(tried) : tried;
    const { retryAfterMs } = failure;
    const leftMs = patienceMs - (waiting.now() - startedAt);
    // A wait that would end past the deadline is not begun.
    if (leftMs <= 0 || (retryAfterMs ?? 0) >= leftMs) throw failure;
    await waiting.sleep(waitMs({ readings, remainingMs: leftMs, retryAfterMs, random: waiting.random() }), signal);
    if (patienceMs - (waiting.now() - startedAt) <= 0) throw failure;
  }
}

/** Sends a request once. Throws a BinderyFailure: `refused` where asking again would not help, `unreachable` where it may. */
export async function sendOnce(sender: Sender, sending: Omit<Sending, "patienceMs">): Promise<Response> {
  const tried = await once(sender, sending, sending.timeoutMs ?? requestMs(Number.POSITIVE_INFINITY));
  if (!(tried instanceof Response)) throw tried;
  if (!AGAIN.has(tried.status)) return accepted(tried);
  const failure = await refusalOf(tried);
  throw new BinderyFailure("unreachable", failure.code, failure);
}

/** One try; a BinderyFailure where no answer came. Rejects only for the caller's own abort. */
async function once(
  sender: Sender,
  sending: Omit<Sending, "patienceMs">,
  timeoutMs: number,
): Promise<Response | BinderyFailure> {
  const { method, path, headers, body, signal } = sending;
  const stop = AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)))]);
  const made = body?.();
  const isStream = typeof made === "object" && made instanceof ReadableStream;
  const all = new Headers({ accept: "application/json", authorization: `Bearer ${sender.apiKey}`, ...headers });
  // A link carries its own right: the key has no business there.
  if (all.get("authorization") === "") all.delete("authorization");
  try {
    const response = await sender.fetch(new URL(path, `${sender.baseUrl}/`), {
      method,
      headers: all,
      redirect: "error",
      signal: stop,
      ...(made === undefined ? {} : { body: made }),
      ...(isStream ? { duplex: "half" } : {}),
    } as RequestInit);
    return sending.isStreamed === true && response.ok ? response : await whole(response);
  } catch (cause) {
    signal.throwIfAborted();
    return new BinderyFailure("unreachable", "unreachable", { cause });
  }
}

/**
 * Reads an answer to its end. Rejects where it breaks off, and where one that says yes is not JSON: then something on the way spoke, not
 * the service, and nobody can tell whether the request was taken.
 */
async function whole(response: Response): Promise<Response> {
  const { status, headers, ok } = response;
  const text = await response.text();
  if (ok) JSON.parse(text);
  return new Response(text === "" ? null : text, { status, headers });
}

async function accepted(response: Response): Promise<Response> {
  if (response.ok || response.status === 304) return response;
  throw await refusalOf(response);
}

async function refusalOf(response: Response): Promise<BinderyFailure> {
  const problem = await response.json().then(problemIn, () => null);
  const { status, headers } = response;
  const circumstances = { problem, status, retryAfterMs: retryAfterOf(headers) };
  return new BinderyFailure(
    status >= 500 ? "unreachable" : "refused",
    problem?.code ?? `http_${status}`,
    circumstances,
  );
}

function problemIn(body: unknown): Problem | null {
  const code: unknown = Reflect.get(Object(body), "code");
  return typeof code === "string" ? (body as Problem) : null;
}

/** Returns what `Retry-After` asks for in milliseconds (seconds only, as the service says it), or null. */
export function retryAfterOf(headers: Headers): number | null {
  const seconds = headers.get("retry-after");
  return seconds !== null && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1_000 : null;
}
