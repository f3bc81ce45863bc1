import { createHash } from "node:crypto";
import { request as httpRequest } from "node:http";
import { request } from "@playwright/test";
import { expect, test } from "./fixtures";
import { freshRef } from "./forms";
import { boardBook, monthlyReport } from "./payloads";
import { addPerson, addTenant, newId, tenantOf } from "./people";
import { ended, programOf } from "./programs";
import { pdfOf } from "./test-files";
import { readPdf } from "./test-pdf";

test("a program uploads, submits, asks with what it knows, and downloads the very bytes it was told of [C61,C76,C331,C354,C355]", async ({
  product,
  database,
}) => {
  const program = await programOf({ product, database }, await tenantOf(database, "admin"));
  const file = await pdfOf("finance.pdf", ["Quarterly figures", "Page two"]);
  const digest = createHash("sha256").update(file.buffer).digest("base64");
  const received = await program.api.post("/api/v1/sources", {
    data: file.buffer,
    headers: { "content-type": "application/octet-stream", "content-digest": `sha-256=:${digest}:` },
  });
  expect(received.status()).toBe(202);
  const source = await received.json();
  const inspected = async () => (await (await program.api.get(`/api/v1/sources/${source.id}`)).json()).state;
  await expect.poll(inspected, { timeout: 30_000 }).toBe("accepted");

  const data = boardBook(freshRef("B"), "Winter meeting", [source.id]);
  const operation = freshRef("book");
  const submit = () => program.api.post("/api/v1/packets", { data, headers: { "idempotency-key": operation } });
  const accepted = await submit();
  expect(accepted.status()).toBe(202);
  const { id, statusUrl } = await accepted.json();
  expect(accepted.headers()).toMatchObject({
    location: statusUrl,
    "idempotency-replayed": "false",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(statusUrl).toBe(`${product.url}/api/v1/packets/${id}`);

  const again = await submit();
  expect([again.status(), await again.json()]).toEqual([202, { id, statusUrl, replayed: true }]);
  const other = await program.api.post("/api/v1/packets", {
    data: boardBook(freshRef("B"), "Another meeting", [source.id]),
    headers: { "idempotency-key": operation },
  });
  expect(other.status()).toBe(409);
  expect(other.headers()["content-type"]).toBe("application/problem+json");
  expect(await other.json()).toMatchObject({ code: "idempotency_conflict", status: 409 });

  const { body, tag } = await ended(program, id);
  expect(body).toMatchObject({ id, state: "succeeded", failure: null });
  const unchanged = await program.api.get(statusUrl, { headers: { "if-none-match": tag } });
  expect([unchanged.status(), (await unchanged.body()).length]).toEqual([304, 0]);
  expect((await program.api.delete(statusUrl)).status()).toBe(409);

  const issued = await program.api.post(`/api/v1/packets/${id}/links`);
  expect(issued.status()).toBe(201);
  const link = await issued.json();
  expect(link).toMatchObject({ bearer: true, url: expect.stringContaining(`${product.url}/d/`) });
  const anybody = await request.newContext({ storageState: { cookies: [], origins: [] } });
  const download = await anybody.get(link.url, { maxRedirects: 0 });
  expect(download.status()).toBe(200);
  const pdf = await download.body();
  const artifact = Object(body.artifact);
  expect(`sha256:${createHash("sha256").update(pdf).digest("hex")}`).toBe(artifact.digest);
  expect(download.headers()).toMatchObject({
    "content-length": String(artifact.bytes),
    "cache-control": "private, no-store",
    etag: `"${artifact.digest}"`,
  });
  expect((await readPdf(pdf)).pages.join(" ")).toContain("Quarterly figures");
  const json = { headers: { accept: "application/json" }, maxRedirects: 0 };
  const altered = await anybody.get(`${link.url.slice(0, -4)}AAAA`, json);
  expect([altered.status(), (await altered.json()).code]).toEqual([403, "link_invalid"]);

  await database.query("UPDATE api_keys SET revoked_at = now() WHERE id = $1", [program.keyId]);
  const dead = await anybody.get(link.url, json);
  expect([dead.status(), (await dead.json()).code]).toEqual([410, "link_expired"]);
  const refused = await program.api.get(statusUrl);
  expect(refused.status()).toBe(401);
  expect(refused.headers()["www-authenticate"]).toContain("Bearer");
  await anybody.dispose();
  await program.api.dispose();
});

test("another tenant's packet is, to a program, one that does not exist [C8]", async ({ product, database }) => {
  const theirs = await addTenant(database, "Nordsee Logistik");
  await addPerson(database, { tenantId: theirs, name: "Imke Janssen", role: "admin" });
  const owner = await programOf({ product, database }, theirs);
  const stranger = await programOf({ product, database }, await tenantOf(database, "admin"));
  const data = monthlyReport(freshRef("S"), "Väst");
  const accepted = await owner.api.post("/api/v1/packets", { data, headers: { "idempotency-key": "import-1" } });
  const { id } = await accepted.json();
  const seen = async (method: string, path: string) => {
    const answer = await stranger.api.fetch(path, { method });
    const { date, "x-request-id": _, ...headers } = answer.headers();
    return [answer.status(), headers, (await answer.text()).replace(/"requestId":"[^"]*"/, "")];
  };
  for (const [method, tail] of [
    ["GET", ""],
    ["HEAD", ""],
    ["DELETE", ""],
    ["POST", "/links"],
  ] as const) {
    const foreign = await seen(method, `/api/v1/packets/${id}${tail}`);
    expect(foreign[0]).toBe(404);
    expect(foreign).toEqual(await seen(method, `/api/v1/packets/${newId("job")}${tail}`));
  }
  expect((await owner.api.get(`/api/v1/packets/${id}`)).status()).toBe(200);
  await owner.api.dispose();
  await stranger.api.dispose();
});

test("what is not the contract is refused in its form: no key, no such address, another method, another type, too much [C80,C81]", async ({
  product,
  database,
}) => {
  const program = await programOf({ product, database }, await tenantOf(database, "admin"));
  const nobody = await request.newContext({ baseURL: product.url, storageState: { cookies: [], origins: [] } });
  const problem = async (answer: Awaited<ReturnType<typeof nobody.get>>) => {
    expect(answer.headers()["content-type"]).toBe("application/problem+json");
    const body = Object(await answer.json());
    expect(body.requestId).toBe(answer.headers()["x-request-id"]);
    return [answer.status(), body.code];
  };
  expect(await problem(await nobody.get("/api/v1/packets"))).toEqual([401, "unauthenticated"]);
  expect(await problem(await program.api.get("/api/v1/no/such/thing"))).toEqual([404, "not_found"]);
  const text = { data: "x", headers: { "content-type": "text/plain", "idempotency-key": "k" } };
  expect(await problem(await program.api.post("/api/v1/packets", text))).toEqual([415, "media_type_unsupported"]);
  for (const method of ["PUT", "PATCH", "OPTIONS"]) {
    const answer = await program.api.fetch("/api/v1/packets", { method });
    expect([answer.status(), answer.headers().allow], method).toEqual([405, "GET, HEAD, POST"]);
  }
  const described = await (await nobody.get("/api/v1/openapi.json")).json();
  expect(described.servers[0].url).toBe(product.url);
  const headers = {
    authorization: `Bearer ${program.secret}`,
    "content-type": "application/json",
    "idempotency-key": "k",
  };
  const { status, sent } = await sendEndlessly(`${product.url}/api/v1/packets`, headers);
  expect(status).toBe(413);
  expect(sent).toBeLessThan(64 * 1024 * 1024);
  await nobody.dispose();
  await program.api.dispose();
});

/** Sends a body without an end until an answer comes; returns its status and how much was sent by then. */
function sendEndlessly(url: string, headers: Record<string, string>): Promise<{ status: number; sent: number }> {
  const chunk = Buffer.alloc(64 * 1024, " ");
  return new Promise((resolve, reject) => {
    let sent = 0;
    const sending = httpRequest(url, { method: "POST", headers });
    sending.once("response", (response) => {
      resolve({ status: response.statusCode ?? 0, sent });
      sending.destroy();
    });
    sending.once("error", reject);
    const write = () => {
      if (sending.destroyed) return;
      sent += chunk.length;
      sending.write(chunk, (error) => (error ? undefined : setImmediate(write)));
    };
    write();
  });
}
