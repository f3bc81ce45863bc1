import type { Page } from "@playwright/test";
import { archived, call, linkPath } from "./api";
import { expect, passwordOf, signIn, test } from "./fixtures";
import { fill, freshRef } from "./forms";
import { monthlyReport } from "./payloads";
import { addPerson, addTenant } from "./people";

test.use({ expectedConsoleErrors: [/status of 401/] });

test("signing in says plainly what went wrong, and leads to where one wanted to go", async ({ page, database }) => {
  const tenantId = await addTenant(database, "Sundvik Schools");
  const email = await addPerson(database, { tenantId, name: "Tove Lind", role: "coordinator" });
  await page.goto("/packets/new/monthly-report");
  await expect(page.getByRole("heading", { name: "Sign in to Bindery" })).toBeVisible();
  await enter(page, email, "not the password");
  await expect(
    page.getByRole("alert").filter({ hasText: "This address and password do not go together." }),
  ).toBeVisible();
  await enter(page, email, passwordOf(email));
  await expect(page).toHaveURL(/\/packets\/new\/monthly-report$/);
  await expect(page.getByRole("heading", { level: 1, name: "Monthly report" })).toBeVisible();
});

test("signing out ends the session itself: a kept cookie is worth nothing", async ({ page, visit, database }) => {
  const tenantId = await addTenant(database, "Sundvik Schools");
  const email = await addPerson(database, { tenantId, name: "Tove Lind", role: "coordinator" });
  await signIn(page, email);
  await page.goto("/packets");
  const keeper = await visit(email);
  expect((await call(keeper, "packets.list", { page: 1 })).status).toBe(200);
  await page.getByRole("button", { name: "account of Tove Lind" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
  expect((await call(keeper, "packets.list", { page: 1 })).status).toBe(401);
});

test("a download link opened by somebody who is not signed in gives the file once they are", async ({
  page,
  visit,
  database,
}) => {
  const tenantId = await addTenant(database, "Sundvik Schools");
  const email = await addPerson(database, { tenantId, name: "Tove Lind", role: "coordinator" });
  const owner = await visit(email);
  const path = await linkPath(owner, await archived(owner, monthlyReport(freshRef("S"), "Sundvik School")));
  await page.goto(path ?? "");
  await expect(page.getByText("Your file is ready once we know who you are.")).toBeVisible();
  const [download] = await Promise.all([page.waitForEvent("download"), enter(page, email, passwordOf(email))]);
  expect(download.suggestedFilename()).toMatch(/^Sundvik School, .*\.pdf$/);
  await expect(page.getByRole("heading", { name: "You are signed in" })).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "The download begins." })).toBeVisible();
});

test("somebody of two tenants acts for one at a time", async ({ page, visit, database }) => {
  const [first, second] = [await addTenant(database, "Alfa Schools"), await addTenant(database, "Beta Schools")];
  const email = await addPerson(database, { tenantId: first, name: "Tove Lind", role: "admin" });
  await database.query(
    "INSERT INTO memberships (tenant_id, user_id, role, created_at) SELECT $1, id, 'viewer', now() FROM users WHERE email = $2",
    [second, email],
  );
  await archived(await visit(email), monthlyReport(freshRef("S"), "Alfa School"));
  await signIn(page, email);
  await page.goto("/packets");
  await expect(page.getByRole("table").getByRole("link")).toHaveText([/^Alfa School/]);
  await page.getByRole("button", { name: "Acting for Alfa Schools. Change" }).click();
  await page.getByRole("menuitem", { name: "Beta Schools" }).click();
  await expect(page.getByRole("button", { name: "Acting for Beta Schools. Change" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "No packets yet" })).toBeVisible();
  await expect(page.getByRole("link", { name: "New packet" })).toHaveCount(0);
});

async function enter(page: Page, email: string, password: string): Promise<void> {
  await fill(page, { "E-mail address": email, Password: password });
  await page.getByRole("button", { name: "Sign in" }).click();
}
