import { createHash } from "node:crypto";
import { mkdir, readdir } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import { PERMISSIONS, type Permission, type PersonActor, type Reach } from "@/server/domain/access";
import { digestOf, newId, type TenantId } from "@/server/domain/ids";
import { Problem, Status } from "@/server/http/machine-schemas";
import { redeemDownloadLink } from "@/server/services/links/redeem-download-link";
import { previewPacket } from "@/server/services/packets/preview-packet";
import { createApiKey } from "@/server/services/tenants/create-api-key";
import { listApiKeys } from "@/server/services/tenants/list-api-keys";
import { revokeApiKey } from "@/server/services/tenants/revoke-api-key";
import { addPerson, addTenant, countRows, openTestContext, type TestContext } from "@/server/services/test-context";
import { archived, bookRequest, jobRow, monthlyRequest, newPacket } from "@/server/services/test-requests";
import { openLog } from "@/server/telemetry/log";
import * as links from "./packets/[jobId]/links/route";
import * as one from "./packets/[jobId]/route";
import * as batch from "./packets/batch/route";
import * as packets from "./packets/route";
import * as source from "./sources/[sourceId]/route";
import * as sources from "./sources/route";

const database = testDatabase();
const HOST = "https://bindery.example.org";
let context: TestContext;
let admin: PersonActor & { tenantId: TenantId; reach: Reach };
let secret: string;

beforeAll(async () => {
  context = await openTestContext(database.url);
  await mkdir(context.incomingDirectory, { recursive: true });
  const web = { ...context, log: openLog("silent"), baseUrl: HOST, isReady: async () => undefined };
  Reflect.set(globalThis, Symbol.for("bindery.web"), Promise.resolve(web));
});
afterAll(async () => {
  Reflect.deleteProperty(globalThis, Symbol.for("bindery.web"));
  await context.close();
});
beforeEach(async () => {
  await context.sql("UPDATE jobs SET state = 'cancelled' WHERE state = 'queued'");
  admin = await addPerson(context, await addTenant(context), { role: "admin" });
  secret = await keyOf(admin);
});

async function keyOf(by: PersonActor, permissions: readonly Permission[] = PERMISSIONS, expiresAt: Date | null = null) {
  const wanted = { name: "Import", permissions, kinds: [], scopes: [], expiresAt, correlationId: "cor" };
  return (await createApiKey(context, by, wanted)).secret;
}

