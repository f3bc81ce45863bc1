import { expect, signIn, test } from "./fixtures";
import { downloadPdf, listed } from "./packets";
import { readPdf } from "./test-pdf";

test("a download link answers whole, in ranges, unchanged and to HEAD, under a safe name, and is never stored", async ({
  page,
}) => {
  await signIn(page, "admin");
  await listed(page, "S-014");
  await page.getByRole("table").getByRole("link").first().click();
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
