import type { Page } from "@playwright/test";
import { expect, type Fixtures, signIn, test } from "./fixtures";
import { fill, fillMonthlyReport, freshRef } from "./forms";
import { downloadPdf, packetShown, submit, waitForArchived } from "./packets";

test("pressing Submit twice makes one packet [C31]", async ({ page, database }) => {
  const ref = freshRef("S");
  await signIn(page, "admin");
  await openFilled(page, ref);
  await page.getByRole("button", { name: "Submit" }).dblclick();
  const jobId = await packetShown(page);
  await waitForArchived(page);
  expect(await jobsOf(database, ref)).toEqual([jobId]);
});

test("the same form sent from two tabs at once makes one packet, and both lead to it; a changed one is revision 2, and revision 1 says so [C11,C31,C457]", async ({
  page,
  context,
  database,
}) => {
  const ref = freshRef("S");
  await signIn(page, "admin");
  const other = await context.newPage();
  for (const tab of [page, other]) await openFilled(tab, ref);
  const told = Promise.any([page, other].map((tab) => tab.getByText("It was submitted before").waitFor()));
  const [jobId, sameId] = await Promise.all([submit(page), submit(other), told]);
  expect(sameId).toBe(jobId);
  expect(await jobsOf(database, ref)).toEqual([jobId]);
  await waitForArchived(page);

  await page.getByRole("link", { name: "Make a new revision" }).click();
  await expect(page.getByText("This begins with what was submitted before.")).toBeVisible();
  await expect(page.getByLabel("School code", { exact: true })).toHaveValue(ref);
  await fill(page, { Headline: "A correction to the figures of the month." });
  const second = await submit(page);
  expect(second).not.toBe(jobId);
  await expect(page.getByText("revision 2")).toBeVisible();
  await waitForArchived(page);
  expect((await downloadPdf(page)).pages[0]).toContain("A correction to the figures");

  await page.goto(`/packets/${jobId}`);
  await expect(page.getByText(/^A newer one takes its place: revision 2/)).toBeVisible();
  expect((await downloadPdf(page)).pages[0]).toContain("Attendance recovered");
  await page.getByRole("link", { name: "revision 2" }).click();
  await expect(page).toHaveURL(new RegExp(`${second}$`));
});

async function openFilled(page: Page, ref: string): Promise<void> {
  await page.goto("/packets/new/monthly-report");
  await fillMonthlyReport(page, ref, "Kvarnholmen School");
}

async function jobsOf(database: Fixtures["database"], ref: string): Promise<string[]> {
  const { rows } = await database.query("SELECT id FROM jobs WHERE scope = $1", [ref]);
  return rows.map(({ id }) => id);
}
