import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import type { PersonActor, Reach } from "@/server/domain/access";
import { newId, type TenantId } from "@/server/domain/ids";
import { previewPacket } from "@/server/services/packets/preview-packet";
import {
  addPerson,
  addSource,
  addTenant,
  countRows,
  openTestContext,
  type TestContext,
} from "@/server/services/test-context";
import { archived, jobRow, monthlyRequest, newBook, newPacket } from "@/server/services/test-requests";
import * as nothing from "./[...unknown]/route";
import * as links from "./packets/[jobId]/links/route";
import * as one from "./packets/[jobId]/route";
import * as batch from "./packets/batch/route";
import * as packets from "./packets/route";
import * as source from "./sources/[sourceId]/route";
import * as sources from "./sources/route";
import { asking, BASE_URL, keyOf, serveNoMore, serveWith } from "./test-asking";

type Admin = PersonActor & { tenantId: TenantId; reach: Reach };

const database = testDatabase();
const none = { params: Promise.resolve({}) };
let context: TestContext;
let admin: Admin;
let key: string;

beforeAll(async () => {
  context = await openTestContext(database.url);
  serveWith(context);
});
afterAll(async () => {
  serveNoMore();
  await context.close();
});
beforeEach(async () => {
  await context.sql("UPDATE jobs SET state = 'cancelled' WHERE state = 'queued'");
  admin = await addPerson(context, await addTenant(context), { role: "admin" });
  key = await keyOf(context, admin);
});

const bodyOf = ({ kind, payload }: { kind: string; payload: unknown }) => ({ kind, payload });
const of = (jobId: string) => ({ params: Promise.resolve({ jobId }) });

function submit(body: unknown, idempotencyKey = "k", headers: Record<string, string> = {}, by = key) {
  const all = { "idempotency-key": idempotencyKey, ...headers };
  return packets.POST(asking("/api/v1/packets", { method: "POST", key: by, body, headers: all }), none);
}

