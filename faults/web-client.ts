import { request } from "node:http";

/** What a person's browser holds after signing in. It outlives the process that gave it. */
export interface WebClient {
  /** Submits by way of the pages' own door. Throws where there is no answer. */
  submit(
    base: string,
    request: { readonly kind: string; readonly payload: unknown },
  ): Promise<{ jobId: string; replayed: boolean }>;
  /** Sends all of the bytes and returns the upload's id; `onHalf` is called once half of them are on their way. */
  upload(base: string, bytes: Uint8Array, onHalf?: () => void): Promise<string>;
}

const PATIENCE_MS = 15_000;

/** Signs in at a web process, and from then on speaks to any. */
export async function signIn(base: string, email: string, password: string): Promise<WebClient> {
  const first = await fetch(`${base}/api/auth/csrf`);
  const { csrfToken } = Object(await first.json());
  const answer = await fetch(`${base}/api/auth/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded", cookie: cookiesOf(first) },
    body: new URLSearchParams({ csrfToken, email, password, json: "true" }),
  });
  const cookie = cookiesOf(answer);
  if (!cookie.includes("session-token")) throw new Error(`Signing in was answered with ${answer.status}.`);
  // Browsers say so of their own pages.
  const own = { cookie, "sec-fetch-site": "same-origin" };
  return {
    submit: async (to, { kind, payload }) => {
      const said = await fetch(`${to}/api/trpc/packets.submit`, {
        method: "POST",
        headers: { ...own, "content-type": "application/json" },
        body: JSON.stringify({ json: { kind, payload } }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const body: unknown = await said.json();
      const { jobId, replayed } = Object(Object(Object(Object(body).result).data).json);
      if (!said.ok || typeof jobId !== "string") throw new Error(`A submission was answered with ${said.status}.`);
      return { jobId, replayed: replayed === true };
    },
    upload: (to, bytes, onHalf) => upload(to, own, bytes, onHalf),
  };
}

function upload(
  base: string,
  own: Readonly<Record<string, string>>,
  bytes: Uint8Array,
  onHalf?: () => void,
): Promise<string> {
  const headers = {
    ...own,
    "content-type": "application/pdf",
    "content-length": bytes.byteLength,
    "x-bindery-title": "half.pdf",
    "x-bindery-purpose": "pages",
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${base}/api/uploads`, { method: "POST", headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      answer.on("end", () => {
        const id: unknown = Object(JSON.parse(text)).sourceId;
        if (typeof id === "string") resolve(id);
        else reject(new Error(`An upload was answered with ${answer.statusCode}.`));
      });
      answer.on("error", reject);
    });
    sent.on("error", reject);
    const half = Math.floor(bytes.byteLength / 2);
    sent.write(bytes.subarray(0, half), () => {
      // On its way is not there: the process shall have begun to store it.
      setTimeout(() => {
        onHalf?.();
        sent.end(bytes.subarray(half));
      }, 60);
    });
  });
}

function cookiesOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}