interface Asking {
  readonly method?: string;
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

function asking(path: string, { method = "GET", key = secret, headers = {}, body }: Asking = {}): Request {
  return new Request(`http://127.0.0.1:3000${path}`, {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
}

const none = { params: Promise.resolve({}) };
const of = (jobId: string) => ({ params: Promise.resolve({ jobId }) });

function bodyOf({ kind, payload }: { kind: string; payload: unknown }) {
  return { kind, payload };
}

function submit(body: unknown, idempotencyKey: string | null = "k-1", more: Asking = {}): Promise<Response> {
  const headers = { ...(idempotencyKey === null ? {} : { "idempotency-key": idempotencyKey }), ...more.headers };
  return packets.POST(asking("/api/v1/packets", { method: "POST", body, ...more, headers }), none);
}

async function problemIn(response: Response) {
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  return Problem.parse(await response.json());
}

describe("a submission", () => {
  it("is answered at once with 202, an id, where to ask and when; one job is there before the answer [C5,C18,C35,C56,C61,C76,C331]", async () => {
    const before = await countRows(context);
    const response = await submit(bodyOf(newPacket()), "hr-0117");
    expect(response.status).toBe(202);
    const receipt = await response.json();
    expect(receipt).toEqual({
      id: expect.stringMatching(/^job_/),
      replayed: false,
      statusUrl: `${HOST}/api/v1/packets/${receipt.id}`,
    });
    expect(response.headers.get("location")).toBe(receipt.statusUrl);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    const job = await jobRow(context, receipt.id);
    expect(job).toMatchObject({ state: "queued", idempotency_key: "hr-0117", attempt: 0 });
    const after = await countRows(context);
    expect((after["public.jobs"] ?? 0) - (before["public.jobs"] ?? 0)).toBe(1);
    // Nothing was rendered or fetched: no attempt, no artifact, no checkpoint.
    for (const table of ["public.attempts", "public.checkpoints", "public.artifacts"])
      expect(after[table]).toBe(before[table]);
  });

  it("is given an id of its own, which its job and its audit event carry [C80]", async () => {
    const response = await submit(bodyOf(newPacket()));
    const requestId = response.headers.get("x-request-id");
    const { id } = await response.json();
    expect((await jobRow(context, id)).correlation_id).toBe(requestId);
    const events = await context.sql("SELECT correlation_id, actor_type FROM audit_events WHERE subject_id = $1", [id]);
    expect(events).toEqual([{ correlation_id: requestId, actor_type: "machine" }]);
  });

  it("sent again says so and is the same packet; with other content it is a conflict [C11,C12]", async () => {
    const body = bodyOf(newPacket());
    const first = await (await submit(body)).json();
    const again = await submit(body);
    expect(again.status).toBe(202);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await again.json()).toEqual({ ...first, replayed: true });
    const other = await submit(bodyOf(newPacket()));
    expect(other.status).toBe(409);
    expect(await problemIn(other)).toMatchObject({ code: "idempotency_conflict" });
  });

  it("without a key, or with one no header can carry, is 400 and writes nothing [C18]", async () => {
    const before = await countRows(context);
    const missing = await submit(bodyOf(newPacket()), null);
    expect(missing.status).toBe(400);
    expect(await problemIn(missing)).toMatchObject({ code: "idempotency_key_missing" });
    expect((await submit(bodyOf(newPacket()), "k".repeat(256))).status).toBe(400);
    expect(await countRows(context)).toEqual({ ...before });
  });

  it("is pointed to each field that is wrong, and nothing is written [C83]", async () => {
    const { kind, payload } = monthlyRequest();
    const before = await countRows(context);
    const response = await submit({ kind, payload: { ...Object(payload), period: "2026-13", school: {} } });
    expect(response.status).toBe(422);
    const problem = await problemIn(response);
    expect(problem.code).toBe("payload_invalid");
    expect(problem.errors?.map((error) => error.pointer)).toEqual(
      expect.arrayContaining(["/payload/period", "/payload/school/ref"]),
    );
    const audience = await problemIn(await submit({ kind, payload, audience: "nobody" }));
    expect(audience.errors).toMatchObject([{ pointer: "/audience" }]);
    expect(await countRows(context)).toEqual(before);
  });

  it("that names a source by anything but one fixed upload is refused: an address, a query, the latest [C6,C14]", async () => {
    const before = await countRows(context);
    for (const reference of [
      "latest",
      "https://files.example.org/minutes.pdf",
      "minutes.pdf",
      "school-14/latest",
      "src_latest",
    ]) {
      const response = await submit(bodyOf(bookRequest([reference])));
      expect(response.status, reference).toBe(422);
      const { code, errors } = await problemIn(response);
      expect(code, reference).toBe("source_unversioned");
      expect(errors, reference).toMatchObject([
        { pointer: "/payload/sections/0/sources/0/source", code: "source_unversioned" },
      ]);
    }
    expect(await countRows(context)).toEqual(before);
  });

  it("of another media type, of no JSON, or too large is refused before it is understood [C81]", async () => {
    const before = await countRows(context);
    const plain = await submit("x", "k", { headers: { "content-type": "text/plain" } });
    expect(plain.status).toBe(415);
    expect((await submit("{", "k")).status).toBe(400);
    expect((await submit("[]", "k")).status).toBe(400);
    expect((await submit({ kind: 1 }, "k")).status).toBe(400);
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(256 * 1024).fill(0x20));
      },
    });
    const request = new Request("http://127.0.0.1/api/v1/packets", {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json", "idempotency-key": "k" },
      body: endless,
      duplex: "half",
    } as RequestInit);
    const large = await packets.POST(request, none);
    expect(large.status).toBe(413);
    expect(pulled).toBeLessThan(12);
    expect(await countRows(context)).toEqual(before);
  });

  it("past the tenant's limit is 429 with when to ask again", async () => {
    const small = await addPerson(context, await addTenant(context, { outstandingMax: 0 }), { role: "admin" });
    const response = await submit(bodyOf(newPacket()), "k", { key: await keyOf(small) });
    expect(response.status).toBe(429);
    const problem = await problemIn(response);
    expect(Number(response.headers.get("retry-after"))).toBe(problem.retryAfter);
  });

  it("never says what nobody expected: a fault of ours is 500 with a request id and nothing else", async () => {
    const boom = new Error("Canary Rosalind at /srv/secret");
    const web = await Reflect.get(globalThis, Symbol.for("bindery.web"));
    Reflect.set(
      globalThis,
      Symbol.for("bindery.web"),
      Promise.resolve({ ...web, enqueueMany: () => Promise.reject(boom) }),
    );
    const response = await submit(bodyOf(newPacket()));
    Reflect.set(globalThis, Symbol.for("bindery.web"), Promise.resolve(web));
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(text).not.toMatch(/Canary|srv|Error/);
    expect(JSON.parse(text).code).toBe("internal");
  });
});