/** An answer without what differs from one request to the next. */
async function seen(response: Response) {
  const headers = Object.fromEntries([...response.headers].filter(([name]) => name !== "x-request-id"));
  const text = await response.text();
  return [response.status, headers, text.replace(/"requestId":"[^"]*"/, "")];
}

describe("while nobody works at all", () => {
  it("every call that asks for work answers with where to look, and its job waits untouched [C56,C75]", async () => {
    const { payload } = monthlyRequest();
    const { classes } = Object(payload);
    const large = {
      ...Object(payload),
      classes: Array.from({ length: 500 }, (_, n) => ({ ...classes[0], name: `${n}` })),
    };
    const metrics = { ...large.metrics, enrolmentAtStart: 0, joined: 0, left: 0, enrolment: 0 };
    const pupils = large.classes.reduce((sum: number, each: { pupils: number }) => sum + each.pupils, 0);
    const body = {
      kind: "monthly-report",
      payload: { ...large, metrics: { ...metrics, enrolmentAtStart: pupils, enrolment: pupils } },
    };
    const sourceIds = await Promise.all(
      Array.from({ length: 20 }, () => addSource(context, admin.tenantId, { pages: 40 })),
    );
    const answers = await Promise.all([
      submit(body, "large"),
      submit(bodyOf(newBook(sourceIds)), "book"),
      batch.POST(
        asking("/api/v1/packets/batch", {
          method: "POST",
          key,
          body: { items: Array.from({ length: 60 }, (_, n) => ({ ...bodyOf(newPacket()), idempotencyKey: `b-${n}` })) },
        }),
        none,
      ),
      sources.POST(asking("/api/v1/sources", { method: "POST", key, body: "%PDF-1.7" }), none),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([202, 202, 200, 202]);
    for (const answer of answers.slice(0, 2)) {
      const { id } = await answer.json();
      expect(await jobRow(context, id)).toMatchObject({ state: "queued", stage: null, attempt: 0 });
    }
    const [jobs] = await context.sql("SELECT count(*)::int AS n FROM jobs WHERE tenant_id = $1 AND state = 'queued'", [
      admin.tenantId,
    ]);
    expect(jobs?.n).toBe(62);
  });
});

describe("a status", () => {
  it("is what the database says, whichever process is asked, also one that started later [C336]", async () => {
    const { id } = await (await submit(bodyOf(newPacket()))).json();
    const ask = () => one.GET(asking(`/api/v1/packets/${id}`, { key }), of(id));
    const first = await seen(await ask());
    const later = await openTestContext(database.url);
    try {
      serveWith(later);
      expect(await seen(await ask())).toEqual(first);
    } finally {
      serveWith(context);
      await later.close();
    }
  });

  it("asks to be read less often the longer the packet waits, up to a limit, and no more once it has ended [C355]", async () => {
    const { id } = await (await submit(bodyOf(newPacket()))).json();
    const hint = async () =>
      (await one.GET(asking(`/api/v1/packets/${id}`, { key }), of(id))).headers.get("retry-after");
    const hints = [await hint()];
    for (const seconds of [60, 3_600]) {
      context.clock.advance(seconds * 1_000);
      hints.push(await hint());
    }
    expect(hints).toEqual(["1", "8", "15"]);
    await one.DELETE(asking(`/api/v1/packets/${id}`, { method: "DELETE", key }), of(id));
    expect(await hint()).toBeNull();
  });

  it("answers HEAD like GET, without the body", async () => {
    const { id } = await (await submit(bodyOf(newPacket()))).json();
    const get = await one.GET(asking(`/api/v1/packets/${id}`, { key }), of(id));
    const head = await one.HEAD(asking(`/api/v1/packets/${id}`, { method: "HEAD", key }), of(id));
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("etag")).toBe(get.headers.get("etag"));
  });
});

describe("what is another tenant's", () => {
  it("is what nothing has, by every address and method that takes an id, and nothing comes of asking [C8,C365]", async () => {
    const stranger: Admin = await addPerson(context, await addTenant(context), { role: "admin" });
    const request = newPacket();
    const { jobId: finished } = await archived(context, stranger, request);
    const { id: waiting } = await (await submit(bodyOf(newPacket()), "k", {}, await keyOf(context, stranger))).json();
    const { jobId: preview } = await previewPacket(context, stranger, { ...newPacket(), correlationId: "cor" });
    const upload = await addSource(context, stranger.tenantId);
    const before = await countRows(context);
    const calls: ((id: string) => Promise<Response>)[] = [
      (id) => one.GET(asking(`/api/v1/packets/${id}`, { key }), of(id)),
      (id) => one.HEAD(asking(`/api/v1/packets/${id}`, { method: "HEAD", key }), of(id)),
      (id) => one.DELETE(asking(`/api/v1/packets/${id}`, { method: "DELETE", key }), of(id)),
      (id) => links.POST(asking(`/api/v1/packets/${id}/links`, { method: "POST", key }), of(id)),
      (id) => source.GET(asking(`/api/v1/sources/${id}`, { key }), { params: Promise.resolve({ sourceId: id }) }),
    ];
    for (const [index, call] of calls.entries()) {
      const unknown = await seen(await call(newId(index === 4 ? "source" : "job")));
      expect(unknown[0]).toBe(404);
      for (const id of [finished, waiting, preview, upload, "job_x", "../packets", "%00"])
        expect(await seen(await call(id)), `${index} ${id}`).toEqual(unknown);
    }
    const list = await packets.GET(asking(`/api/v1/packets?scope=${encodeURIComponent("E-1")}`, { key }), none);
    expect(await list.json()).toEqual({ packets: [], next: null });
    expect(await countRows(context)).toEqual(before);
    expect(await jobRow(context, waiting)).toMatchObject({ state: "queued" });
  });

  it("says nothing of the names it gave its operations: the same key is free for everybody else", async () => {
    const stranger = await addPerson(context, await addTenant(context), { role: "admin" });
    const body = bodyOf(newPacket());
    const theirs = await submit(body, "import-0001", {}, await keyOf(context, stranger));
    const [{ id }, ours] = [await theirs.json(), await submit(bodyOf(newPacket()), "import-0001")];
    expect(ours.status).toBe(202);
    const receipt = await ours.json();
    expect(receipt.replayed).toBe(false);
    expect(receipt.id).not.toBe(id);
    const same = await (await submit(body, "import-0002")).json();
    expect(same).toMatchObject({ replayed: false });
  });

  it("and what lies outside a key's scopes, is not there for it, whatever its permissions", async () => {
    const { id } = await (await submit(bodyOf(monthlyRequest()), "wide")).json();
    const narrow = await keyOf(context, admin, { scopes: ["S-NOWHERE"] });
    expect((await one.GET(asking(`/api/v1/packets/${id}`, { key: narrow }), of(id))).status).toBe(404);
    expect((await one.DELETE(asking(`/api/v1/packets/${id}`, { method: "DELETE", key: narrow }), of(id))).status).toBe(
      404,
    );
    expect(await (await packets.GET(asking("/api/v1/packets", { key: narrow }), none)).json()).toMatchObject({
      packets: [],
    });
    expect((await submit(bodyOf(newPacket()), "n", {}, narrow)).status).toBe(404);
  });
});

describe("a hostile request", () => {
  it("changes the prototype of nothing, wherever it names one, and is refused or understood without it", async () => {
    const { kind, payload } = newPacket();
    const poison = '{"polluted":true,"admin":true}';
    const inner = JSON.stringify(payload).slice(1, -1);
    const bodies = [
      `{"kind":"${kind}","payload":{${inner}},"__proto__":${poison}}`,
      `{"kind":"${kind}","payload":{${inner},"__proto__":${poison}}}`,
      `{"kind":"${kind}","payload":{${inner},"constructor":{"prototype":${poison}}}}`,
      `{"kind":"__proto__","payload":{}}`,
      `{"kind":"constructor","payload":{${inner}}}`,
      `{"kind":"${kind}","audience":"__proto__","payload":{${inner}}}`,
    ];
    for (const body of bodies) {
      const { status } = await submit(body, "p", { "x-__proto__": "polluted", constructor: "x" });
      expect([202, 400, 422], body.slice(0, 60)).toContain(status);
      expect(Reflect.get({}, "polluted")).toBeUndefined();
    }
    for (const query of ["__proto__[state]=queued", "constructor=x", "state=__proto__", "cursor=__proto__"])
      expect((await packets.GET(asking(`/api/v1/packets?${query}`, { key }), none)).status, query).toBe(400);
  });

  it("never has a say in the addresses that are given out", async () => {
    const { jobId } = await archived(context, admin, newPacket());
    const names = ["host", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port", "x-original-host", "forwarded"];
    const values = [
      "evil.example",
      "bindery.example.org@evil.example",
      "evil.example:443",
      "host=evil.example;proto=http",
    ];
    for (const name of names) {
      for (const value of values) {
        const headers = { [name]: value };
        const submitted = await submit(bodyOf(newPacket()), newId("job"), headers);
        const link = await links.POST(asking("/", { method: "POST", key, headers }), of(jobId));
        const page = await packets.GET(asking("/api/v1/packets?limit=1", { key, headers }), none);
        const given = [submitted.headers.get("location"), (await link.json()).url, (await page.json()).next];
        for (const url of given) expect(new URL(url ?? "").origin, `${name}: ${value}`).toBe(BASE_URL);
      }
    }
  });

  it("with a million items is counted, not looked at [C82]", async () => {
    const body = `{"items":[${"{},".repeat(999_999)}{}]}`;
    const started = process.cpuUsage();
    const response = await batch.POST(asking("/api/v1/packets/batch", { method: "POST", key, body }), none);
    expect(response.status).toBe(413);
    // Each of them found wrong in three ways takes fifteen seconds and two gigabytes.
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(5);
  });
});

describe("an address", () => {
  it("that the contract does not have is a problem like any other, never a page", async () => {
    const response = nothing.GET();
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({ code: "not_found", requestId: response.headers.get("x-request-id") });
  });

  it("says which methods it has, under an id of the request, and stores nothing [C80]", () => {
    const allowed = [
      [packets.PUT, "GET, HEAD, POST"],
      [batch.GET, "POST"],
      [one.POST, "GET, HEAD, DELETE"],
      [links.DELETE, "POST"],
      [sources.GET, "POST"],
      [source.OPTIONS, "GET, HEAD"],
    ] as const;
    for (const [refuse, methods] of allowed) {
      const { status, headers } = refuse();
      expect([status, headers.get("allow"), headers.get("cache-control")]).toEqual([405, methods, "no-store"]);
      expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});
