import type { APIRequestContext } from "@playwright/test";
import { archived, ask, call, declaredProcedures, previewed, uploaded } from "./api";
import { expect, type Fixtures, signIn, test } from "./fixtures";
import { freshRef } from "./forms";
import { boardBook, depotReport } from "./payloads";
import { addPerson, addTenant, newId } from "./people";
import { pdfOf } from "./test-files";

/** Ids of a tenant's things, or ids that nothing has. */
interface Ids {
  readonly jobId: string;
  readonly previewId: string;
  readonly sourceId: string;
  readonly tenantId: string;
  readonly keyId: string;
}

const STRANGERS = ["admin", "newHire", "operator"] as const;

/** What answers with somebody's things under an id of theirs, and is no page. */
const FILES = [
  ["GET", ({ jobId }: Ids) => `/packets/${jobId}/view`],
  ["HEAD", ({ jobId }: Ids) => `/packets/${jobId}/view`],
  ["POST", ({ jobId }: Ids) => `/packets/${jobId}/download`],
  ["GET", ({ previewId }: Ids) => `/packets/preview/${previewId}/pdf`],
] as const;

/** Each procedure with what it is asked. */
const PROCEDURES: Readonly<Record<string, (ids: Ids) => unknown>> = {
  "accounts.session": () => undefined,
  "accounts.switchTenant": ({ tenantId }) => ({ tenantId }),
  "accounts.signOut": () => undefined,
  "operations.lanes": () => undefined,
  "operations.deadLetters": () => ({ page: 1 }),
  "operations.timers": () => ({ window: "hour" }),
  "operations.job": ({ jobId }) => ({ jobId }),
  "operations.redrive": ({ jobId }) => ({ choice: { jobIds: [jobId] }, reason: "cause_mended" }),
  "operations.discard": ({ jobId }) => ({ choice: { jobIds: [jobId] }, reason: "not_needed" }),
  "packets.kinds": () => undefined,
  "packets.describeKind": () => ({ kind: "depot-report" }),
  "packets.submit": ({ sourceId }) => boardBook("B-FOREIGN", "Borrowed papers", [sourceId]),
  "packets.preview": ({ sourceId }) => boardBook("B-FOREIGN", "Borrowed papers", [sourceId]),
  "packets.readPreview": ({ previewId }) => ({ jobId: previewId }),
  "packets.read": ({ jobId }) => ({ jobId }),
  "packets.readPayload": ({ jobId }) => ({ jobId }),
  "packets.history": ({ jobId }) => ({ jobId }),
  "packets.cancel": ({ jobId }) => ({ jobId }),
  "packets.retry": ({ jobId }) => ({ jobId }),
  "packets.list": () => ({ page: 1, text: DEPOT }),
  "packets.mine": () => undefined,
  "sources.read": ({ sourceId }) => ({ sourceIds: [sourceId] }),
  "sources.library": () => undefined,
  "tenants.apiKeys": () => undefined,
  "tenants.createApiKey": () => ({ name: "", permissions: [], kinds: [], scopes: [], expiresAt: null }),
  "tenants.revokeApiKey": ({ keyId }) => ({ keyId }),
};

const DEPOT = "Wilhelmshaven Canary Quay";
const NOBODYS: Ids = {
  jobId: newId("job"),
  previewId: newId("job"),
  sourceId: newId("src"),
  tenantId: newId("ten"),
  keyId: newId("key"),
};

let made: Promise<Ids> | undefined;

test.beforeEach(({ visit, database }) => theirs(visit, database));

/** What a tenant of its own has, and nobody else may see; made once. */
function theirs(visit: Fixtures["visit"], database: Fixtures["database"]): Promise<Ids> {
  made ??= makeTheirs(visit, database);
  return made;
}

async function makeTheirs(visit: Fixtures["visit"], database: Fixtures["database"]): Promise<Ids> {
  const tenantId = await addTenant(database, "Nordsee Logistik");
  const owner = await visit(await addPerson(database, { tenantId, name: "Imke Janssen", role: "admin" }));
  const request = depotReport(freshRef("D"), DEPOT);
  const [jobId, previewId, { sourceId }] = await Promise.all([
    archived(owner, request),
    previewed(owner, request),
    uploaded(owner, await pdfOf("secret.pdf", ["Secret"])),
  ]);
  const key = { name: DEPOT, permissions: ["packets:read"], kinds: [], scopes: [], expiresAt: null };
  const { keyId } = await ask(owner, "tenants.createApiKey", key);
  return { jobId, previewId, sourceId, tenantId, keyId: String(keyId) };
}

test.use({ expectedConsoleErrors: [/status of 404/] });

test("every procedure is covered here", () => {
  expect(Object.keys(PROCEDURES).sort()).toEqual([...declaredProcedures().keys()].sort());
});