describe("a batch", () => {
  const send = (items: unknown, more: Asking = {}) =>
    batch.POST(asking("/api/v1/packets/batch", { method: "POST", body: { items }, ...more }), none);

  it("is answered item by item, in order, with problems that point into it [C73]", async () => {
    const [a, b] = [newPacket(), newPacket()].map(bodyOf);
    const response = await send([
      { ...a, idempotencyKey: "a" },
      { kind: "monthly-report", payload: { period: 7 }, idempotencyKey: "b" },
      { ...b, idempotencyKey: "c" },
      { ...a, idempotencyKey: "a" },
    ]);
    expect(response.status).toBe(200);
    const { results } = await response.json();
    expect(results.map((result: { status: string }) => result.status)).toEqual([
      "accepted",
      "refused",
      "accepted",
      "replayed",
    ]);
    expect(results[1].problem.errors[0].pointer).toMatch(/^\/items\/1\/payload\//);
    expect(results[3].id).toBe(results[0].id);
  });

  it("of more than a thousand, or with an item without a key, writes nothing [C82]", async () => {
    const before = await countRows(context);
    const items = Array.from({ length: 1_001 }, (_, index) => ({
      kind: "x",
      payload: {},
      idempotencyKey: `k${index}`,
    }));
    const large = await send(items);
    expect(large.status).toBe(413);
    expect(await problemIn(large)).toMatchObject({ code: "batch_too_large" });
    const keyless = await send([{ ...bodyOf(newPacket()), idempotencyKey: "a" }, bodyOf(newPacket())]);
    expect(keyless.status).toBe(400);
    expect((await problemIn(keyless)).errors?.[0]?.pointer).toBe("/items/1/idempotencyKey");
    expect(await countRows(context)).toEqual(before);
  });
});

describe("a status", () => {
  const read = (jobId: string, more: Asking = {}) => one.GET(asking(`/api/v1/packets/${jobId}`, more), of(jobId));

  it("is 200 with the same few fields in every state, and the hint to ask later only while something may change [C336,C354,C355,C358]", async () => {
    const { id } = await (await submit(bodyOf(newPacket()))).json();
    const queued = await read(id);
    expect(queued.status).toBe(200);
    expect(Number(queued.headers.get("retry-after"))).toBeGreaterThan(0);
    const first = Status.parse(await queued.json());
    expect(first).toMatchObject({ id, state: "queued", failure: null, artifact: null });
    const { jobId, bytes } = await archived(context, admin, newPacket());
    const done = await read(jobId);
    expect(done.headers.get("retry-after")).toBeNull();
    const last = Status.parse(await done.json());
    expect(last).toMatchObject({ state: "succeeded", artifact: { bytes: bytes.length, pages: 1 } });
    expect(Object.keys(last)).toEqual(Object.keys(first));
    expect(JSON.stringify(last).length).toBeLessThan(800);
  });

  it("is 304 to whoever holds it, until it changes; reading writes nothing [C334,C356,C357]", async () => {
    const { id } = await (await submit(bodyOf(newPacket()))).json();
    const etag = (await read(id)).headers.get("etag") ?? "";
    const before = await countRows(context);
    const [rowBefore] = await context.sql("SELECT xmin FROM jobs WHERE id = $1", [id]);
    const unchanged = await read(id, { headers: { "if-none-match": etag } });
    expect([unchanged.status, await unchanged.text()]).toEqual([304, ""]);
    expect(await countRows(context)).toEqual(before);
    expect((await context.sql("SELECT xmin FROM jobs WHERE id = $1", [id]))[0]).toEqual(rowBefore);
    await one.DELETE(asking(`/api/v1/packets/${id}`, { method: "DELETE" }), of(id));
    expect((await read(id, { headers: { "if-none-match": etag } })).status).toBe(200);
  });

  it("of another tenant's packet, of a preview nobody may ask for here, and of none are the same 404", async () => {
    const stranger = await addPerson(context, await addTenant(context), { role: "admin" });
    const { id } = await (await submit(bodyOf(newPacket()), "k", { key: await keyOf(stranger) })).json();
    const texts = new Set<string>();
    for (const jobId of [id, newId("job"), "job_x", "..%2f"]) {
      const response = await read(jobId);
      expect(response.status).toBe(404);
      texts.add(JSON.stringify({ ...(await response.json()), requestId: "" }));
    }
    expect(texts.size).toBe(1);
    const { jobId: preview } = await previewPacket(context, stranger, { ...newPacket(), correlationId: "cor" });
    expect((await read(preview)).status).toBe(404);
  });
});

describe("a cancellation", () => {
  const cancel = (jobId: string) => one.DELETE(asking(`/api/v1/packets/${jobId}`, { method: "DELETE" }), of(jobId));

  it("stops a waiting packet, and asking again is no fault", async () => {
    const { id } = await (await submit(bodyOf(newPacket()))).json();
    for (let time = 0; time < 2; time += 1) {
      const response = await cancel(id);
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ state: "failed", failure: { code: "cancelled" } });
    }
  });

  it("of a finished packet is 409", async () => {
    const { jobId } = await archived(context, admin, newPacket());
    const response = await cancel(jobId);
    expect(response.status).toBe(409);
    expect(await problemIn(response)).toMatchObject({ code: "too_late_to_cancel" });
  });
});

