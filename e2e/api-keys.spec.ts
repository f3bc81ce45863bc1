import { request } from "@playwright/test";
import { expect, signIn, test } from "./fixtures";
import { freshRef } from "./forms";

test.use({ expectedConsoleErrors: [/status of 4\d\d|net::ERR_FAILED/] });

const KEYS = /\/api\/trpc\/[^?]*tenants\.apiKeys/;

test("an administrator makes a key, sees its secret once, and ends it: the program is let in, then refused", async ({
  page,
  product,
}) => {
  const name = freshRef("HR import ");
  await signIn(page, "admin");
  await page.goto("/packets");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Settings" }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "API keys" })).toBeVisible();
  await page.getByRole("button", { name: "New key" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New API key" });
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await dialog.getByRole("button", { name: "Make the key" }).click();
  await expect(dialog.getByText("Give the key a name of at most 80 characters.")).toBeVisible();

  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("checkbox", { name: "Upload files" }).uncheck();
  await dialog.getByLabel("Name").press("Enter");
  const shown = page.getByRole("dialog", { name: "Copy the key now" });
  await expect(shown.getByText("You will not see it again")).toBeVisible();
  const secret = (await shown.getByTestId("secret").textContent())?.trim() ?? "";
  expect(secret).toMatch(/^bk_[\w-]{43}$/);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await shown.getByRole("button", { name: "Copy the key" }).click();
  await expect(shown.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  await page.keyboard.press("Escape");
  await expect(shown).toBeVisible();
  await shown.getByRole("button", { name: "I have kept it" }).click();
  const row = page.getByRole("row", { name });
  await expect(row).toContainText("In use");
  await expect(row).toContainText("never");
  await expect(row).toContainText("submit, read, download");

  const headers = { authorization: `Bearer ${secret}` };
  const program = await request.newContext({ baseURL: product.url, extraHTTPHeaders: headers });
  expect((await program.get("/api/v1/packets")).status()).toBe(200);
  const upload = await program.post("/api/v1/sources", { data: Buffer.from("%PDF-1.7") });
  expect([upload.status(), (await upload.json()).code]).toEqual([403, "forbidden"]);
  await page.reload();
  expect(await page.content()).not.toContain(secret);
  await expect(row).not.toContainText("never");

  await row.getByRole("button", { name: `Revoke ${name}` }).click();
  const sure = page.getByRole("dialog", { name: `Revoke ${name}?` });
  await expect(sure).toContainText("refused from this moment on");
  await sure.getByRole("button", { name: "Keep it" }).click();
  expect((await program.get("/api/v1/packets")).status()).toBe(200);
  await row.getByRole("button", { name: `Revoke ${name}` }).click();
  await sure.getByRole("button", { name: "Revoke the key" }).click();
  await expect(row).toContainText("Revoked");
  await expect(row.getByRole("button")).toHaveCount(0);
  expect((await program.get("/api/v1/packets")).status()).toBe(401);
  await program.dispose();
});

test("whoever is no administrator finds neither the place nor the page, nor what it asks for", async ({
  page,
  visit,
}) => {
  await signIn(page, "hr");
  await page.goto("/packets");
  await expect(page.getByRole("navigation", { name: "Main" }).first()).toBeVisible();
  await expect(page.getByRole("link", { name: "Settings" })).toHaveCount(0);
  await page.goto("/settings/api-keys");
  await expect(page.getByRole("heading", { name: "There is nothing here" })).toBeVisible();
  expect((await (await visit("hr")).get("/api/trpc/tenants.apiKeys")).status()).toBe(404);
  expect((await (await visit(null)).get("/api/trpc/tenants.apiKeys")).status()).toBe(401);
});

test("keys that cannot be read say so, and are read when asked again", async ({ page }) => {
  await signIn(page, "admin");
  await page.goto("/settings/api-keys", { waitUntil: "networkidle" });
  await page.route(KEYS, (route) => route.abort());
  await page.getByRole("button", { name: "New key" }).first().click();
  await page.getByRole("dialog").getByLabel("Name").fill(freshRef("Night run "));
  await page.getByRole("button", { name: "Make the key" }).click();
  await page.getByRole("button", { name: "I have kept it" }).click();
  const notice = page.getByRole("alert", { name: "The keys could not be read" });
  await expect(notice).toContainText("Bindery did not answer.");
  await page.unroute(KEYS);
  await notice.getByRole("button", { name: "Try again" }).click();
  await expect(notice).toHaveCount(0);
  await expect(page.getByRole("row", { name: "Night run" }).first()).toBeVisible();
});

test("the reference is there for everybody, shows every call, and leads to each part of it", async ({
  page,
  visit,
}) => {
  await page.goto("/api-reference");
  await expect(page.getByRole("heading", { level: 1, name: "API reference" })).toBeVisible();
  const contract = await (await (await visit(null)).get("/api/v1/openapi.json")).json();
  for (const [path, methods] of Object.entries<Record<string, { summary: string }>>(contract.paths)) {
    for (const [method, { summary }] of Object.entries(methods)) {
      const call = page.getByRole("article", { name: summary, exact: true });
      await expect(call).toContainText(`${method.toUpperCase()} ${path}`);
    }
  }
  await page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "Get a download link" }).click();
  await expect(page).toHaveURL(/#issueLink$/);
  await expect(page.getByRole("heading", { name: "Get a download link" })).toBeInViewport();

  const submit = page.getByRole("article", { name: "Submit a packet", exact: true });
  const kind = submit.locator("summary", { hasText: "Monthly report" }).first();
  await kind.focus();
  await page.keyboard.press("Enter");
  await expect(submit.getByText("preparedBy").first()).toBeVisible();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await submit.getByRole("button", { name: "Copy: Command for Submit a packet" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("Idempotency-Key");
});