for (const who of STRANGERS) {
  test(`to ${who}, another tenant's ids are ids that nothing has: in every procedure, and nothing comes of asking [C8,C362,C365]`, async ({
    visit,
    database,
  }) => {
    const asker = await visit(who);
    const ids = await theirs(visit, database);
    const before = await rowsOf(database, ids);
    for (const [procedure, inputFor] of Object.entries(PROCEDURES)) {
      if (procedure === "accounts.signOut") continue;
      const foreign = await call(asker, procedure, inputFor(ids));
      expect.soft(JSON.stringify(foreign), procedure).not.toContain(DEPOT);
      // Operators know jobs of every tenant by their ids, though nothing of their content.
      if (who === "operator" && procedure.startsWith("operations.")) continue;
      // Lists and counts of one's own change with what goes on beside this test.
      if (JSON.stringify(inputFor(ids)) === JSON.stringify(inputFor(NOBODYS))) continue;
      expect.soft(foreign, procedure).toEqual(await call(asker, procedure, inputFor(NOBODYS)));
    }
    for (const [method, pathFor] of FILES) {
      const [foreign, unknown] = [await file(asker, method, pathFor(ids)), await file(asker, method, pathFor(NOBODYS))];
      expect.soft(foreign.status, pathFor(ids)).toBe(404);
      expect.soft(foreign, pathFor(ids)).toEqual(unknown);
    }
    expect(await rowsOf(database, ids)).toEqual(before);
  });

  test(`to ${who}, another tenant's packet page looks like one that is not there [C8]`, async ({
    page,
    visit,
    database,
  }) => {
    const { jobId, previewId } = await theirs(visit, database);
    await signIn(page, who);
    const shown = [];
    for (const path of [jobId, previewId, NOBODYS.jobId, "..%2F..%2Fpackets", "job_", "%00"]) {
      const answer = await page.goto(`/packets/${path}`);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      shown.push([answer?.status(), await page.locator("main").textContent()]);
    }
    for (const entry of shown) expect(entry).toEqual(shown[0]);
    expect(shown[0]?.[1]).toContain("There is nothing here");
    await page.goto(`/packets/new/depot-report?from=${jobId}`);
    await expect(page.locator("body")).not.toContainText(DEPOT);
  });
}

test("somebody who is not signed in gets nothing: procedures refuse, pages lead to signing in, files and uploads are closed [C59,C79]", async ({
  page,
  visit,
  database,
}) => {
  const asker = await visit(null);
  const ids = await theirs(visit, database);
  for (const [procedure, inputFor] of Object.entries(PROCEDURES)) {
    if (procedure === "accounts.session") continue;
    expect.soft((await call(asker, procedure, inputFor(ids))).status, procedure).toBe(401);
  }
  for (const [method, pathFor] of FILES) {
    const answer = await asker.fetch(pathFor(ids), {
      method,
      maxRedirects: 0,
      headers: { "sec-fetch-site": "same-origin" },
    });
    expect.soft(answer.headers()["content-type"] ?? "", pathFor(ids)).not.toContain("pdf");
    expect
      .soft(method === "POST" ? answer.headers().location : answer.status())
      .toBe(method === "POST" ? "/sign-in" : 401);
  }
  const upload = await asker.post("/api/uploads", { data: "%PDF", headers: { "sec-fetch-site": "same-origin" } });
  expect(upload.status()).toBe(401);
  for (const path of [
    "/",
    "/packets",
    `/packets/${ids.jobId}`,
    "/packets/new",
    "/packets/new/depot-report",
    "/my-packets",
    "/ops",
  ]) {
    await page.goto(path);
    const back = path === "/" ? "/sign-in" : `/sign-in?to=${encodeURIComponent(path)}`;
    expect.soft(new URL(page.url()).pathname + new URL(page.url()).search).toBe(back);
  }
});

async function file(asker: APIRequestContext, method: string, path: string) {
  const answer = await asker.fetch(path, { method, headers: { "sec-fetch-site": "same-origin" } });
  return { status: answer.status(), type: answer.headers()["content-type"], body: await answer.text() };
}

/** How many rows there are of what asking could change. */
async function rowsOf(database: Fixtures["database"], { tenantId }: Ids) {
  const { rows } = await database.query(
    `SELECT (SELECT count(*) FROM jobs WHERE tenant_id = $1 OR business_identity = 'meeting:B-FOREIGN') AS jobs,
            (SELECT count(*) FROM api_keys WHERE tenant_id = $1 AND revoked_at IS NULL) AS keys,
            (SELECT count(*) FROM download_links WHERE tenant_id = $1) AS links,
            (SELECT count(*) FROM audit_events WHERE tenant_id = $1) AS events`,
    [tenantId],
  );
  return rows[0];
}