describe("the list", () => {
  it("goes through everything once, page by page, whatever is added meanwhile; filters narrow it [C60]", async () => {
    const made: string[] = [];
    for (let index = 0; index < 7; index += 1)
      made.push((await (await submit(bodyOf(newPacket()), `k-${index}`)).json()).id);
    const seen: string[] = [];
    let next: string | null = "/api/v1/packets?limit=3&state=queued";
    while (next !== null) {
      const response: Response = await packets.GET(asking(next.replace(HOST, "")), none);
      const page: { packets: { id: string }[]; next: string | null } = await response.json();
      seen.push(...page.packets.map((packet) => packet.id));
      if (seen.length === 3) {
        context.clock.advance(1_000);
        await submit(bodyOf(newPacket()), "late");
      }
      expect(page.next === null || page.next.startsWith(HOST)).toBe(true);
      next = page.next;
    }
    expect(seen.toSorted()).toEqual(made.toSorted());
    expect(new Set(seen).size).toBe(7);
    const none_ = await packets.GET(asking("/api/v1/packets?kind=monthly-report"), none);
    expect(await none_.json()).toEqual({ packets: [], next: null });
    for (const bad of ["?limit=0", "?state=done", "?cursor=abc", "?cursor=", "?unknown=1"])
      expect((await packets.GET(asking(`/api/v1/packets${bad}`), none)).status, bad).toBe(400);
  });
});

