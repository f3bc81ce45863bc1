import { createHash } from "node:crypto";
import { archived, ask, linkPath, uploaded } from "./api";
import { expect, signIn, test } from "./fixtures";
import { freshRef } from "./forms";
import { downloadPdf, listed } from "./packets";
import { monthlyReport } from "./payloads";
import { pdfOf } from "./test-files";
import { readPdf } from "./test-pdf";

test("a download link answers whole, in ranges, unchanged and to HEAD, under a safe name, and is never stored", async ({
  page,
}) => {
  await signIn(page, "admin");
  await listed(page, "S-014");
  await page.getByRole("table").getByRole("link").last().click();
  await page.waitForURL(/\/packets\/job_/);
  const { bytes, digest, url } = await downloadPdf(page);
  const ask = (headers: Record<string, string>, method = "GET") => page.request.fetch(url, { method, headers });

  const whole = await ask({});
  expect(whole.status()).toBe(200);
  expect(whole.headers()).toMatchObject({
    "content-type": "application/pdf",
    "content-length": String(bytes.length),
    "accept-ranges": "bytes",
    "cache-control": "private, no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    etag: `"${digest}"`,
  });
  expect(whole.headers()["content-disposition"]).toMatch(
    /^attachment; filename="Ostra Park School, .*\.pdf"; filename\*=UTF-8''%C3%96stra%20Park%20School%2C%20.*\.pdf$/,
  );
  expect((await whole.body()).equals(bytes)).toBe(true);

  const head = await ask({}, "HEAD");
  expect(head.status()).toBe(200);
  expect(head.headers()["content-length"]).toBe(String(bytes.length));

  const parts = [];
  const middle = Math.floor(bytes.length / 2);
  for (const range of [`0-${middle - 1}`, `${middle}-`]) {
    const part = await ask({ range: `bytes=${range}`, "if-range": `"${digest}"` });
    expect(part.status()).toBe(206);
    const [from = "", to = ""] = range.split("-");
    expect(part.headers()["content-range"]).toBe(`bytes ${from}-${to || bytes.length - 1}/${bytes.length}`);
    parts.push(await part.body());
  }
  expect((await readPdf(Buffer.concat(parts))).digest).toBe(digest);
  const last = await ask({ range: "bytes=-100" });
  expect((await last.body()).equals(bytes.subarray(-100))).toBe(true);

  const beyond = await ask({ range: `bytes=${bytes.length}-` });
  expect(beyond.status()).toBe(416);
  expect(beyond.headers()["content-range"]).toBe(`bytes */${bytes.length}`);
  const known = await ask({ "if-none-match": `"${digest}"` });
  expect(known.status()).toBe(304);
  expect(await known.body()).toHaveLength(0);
});

test("each packet of the demonstration can be read back: the bytes are the recorded ones [C371]", async ({
  visit,
  database,
}) => {
  const { rows } = await database.query(
    "SELECT jobs.id, jobs.kind, artifacts.digest FROM jobs JOIN artifacts ON job_id = jobs.id WHERE correlation_id LIKE 'seed-%'",
  );
  const readers = {
    "monthly-report": "admin",
    "board-book": "admin",
    "onboarding-packet": "hr",
    "depot-report": "depot",
  } as const;
  for (const [kind, who] of Object.entries(readers)) {
    const { id, digest } = rows.find((row) => row.kind === kind) ?? {};
    const answer = await (await visit(who)).get(`/packets/${id}/view`);
    const found = createHash("sha256")
      .update(await answer.body())
      .digest("hex");
    expect(`sha256:${found}`, kind).toBe(digest);
  }
});

test("asking for a link and using it are on record: who, which packet, until when, under the packet's correlation id [C367,C369]", async ({
  visit,
  database,
}) => {
  const admin = await visit("admin");
  const jobId = await archived(admin, monthlyReport(freshRef("S"), "Ekbacken School"));
  const path = (await linkPath(admin, jobId)) ?? "";
  await admin.get(path);
  const { rows } = await database.query(
    `SELECT action, actor_id, facts, audit_events.correlation_id = jobs.correlation_id AS correlated
     FROM audit_events JOIN jobs ON jobs.id = facts ->> 'job' WHERE jobs.id = $1 ORDER BY audit_events.id`,
    [jobId],
  );
  const { userId } = await ask(admin, "accounts.session");
  const link = expect.stringMatching(/^lnk_/);
  expect(rows).toEqual([
    {
      ...{ action: "link.issued", actor_id: userId, correlated: false },
      facts: { job: jobId, link, expiresAt: expect.stringMatching(/Z$/) },
    },
    {
      ...{ action: "artifact.downloaded", actor_id: userId, correlated: true },
      facts: { job: jobId, link, bytes: expect.any(Number) },
    },
  ]);
  const inMinutes = (Date.parse(rows[0].facts.expiresAt) - Date.now()) / 60_000;
  expect(inMinutes).toBeGreaterThan(0);
  expect(inMinutes).toBeLessThanOrEqual(60);
});

test("what was uploaded has no address, not even for who uploaded it [C370]", async ({ visit }) => {
  const admin = await visit("admin");
  const { sourceId } = await uploaded(admin, await pdfOf("input.pdf", ["Only input"]));
  const places = ["/api/uploads", `/api/uploads/${sourceId}`, `/sources/${sourceId}`, `/packets/${sourceId}`];
  places.push(`/packets/${sourceId}/view`, `/packets/preview/${sourceId}/pdf`, `/d/${sourceId}`);
  for (const path of places) {
    const answer = await admin.get(path);
    expect.soft(answer.headers()["content-type"] ?? "", path).not.toContain("application/pdf");
    expect.soft(await answer.text(), path).not.toContain("%PDF");
  }
});
