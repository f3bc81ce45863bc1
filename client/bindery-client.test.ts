import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { openClient } from "./bindery-client";
import { downloadFile } from "./download-file";
import { send } from "./send";
import {
  answering,
  breakingOff,
  fakeWaiting,
  openTestServer,
  refusing,
  resetting,
  type Step,
  silent,
} from "./test-server";

const servers: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function against(...steps: Step[]) {
  const server = await openTestServer(...steps);
  servers.push(server);
  const waiting = fakeWaiting();
  return { ...server, waiting, client: openClient({ baseUrl: server.baseUrl, apiKey: "bk_test", waiting }) };
}

const receipt = { id: "job_1", replayed: false, statusUrl: "http://x/api/v1/packets/job_1" };
const submission = { idempotencyKey: "hr-1", kind: "monthly-report", payload: { period: "2026-11" } };
const status = (state: string, artifact: unknown = null) => ({
  id: "job_1",
  state,
  artifact,
  failure: null,
  stage: null,
});

describe("a submission", () => {
  it("is sent again after connection resets, under the same key, with capped and jittered waits [C139]", async () => {
    const { client, seen, waiting } = await against(
      resetting,
      resetting,
      resetting,
      resetting,
      resetting,
      resetting,
      answering(202, receipt),
    );
    expect(await client.submit(submission)).toEqual(receipt);
    expect(new Set(seen.map(({ headers }) => headers["idempotency-key"]))).toEqual(new Set(["hr-1"]));
    expect(new Set(seen.map(({ body }) => body.toString())).size).toBe(1);
    expect(waiting.waits).toEqual([1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  });

  it("waits at least half of the schedule, by chance more, so that clients do not come back together [C138,C139]", async () => {
    const server = await openTestServer(resetting, refusing(429, "too_many_outstanding"), answering(202, receipt));
    servers.push(server);
    const waiting = fakeWaiting(() => 0);
    await openClient({ baseUrl: server.baseUrl, apiKey: "k", waiting }).submit(submission);
    expect(waiting.waits).toEqual([500, 1_000]);
  });

  it("that meets a rate limit is sent again, not sooner than the service says [C138,C335]", async () => {
    const busy = refusing(429, "too_many_outstanding", { "retry-after": "20" });
    const { client, seen, waiting } = await against(
      busy,
      refusing(503, "lane_closed", { "retry-after": "5" }),
      answering(202, receipt),
    );
    expect(await client.submit(submission)).toEqual(receipt);
    expect(waiting.waits).toEqual([20_000, 5_000]);
    expect(seen).toHaveLength(3);
  });

  it("that is refused for what it says is never sent again: a conflict, a field, a key [C335]", async () => {
    for (const code of ["idempotency_conflict", "payload_invalid", "unauthenticated"]) {
      const { client, seen } = await against(
        refusing({ idempotency_conflict: 409, payload_invalid: 422 }[code] ?? 401, code),
      );
      await expect(client.submit(submission)).rejects.toMatchObject({
        reason: "refused",
        code,
        problem: { requestId: "r-1" },
      });
      expect(seen).toHaveLength(1);
    }
  });

  it("ends as unreachable once its patience is over, and never waits past it", async () => {
    const { client, waiting } = await against(resetting);
    await expect(client.submit(submission, { patienceMs: 30_000 })).rejects.toMatchObject({ reason: "unreachable" });
    expect(waiting.waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(30_000);
    const { client: other, seen } = await against(refusing(429, "too_many_outstanding", { "retry-after": "600" }));
    await expect(other.submit(submission)).rejects.toMatchObject({ code: "too_many_outstanding" });
    expect(seen).toHaveLength(1);
  });

  it("that nobody answers is given up after its own timeout, and sent again", async () => {
    const server = await openTestServer(silent, answering(202, receipt));
    servers.push(server);
    const sender = { baseUrl: server.baseUrl, apiKey: "k", fetch, waiting: fakeWaiting() };
    const { signal } = new AbortController();
    const sending = { method: "POST" as const, path: "api/v1/packets", timeoutMs: 50, patienceMs: 90_000, signal };
    expect((await send(sender, sending)).status).toBe(202);
    expect(server.seen).toHaveLength(2);
  });

  it("whose answer breaks off half way, or is not the service's own, is sent again under the same key [C139]", async () => {
    const page: Step = (_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<p>Sign in");
    const { client, seen } = await against(breakingOff, page, answering(202, { ...receipt, replayed: true }));
    expect(await client.submit(submission)).toMatchObject({ id: "job_1", replayed: true });
    expect(seen.map(({ headers }) => headers["idempotency-key"])).toEqual(["hr-1", "hr-1", "hr-1"]);
  });

  it("whose answer stops half way is given up after its own timeout, and sent again", async () => {
    const stalling: Step = (_, response) => void response.writeHead(202, { "content-length": "100" }).write('{"id":');
    const server = await openTestServer(stalling, answering(202, receipt));
    servers.push(server);
    const sender = { baseUrl: server.baseUrl, apiKey: "k", fetch, waiting: fakeWaiting() };
    const { signal } = new AbortController();
    const answer = await send(sender, { method: "POST", path: "x", timeoutMs: 50, patienceMs: 90_000, signal });
    expect(await answer.json()).toEqual(receipt);
  });

  it("that ends without a receipt says with what status, whether the same may go well later, and when", async () => {
    const busy = await against(refusing(429, "too_many_outstanding", { "retry-after": "600" }));
    const late = { reason: "refused", status: 429, retryable: true, retryAfterMs: 600_000 };
    await expect(busy.client.submit(submission)).rejects.toMatchObject(late);
    const wrong = await against(refusing(422, "payload_invalid"));
    await expect(wrong.client.submit(submission)).rejects.toMatchObject({ status: 422, retryable: false });
    const away = await against((_, response) => void response.writeHead(502).end("<h1>Bad gateway"));
    const bad = { reason: "unreachable", code: "http_502", status: 502, retryable: true, problem: null };
    await expect(away.client.submit(submission)).rejects.toMatchObject(bad);
    const silence = await against(resetting);
    await expect(silence.client.submit(submission)).rejects.toMatchObject({ status: null, retryable: true });
  });

  it("stops when its caller does", async () => {
    const { client } = await against(silent);
    await expect(client.submit(submission, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
      name: "TimeoutError",
    });
  });
});

describe("waiting for a packet", () => {
  it("asks for JSON, sends the entity tag it holds, and takes 304 as unchanged [C349]", async () => {
    const { client, seen, waiting } = await against(
      answering(200, status("queued"), { etag: '"a"', "retry-after": "1" }),
      (_, response) => void response.writeHead(304, { etag: '"a"', "retry-after": "3" }).end(),
      answering(200, status("succeeded"), { etag: '"b"' }),
    );
    expect(await client.waitFor("job_1")).toMatchObject({ state: "succeeded" });
    expect(seen.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, '"a"', '"a"']);
    expect(new Set(seen.map(({ headers }) => headers.accept))).toEqual(new Set(["application/json"]));
    expect(waiting.waits).toEqual([1_000, 3_000]);
  });

  it("comes back not sooner than is asked of it, whoever asks: the service, or what stands before it", async () => {
    const { client, waiting } = await against(
      refusing(429, "too_many_outstanding", { "retry-after": "12" }),
      (_, response) => void response.writeHead(503, { "retry-after": "20" }).end("<h1>Busy"),
      answering(200, status("succeeded")),
    );
    expect(await client.waitFor("job_1")).toMatchObject({ state: "succeeded" });
    expect(waiting.waits).toEqual([12_000, 20_000]);
  });

  it("reads nothing but the status: it submits nothing, and a missed reading repeats nothing but itself [C332,C361]", async () => {
    const { client, seen } = await against(
      resetting,
      refusing(503, "internal"),
      breakingOff,
      answering(200, status("failed")),
    );
    expect(await client.waitFor("job_1")).toMatchObject({ state: "failed" });
    expect(new Set(seen.map(({ method, url }) => `${method} ${url}`))).toEqual(new Set(["GET /api/v1/packets/job_1"]));
  });

  it("tells a packet that failed from a status that cannot be read, and from one that is still being made [C344]", async () => {
    const failed = await against(
      answering(200, { ...status("failed"), failure: { code: "source_encrypted", message: "x" } }),
    );
    expect(await failed.client.waitFor("job_1")).toMatchObject({
      state: "failed",
      failure: { code: "source_encrypted" },
    });
    const unreadable = await against(resetting);
    await expect(unreadable.client.waitFor("job_1")).rejects.toMatchObject({ reason: "deadline", code: "unreachable" });
    const pending = await against(answering(200, status("running")));
    await expect(pending.client.waitFor("job_1")).rejects.toMatchObject({ reason: "deadline", code: "deadline" });
    const gone = await against(refusing(404, "not_found"));
    await expect(gone.client.waitFor("job_1")).rejects.toMatchObject({ reason: "refused", code: "not_found" });
  });

  it("costs ten or so small reads in ninety seconds [C360]", async () => {
    const { client, seen } = await against(answering(200, status("running")));
    await expect(client.waitFor("job_1")).rejects.toMatchObject({ reason: "deadline" });
    expect(seen.length).toBeGreaterThan(8);
    expect(seen.length).toBeLessThanOrEqual(15);
  });
});

describe("a batch", () => {
  it("of 2,500 items is sent in three calls, and answered item by item in order", async () => {
    const echo: Step = ({ body }, response) => {
      const results = JSON.parse(body.toString()).items.map((item: { idempotencyKey: string }) => ({
        status: "accepted",
        ...receipt,
        id: item.idempotencyKey,
      }));
      answering(200, { results })({ method: "", url: "", headers: {}, body }, response);
    };
    const { client, seen } = await against(echo);
    const items = Array.from({ length: 2_500 }, (_, index) => ({ ...submission, idempotencyKey: `k-${index}` }));
    const results = await client.submitBatch(items);
    expect(seen).toHaveLength(3);
    expect(results.map((result) => (result.status === "refused" ? "" : result.id))).toEqual(
      items.map((item) => item.idempotencyKey),
    );
    // Large items travel in calls that the service still takes.
    const large = items.slice(0, 12).map((item) => ({ ...item, payload: { text: "x".repeat(2_000_000) } }));
    expect(await client.submitBatch(large)).toHaveLength(12);
    expect(seen).toHaveLength(7);
    expect(Math.max(...seen.map(({ body }) => body.length))).toBeLessThan(32 * 1024 * 1024);
  });
});

describe("an upload", () => {
  it("declares its digest and title, and ends with what was found in the file", async () => {
    const source = { id: "src_1", state: "accepted", pages: 3 };
    const { client, seen } = await against(
      resetting,
      answering(202, { id: "src_1", state: "inspecting" }),
      answering(200, { id: "src_1", state: "inspecting" }),
      answering(200, source),
    );
    const bytes = Buffer.from("%PDF-1.7");
    const digest = createHash("sha256").update(bytes).digest("base64");
    expect(await client.upload({ body: () => bytes, title: "Protokoll å.pdf", digest })).toEqual(source);
    expect(seen[1]).toMatchObject({ body: bytes, url: "/api/v1/sources?purpose=pages" });
    expect(seen[1]?.headers["content-digest"]).toBe(`sha-256=:${digest}:`);
    expect(seen[1]?.headers["bindery-title"]).toBe("Protokoll%20%C3%A5.pdf");
  });
});

describe("a list", () => {
  it("goes on from page to page by way of the address it knows, until the end", async () => {
    const { client, seen } = await against(
      answering(200, {
        packets: [status("queued")],
        next: "https://elsewhere.example/api/v1/packets?cursor=abc&state=queued",
      }),
      answering(200, { packets: [status("queued"), status("queued")], next: null }),
    );
    const found = [];
    for await (const packet of client.list({ state: "queued" })) found.push(packet);
    expect(found).toHaveLength(3);
    expect(seen.map(({ url }) => url)).toEqual([
      "/api/v1/packets?state=queued",
      "/api/v1/packets?cursor=abc&state=queued",
    ]);
  });
});

describe("a download", () => {
  const bytes = Buffer.from(`%PDF-1.7 ${"pages ".repeat(5_000)}`);
  const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  const done = status("succeeded", { bytes: bytes.length, digest, pages: 2 });
  const link = answering(201, { url: "https://bindery.example/d/token-1", bearer: true });
  const serving =
    (body: Uint8Array): Step =>
    (_, response) =>
      void response.writeHead(200, { "content-type": "application/pdf" }).end(body);
  let directory: string;

  async function into(...steps: Step[]) {
    directory = await mkdtemp(join(tmpdir(), "download-"));
    const { client, seen } = await against(answering(200, done), link, ...steps);
    return {
      seen,
      path: join(directory, "packet.pdf"),
      save: () => downloadFile(client, "job_1", join(directory, "packet.pdf")),
    };
  }
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it("is on the disk whole and checked; the key is not sent with the link", async () => {
    const { save, path, seen } = await into(serving(bytes));
    expect(await save()).toEqual({ bytes: bytes.length, digest });
    expect(await readFile(path)).toEqual(bytes);
    expect(await readdir(directory)).toEqual(["packet.pdf"]);
    expect(seen.at(-1)).toMatchObject({ url: "/d/token-1" });
    expect(seen.at(-1)?.headers.authorization).toBeUndefined();
  });

  it.each([
    ["changed", Buffer.from(bytes.toString().replace("pages", "pagez"))],
    ["cut short", bytes.subarray(0, bytes.length - 1)],
    ["longer", Buffer.concat([bytes, bytes])],
    ["empty", Buffer.alloc(0)],
  ])("whose bytes are %s fails as corrupt, and nothing of it is left", async (_, wrong) => {
    const { save } = await into(serving(wrong));
    await expect(save()).rejects.toMatchObject({ reason: "corrupt" });
    expect(await readdir(directory)).toEqual([]);
  });

  it("that breaks off leaves nothing", async () => {
    const { save } = await into((_, response) => {
      response.writeHead(200, { "content-length": String(bytes.length) });
      response.write(bytes.subarray(0, 1_000), () => setTimeout(() => response.socket?.resetAndDestroy(), 20));
    });
    await expect(save()).rejects.toMatchObject({ name: "BinderyFailure", reason: "unreachable", retryable: true });
    expect(await readdir(directory)).toEqual([]);
  });

  it("in a browser is checked too, by what browsers have", async () => {
    const { client } = await against(answering(200, done), link, serving(bytes));
    const { stream } = await client.download("job_1");
    expect(Buffer.from(await new Response(stream).arrayBuffer())).toEqual(bytes);
    const bad = await against(answering(200, done), link, serving(Buffer.from("x")));
    const { stream: wrong } = await bad.client.download("job_1");
    await expect(new Response(wrong).arrayBuffer()).rejects.toMatchObject({ reason: "corrupt" });
  });

  it("of a packet without a result says so", async () => {
    const { client } = await against(answering(200, status("running")));
    await expect(client.download("job_1")).rejects.toMatchObject({ reason: "refused", code: "not_ready" });
  });
});