describe("a key", () => {
  it("is all or nothing: missing, wrong, expired, revoked and malformed are the same 401", async () => {
    const expired = await keyOf(admin, PERMISSIONS, new Date(context.clock.now().getTime() + 1_000));
    const revoked = await keyOf(admin);
    const keys = await listApiKeys(context, admin);
    for (const key of keys.filter(({ tail }) => revoked.endsWith(tail)))
      await revokeApiKey(context, admin, {
        keyId: key.keyId as ReturnType<typeof newId<"apiKey">>,
        correlationId: "cor",
      });
    context.clock.advance(1_001);
    const texts = new Set<string>();
    for (const key of [null, `bk_${"A".repeat(43)}`, "x", expired, revoked]) {
      const response = await packets.GET(asking("/api/v1/packets", { key }), none);
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toContain("Bearer");
      texts.add(JSON.stringify({ ...(await response.json()), requestId: "" }));
    }
    expect(texts.size).toBe(1);
  });

  it("may do only what it permits: anything else is 403, before the request is read [C52]", async () => {
    const reader = await keyOf(admin, ["packets:read"]);
    const response = await submit(bodyOf(newPacket()), "k", { key: reader });
    expect(response.status).toBe(403);
    expect(await problemIn(response)).toMatchObject({ code: "forbidden" });
    expect(
      (await sources.POST(asking("/api/v1/sources", { method: "POST", key: reader, body: "x" }), none)).status,
    ).toBe(403);
    expect((await packets.GET(asking("/api/v1/packets", { key: reader }), none)).status).toBe(200);
  });

  it("is stored as a hash, shows when it was last used, and reaches no further than whoever made it", async () => {
    await packets.GET(asking("/api/v1/packets"), none);
    const [row] = await context.sql<{ text: string }>("SELECT string_agg(k::text, ' ') AS text FROM api_keys k");
    expect(row?.text).not.toContain(secret);
    const [view] = await listApiKeys(context, admin);
    expect(view).toMatchObject({ state: "live", tail: secret.slice(-4), lastUsedAt: context.clock.now() });
    const narrow = await addPerson(context, admin.tenantId, { role: "admin", kinds: ["board-book"] });
    const key = await keyOf(narrow);
    expect((await submit(bodyOf(newPacket()), "k", { key })).status).toBe(404);
    const wide = {
      name: "x",
      permissions: PERMISSIONS,
      kinds: ["monthly-report"],
      scopes: [],
      expiresAt: null,
      correlationId: "c",
    };
    await expect(createApiKey(context, narrow, wide)).rejects.toMatchObject({ code: "payload_invalid" });
    const coordinator = await addPerson(context, admin.tenantId, { role: "coordinator" });
    await expect(createApiKey(context, coordinator, { ...wide, kinds: [] })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

describe("an upload", () => {
  const bytes = new TextEncoder().encode("%PDF-1.7 minutes of the winter meeting");
  const put = (body: BodyInit, headers: Record<string, string> = {}, query = "") =>
    sources.POST(
      new Request(`http://127.0.0.1/api/v1/sources${query}`, {
        method: "POST",
        headers: { authorization: `Bearer ${secret}`, ...headers },
        body,
        duplex: "half",
      } as RequestInit),
      none,
    );
  const digestHeader = (of_: Uint8Array) => `sha-256=:${createHash("sha256").update(of_).digest("base64")}:`;

  it("is received under an id, with the digest of what came; its inspection is queued, nothing is parsed [C62]", async () => {
    const response = await put(bytes, {
      "content-length": String(bytes.length),
      "content-digest": digestHeader(bytes),
    });
    expect(response.status).toBe(202);
    const receipt = await response.json();
    expect(receipt.digest).toBe(`sha256:${createHash("sha256").update(bytes).digest("hex")}`);
    const found = await source.GET(asking(`/api/v1/sources/${receipt.id}`), {
      params: Promise.resolve({ sourceId: receipt.id }),
    });
    expect(await found.json()).toMatchObject({ id: receipt.id, state: "inspecting", bytes: bytes.length, pages: 0 });
  });

  it("that is not what was declared, is empty, or is too large leaves nothing behind [C81,C107]", async () => {
    const before = await countRows(context);
    const other = digestHeader(new TextEncoder().encode("other"));
    const cases: [string, Promise<Response>, number][] = [
      ["digest", put(bytes, { "content-digest": other }), 422],
      ["no digest at all", put(bytes, { "content-digest": "sha-256=:x:" }), 400],
      ["length", put(bytes, { "content-length": String(bytes.length + 1) }), 422],
      ["empty", put(""), 422],
      ["purpose", put(bytes, {}, "?purpose=anything"), 400],
      ["too large, declared", put(bytes, { "content-length": "99999999" }), 413],
    ];
    for (const [what, answer, status] of cases) expect((await answer).status, what).toBe(status);
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(128 * 1024));
      },
    });
    expect((await put(endless)).status).toBe(413);
    expect(pulled).toBeLessThan(14);
    expect(await countRows(context)).toEqual(before);
    expect(await readdir(context.incomingDirectory)).toEqual([]);
  });
});

describe("a link given to a program", () => {
  const issue = async (jobId: string, key = secret) =>
    links.POST(asking(`/api/v1/packets/${jobId}/links`, { method: "POST", key }), of(jobId));
  const open = (url: string) =>
    redeemDownloadLink(context, null, { token: url.slice(`${HOST}/d/`.length), isFirstByte: true });

  it("opens the archived bytes for whoever holds it, says so, and dies with its key and its minutes [C364,C365,C366]", async () => {
    const { jobId, bytes } = await archived(context, admin, newPacket());
    const response = await issue(jobId);
    expect(response.status).toBe(201);
    const link = await response.json();
    expect(link).toMatchObject({ bearer: true, url: expect.stringContaining(`${HOST}/d/`) });
    expect(await open(link.url)).toMatchObject({ bytes: bytes.length, digest: digestOf(bytes) });
    const [view] = await listApiKeys(context, admin);
    await revokeApiKey(context, admin, {
      keyId: view?.keyId as ReturnType<typeof newId<"apiKey">>,
      correlationId: "cor",
    });
    await expect(open(link.url)).rejects.toMatchObject({ code: "link_expired" });
  });

  it("is not given for a packet that is not archived, or not theirs", async () => {
    const { id } = await (await submit(bodyOf(newPacket()))).json();
    expect((await issue(id)).status).toBe(404);
    const stranger = await addPerson(context, await addTenant(context), { role: "admin" });
    const { jobId } = await archived(context, stranger, newPacket());
    expect((await issue(jobId)).status).toBe(404);
  });
});

describe("every address", () => {
  it("answers methods it does not know with 405 and those it does", () => {
    const response = packets.PUT();
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
    expect(one.PATCH().headers.get("allow")).toBe("GET, HEAD, DELETE");
  });

  it("is made from the configured address, whatever the request says of its host", async () => {
    const headers = { host: "evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" };
    const response = await submit(bodyOf(newPacket()), "k", { headers });
    expect(response.headers.get("location")).toMatch(/^https:\/\/bindery\.example\.org\//);
    expect(JSON.stringify(await response.json())).not.toContain("evil");
  });
});
