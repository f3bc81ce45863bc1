import { BinderyFailure } from "./bindery-failure";
import { checkedBytes, wholeHash } from "./checked-bytes";
import type { Filter, ItemResult, Receipt, Source, Status, Submission } from "./contract";
import { poll, type Reading, type Waiting } from "./poll";
import { PATIENCE_MS } from "./poll-schedule";
import { retryAfterOf, type Sender, type Sending, send, sendOnce } from "./send";
import { realWaiting } from "./waiting";

export interface ClientOptions {
  /** Where Bindery answers, such as `https://bindery.example.org`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** How long one call goes on trying; 90 seconds where nothing is said. */
  readonly patienceMs?: number;
  readonly fetch?: typeof fetch;
  readonly waiting?: Waiting;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly patienceMs?: number;
}

/** The hash of a platform, hex at the end; Node's is faster than what browsers have. */
export type MakeHash = () => { update(chunk: Uint8Array): void; digest(): Promise<string> | string };

export type Client = ReturnType<typeof openClient>;

/** Items and characters of one call; more are sent in several. The service takes 32 MiB, and a character has up to four bytes. */
const BATCH_ITEMS_MAX = 1_000;
const BATCH_CHARACTERS_MAX = 7_000_000;
/** How long a file may take on its way, up or down, where nothing is said. */
const BYTES_MS_MAX = 15 * 60_000;

