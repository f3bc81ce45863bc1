import { archived } from "./api";
import { expect, signIn, test } from "./fixtures";
import { fillMonthlyReport, freshRef } from "./forms";
import { copyOfJob } from "./jobs";
import { submit } from "./packets";
import { monthlyReport } from "./payloads";
import { addPerson, addTenant } from "./people";

test.use({ expectedConsoleErrors: [/net::ERR_FAILED/] });

const LIST = /\/api\/trpc\/[^?]*packets\.list/;
/** What the router asks for on the way to the list. */
const LIST_PAGE = /\/packets\?_rsc=/;
const STATUS = /\/api\/trpc\/[^?]*packets\.read\?/;

test("a tenant without packets is told what would be here and what to do first", async ({ page, database }) => {
  const tenantId = await addTenant(database, "Sundvik Schools");
  await signIn(page, await addPerson(database, { tenantId, name: "Tove Lind", role: "admin" }));
  await page.goto("/packets");
  await expect(page.getByRole("heading", { name: "No packets yet" })).toBeVisible();
  await page.getByRole("button", { name: "Failed" }).click();
  await expect(page.getByRole("heading", { name: "No packet fits" })).toBeVisible();
  await page.getByRole("button", { name: "Show all packets" }).click();
  await expect(page).toHaveURL(/\/packets$/);
  await page.getByRole("main").getByRole("link", { name: "New packet" }).last().click();
  await expect(page.getByRole("heading", { name: "New packet" })).toBeVisible();
});

test("the list keeps its place while it loads, says when it cannot be read, and tries again when asked", async ({
  page,
}) => {
  await signIn(page, "admin");
  await page.goto("/packets/new", { waitUntil: "networkidle" });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route(LIST_PAGE, async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Packets" }).first().click();
  await expect(page.getByRole("status").filter({ hasText: "Loading" })).toBeVisible();
  release();
  await expect(page.getByRole("table")).toBeVisible();

  await page.route(LIST, (route) => route.abort());
  await page.getByRole("button", { name: "Archived" }).click();
  const notice = page.getByRole("alert", { name: "The list could not be read" });
  await expect(notice).toContainText("Bindery did not answer. Check your connection, then try again.");
  await page.unroute(LIST);
  await notice.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("table")).toBeVisible();
  await expect(notice).toHaveCount(0);
  await expect(page).toHaveURL(/state=succeeded/);
});

test("a packet that cannot be made says which field and why, and leads to a new revision of it [C351]", async ({
  page,
}) => {
  const ref = freshRef("S");
  await signIn(page, "admin");
  await page.goto("/packets/new/monthly-report");
  await fillMonthlyReport(page, ref, "Ekbacken School");
  await page.getByLabel("Headline", { exact: true }).fill("Everybody came 🎉");
  await submit(page);
  await expect(page.getByRole("status").filter({ hasText: /^Failed/ })).toContainText("Nothing was archived.");
  const reason = page.getByRole("alert").filter({ hasText: "Headline" });
  await expect(reason).toContainText("Some characters cannot be printed. Change them and submit again.");
  await expect(reason.getByRole("listitem")).toContainText(
    "Headline: This holds a character that cannot be printed (U+1F389).",
  );
  await expect(page.getByRole("button", { name: /^Download/ })).toHaveCount(0);
  await page.getByRole("link", { name: "Make a new revision" }).click();
  await expect(page.getByLabel("Headline", { exact: true })).toHaveValue("Everybody came 🎉");
});

test("a status that cannot be read is not taken for a failure; a failure is [C344]", async ({
  page,
  visit,
  database,
}) => {
  const made = await archived(await visit("admin"), monthlyReport(freshRef("S"), "Ekbacken School"));
  const inAnHour = new Date(Date.now() + 3_600_000);
  const waiting = { state: "queued", due_at: inAnHour, settled_at: null, claimed_at: null, attempt: 0 };
  const jobId = await copyOfJob(database, made, waiting);
  await signIn(page, "admin");
  await page.goto(`/packets/${jobId}`);
  const status = page.getByRole("status").filter({ hasText: /^Waiting/ });
  await expect(status).toContainText("Waiting since");
  await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
  await page.route(STATUS, (route) => route.abort());
  await expect(page.getByText("Bindery does not answer at the moment.")).toBeVisible();
  await expect(status).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: /^Failed/ })).toHaveCount(0);

  await page.unroute(STATUS);
  await database.query(
    "UPDATE jobs SET state = 'dead_letter', failure_code = 'storage_unavailable', settled_at = now() WHERE id = $1",
    [jobId],
  );
  await expect(page.getByRole("status").filter({ hasText: /^Failed/ })).toBeVisible();
  await expect(page.getByRole("alert").filter({ hasText: "This packet was not made" })).toBeVisible();
  await expect(page.getByText("Bindery does not answer at the moment.")).toHaveCount(0);
});

test("a packet that waits is stopped by who asks for it, after one question", async ({ page, visit, database }) => {
  const made = await archived(await visit("admin"), monthlyReport(freshRef("S"), "Ekbacken School"));
  const inAnHour = new Date(Date.now() + 3_600_000);
  const waiting = { state: "queued", due_at: inAnHour, settled_at: null, claimed_at: null, attempt: 0 };
  const jobId = await copyOfJob(database, made, waiting);
  await signIn(page, "admin");
  await page.goto(`/packets/${jobId}`);
  await page.getByRole("button", { name: "Stop" }).click();
  const question = page.getByRole("dialog", { name: "Stop making this packet?" });
  await question.getByRole("button", { name: "Keep making it" }).click();
  await expect(question).toHaveCount(0);
  await page.getByRole("button", { name: "Stop" }).click();
  await question.getByRole("button", { name: "Stop it" }).click();
  await expect(page.getByRole("status").filter({ hasText: /^Cancelled/ })).toBeVisible();
  await expect(page.getByText("Stopped before it was archived")).toBeVisible();
});