/** Returns a client for one API key. Every call may be repeated without harm, and is where that helps. */
export function openClient(options: ClientOptions) {
  const sender: Sender = {
    baseUrl: options.baseUrl.replace(/\/$/, ""),
    apiKey: options.apiKey,
    fetch: options.fetch ?? fetch,
    waiting: options.waiting ?? realWaiting,
  };
  const ask = (sending: Omit<Sending, "patienceMs" | "signal">, call: CallOptions = {}) =>
    send(sender, {
      ...sending,
      patienceMs: call.patienceMs ?? options.patienceMs ?? PATIENCE_MS,
      signal: call.signal ?? new AbortController().signal,
    });
  const json = async <Body>(answer: Promise<Response>): Promise<Body> => (await answer).json();
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) => ({
    method: "POST" as const,
    path,
    headers: { "content-type": "application/json", ...headers },
    body: () => JSON.stringify(body),
  });

  const client = {
    /** Submits a packet. Sent again as often as it takes, under the same key: one packet, whatever happens on the way. */
    submit: ({ idempotencyKey, ...submission }: Submission, call?: CallOptions): Promise<Receipt> =>
      json(ask(post("api/v1/packets", submission, { "idempotency-key": idempotencyKey }), call)),

    /** Submits many; one result per item, in their order. */
    submitBatch: async (items: readonly Submission[], call?: CallOptions): Promise<ItemResult[]> => {
      const results: ItemResult[] = [];
      for (const part of callsOf(items)) {
        const sending = { ...post("api/v1/packets/batch", { items: part }), timeoutMs: 60_000 };
        results.push(...(await json<{ results: ItemResult[] }>(ask(sending, call))).results);
      }
      return results;
    },

    /** Uploads a file and waits for what was found in it. `digest` is its SHA-256 in base64, where it is known. */
    upload: async (
      file: {
        readonly body: () => BodyInit;
        readonly title: string;
        readonly purpose?: string;
        readonly digest?: string;
      },
      call?: CallOptions,
    ): Promise<Source> => {
      const { id } = await json<{ id: string }>(
        ask(
          {
            method: "POST",
            path: `api/v1/sources?purpose=${encodeURIComponent(file.purpose ?? "pages")}`,
            headers: {
              "content-type": "application/octet-stream",
              "bindery-title": encodeURIComponent(file.title),
              ...(file.digest === undefined ? {} : { "content-digest": `sha-256=:${file.digest}:` }),
            },
            body: file.body,
            timeoutMs: BYTES_MS_MAX,
          },
          { ...call, patienceMs: call?.patienceMs ?? BYTES_MS_MAX },
        ),
      );
      return waited<Source>(`api/v1/sources/${id}`, ({ state }) => state !== "inspecting", call);
    },

    /** Asks once how far a packet is. */
    readStatus: (id: string, call?: CallOptions): Promise<Status> =>
      json(ask({ method: "GET", path: `api/v1/packets/${id}` }, call)),

    /**
     * Waits until a packet has succeeded or failed: capped, jittered waits, five seconds for one read, one absolute deadline. A packet that
     * failed is an answer, not an error; a status that cannot be read is asked for again. Throws `deadline` where it is still being made.
     */
    waitFor: (id: string, call?: CallOptions): Promise<Status> =>
      waited<Status>(`api/v1/packets/${id}`, ({ state }) => state === "succeeded" || state === "failed", call),

    /** Goes through the packets, newest first. */
    async *list(filter: Filter = {}, call?: CallOptions): AsyncGenerator<Status> {
      const first = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== undefined));
      let next: string | null = `api/v1/packets?${first}`;
      while (next !== null) {
        const page: { packets: Status[]; next: string | null } = await json(ask({ method: "GET", path: next }, call));
        yield* page.packets;
        // The service names itself by the address it was configured with, which may not be the one we reach it by.
        next = page.next === null ? null : `api/v1/packets${new URL(page.next).search}`;
      }
    },

    /** Stops a packet that is not yet published. */
    cancel: (id: string, call?: CallOptions): Promise<Status> =>
      json(ask({ method: "DELETE", path: `api/v1/packets/${id}` }, call)),

    /** Streams the archived PDF. It ends well only if length and SHA-256 are those of the record: keep nothing of it before that. */
    download: async (
      id: string,
      call: CallOptions & { readonly hash?: MakeHash } = {},
    ): Promise<{ stream: ReadableStream<Uint8Array>; bytes: number; digest: string }> => {
      const { artifact, state } = await client.readStatus(id, call);
      if (artifact === null) throw new BinderyFailure("refused", state === "failed" ? "failed" : "not_ready");
      const link = await json<{ url: string }>(ask({ method: "POST", path: `api/v1/packets/${id}/links` }, call));
      const { pathname } = new URL(link.url);
      const accept = { accept: "application/pdf", authorization: "" };
      const answer = await ask(
        { method: "GET", path: pathname.slice(1), headers: accept, timeoutMs: BYTES_MS_MAX, isStreamed: true },
        { ...call, patienceMs: call.patienceMs ?? BYTES_MS_MAX },
      );
      if (answer.body === null) throw new BinderyFailure("corrupt", "corrupt");
      const { bytes, digest } = artifact;
      return { stream: checkedBytes(answer.body, artifact, (call.hash ?? wholeHash)()), bytes, digest };
    },
  };

  async function waited<Body>(
    path: string,
    isTerminal: (body: Body) => boolean,
    call: CallOptions = {},
  ): Promise<Body> {
    const { signal = new AbortController().signal, patienceMs = options.patienceMs ?? PATIENCE_MS } = call;
    let held: { readonly tag: string; readonly body: Body } | null = null;
    const read = async (timeoutMs: number): Promise<Reading<Body>> => {
      try {
        const headers = held === null || held.tag === "" ? {} : { "if-none-match": held.tag };
        // Once: the polling itself decides about the next.
        const response: Response = await sendOnce(sender, { method: "GET", path, headers, timeoutMs, signal });
        const retryAfterMs = retryAfterOf(response.headers);
        const body: Body = response.status === 304 && held !== null ? held.body : await response.json();
        held = { tag: response.headers.get("etag") ?? "", body };
        return { type: "read", status: body, isTerminal: isTerminal(body), retryAfterMs };
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof BinderyFailure) || error.reason === "refused") return { type: "refused", error };
        return { type: "unreadable", retryAfterMs: error.retryAfterMs };
      }
    };
    const end = await poll<Body>({ patienceMs, waiting: sender.waiting, signal, read });
    if (end.type === "terminal") return end.status;
    if (end.type === "refused") throw end.error;
    throw new BinderyFailure("deadline", end.lastStatus === null ? "unreachable" : "deadline");
  }

  return client;
}

/** Returns the items in as few calls as they fit into, in their order. */
function callsOf(items: readonly Submission[]): Submission[][] {
  const calls: Submission[][] = [];
  let characters = 0;
  for (const item of items) {
    const length = JSON.stringify(item).length;
    const last = calls.at(-1);
    const fits = last !== undefined && last.length < BATCH_ITEMS_MAX && characters + length <= BATCH_CHARACTERS_MAX;
    characters = fits ? characters + length : length;
    if (fits) last.push(item);
    else calls.push([item]);
  }
  return calls;
}
