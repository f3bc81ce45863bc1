import type pg from "pg";
import { archived, ask, call } from "./api";
import { expect, signIn, test } from "./fixtures";
import { freshRef } from "./forms";
import { copyOfJob } from "./jobs";
import { monthlyReport } from "./payloads";

test.use({ expectedConsoleErrors: [/status of 4\d\d|net::ERR_FAILED/] });

const LIST = /\/api\/trpc\/[^?]*operations\.deadLetters/;

/** Dead letters of one code that no other test uses, so that they can be told apart. */
async function deadLetters(database: pg.Client, made: string, count: number, code: string): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1)
    ids.push(
      await copyOfJob(database, made, {
        ...{ state: "dead_letter", failure_code: code, first_failure_code: "renderer_lost", failure_stage: "fetch" },
        ...{ attempt: 5, attempts_max: 5, published_at: null },
      }),
    );
  return ids;
}

test("an operator narrows dead letters, redrives some and discards the rest, each with a reason, and sees what became of them [C408,C437]", async ({
  page,
  visit,
  database,
}) => {
  const made = await archived(await visit("admin"), monthlyReport(freshRef("S"), "Ekbacken Canary School"));
  const [one, two, three] = await deadLetters(database, made, 3, "workspace_failed");
  await signIn(page, "operator");
  await page.goto("/ops");
  await page.getByRole("link", { name: /^Redrive or discard/ }).click();
  await page.getByRole("button", { name: /^workspace_failed/ }).click();
  await expect(page).toHaveURL(/code=workspace_failed/);
  await expect(page.getByText("3 dead letters of this sort")).toBeVisible();
  const row = page.getByRole("row").filter({ hasText: String(one) });
  await expect(row).toContainText("A working folder could not be made.");
  await expect(row).toContainText("5 of 5");
  await expect(row).toContainText("until");

  await page.getByRole("checkbox", { name: `Select ${one}` }).check();
  await page.getByRole("checkbox", { name: `Select ${two}` }).check();
  await expect(page.getByText("2 selected")).toBeVisible();
  await page.getByRole("button", { name: "Redrive" }).click();
  const dialog = page.getByRole("dialog", { name: "Redrive 2 dead letters?" });
  const confirm = dialog.getByRole("button", { name: "Redrive 2" });
  await expect(confirm).toBeDisabled();
  await dialog.getByRole("radio", { name: "An outage is over" }).check();
  await confirm.click();
  await expect(page.getByRole("status").filter({ hasText: "2 dead letters redriven." })).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: String(one) })).toHaveCount(0);

  await page.getByRole("button", { name: "Select all 1 that match" }).click();
  await page.getByRole("button", { name: "Discard" }).click();
  const question = page.getByRole("dialog", { name: "Discard 1 dead letter?" });
  await question.getByRole("radio", { name: "Nobody needs it any more" }).check();
  await question.getByRole("button", { name: "Discard 1" }).click();
  await expect(page.getByRole("status").filter({ hasText: "1 dead letter discarded." })).toBeVisible();
  await expect(page.getByRole("heading", { name: "No dead letter fits" })).toBeVisible();

  const { rows } = await database.query("SELECT id, redrive_of, attempt FROM jobs WHERE redrive_of = ANY($1)", [
    [one, two, three],
  ]);
  expect(rows.map(({ redrive_of }) => redrive_of).sort()).toEqual([one, two].sort());
  const audit = await database.query(
    "SELECT action, facts ->> 'reason' AS reason FROM audit_events WHERE subject_id = ANY($1) ORDER BY action, id",
    [[one, two, three]],
  );
  expect(audit.rows).toEqual([
    { action: "packet.discarded", reason: "not_needed" },
    { action: "packet.redriven", reason: "outage_over" },
    { action: "packet.redriven", reason: "outage_over" },
  ]);
  await page.goto(`/ops/jobs/${one}`);
  await page
    .getByRole("region", { name: "State" })
    .getByRole("link", { name: rows.find(({ redrive_of }) => redrive_of === one)?.id })
    .click();
  await expect(page.getByRole("region", { name: "State" }).getByRole("link", { name: String(one) })).toBeVisible();
});

test("what two operators do at once is done once, and the second is told", async ({ page, visit, database }) => {
  const made = await archived(await visit("admin"), monthlyReport(freshRef("S"), "Ekbacken School"));
  const [jobId] = await deadLetters(database, made, 1, "renderer_busy");
  await signIn(page, "operator");
  await page.goto(`/ops/jobs/${jobId}`);
  await page.getByRole("button", { name: "Redrive" }).click();
  const other = await visit("operator");
  const order = { choice: { jobIds: [jobId] }, reason: "cause_mended" };
  expect((await ask(other, "operations.redrive", order)).done).toHaveLength(1);
  const dialog = page.getByRole("dialog", { name: "Redrive this dead letter?" });
  await dialog.getByRole("radio", { name: "What stopped it has been mended" }).check();
  await dialog.getByRole("button", { name: "Redrive 1" }).click();
  await expect(
    page.getByRole("status").filter({ hasText: "Not touched: 1 that wait for nobody any more." }),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: "Redrive" })).toHaveCount(0);
});

test("whoever submitted a packet that died reads plain words and has it tried again [C408]", async ({
  page,
  visit,
  database,
}) => {
  const admin = await visit("admin");
  const made = await archived(admin, monthlyReport(freshRef("S"), "Ekbacken School"));
  const [jobId] = await deadLetters(database, made, 1, "storage_unavailable");
  await signIn(page, "admin");
  await page.goto(`/packets/${jobId}`);
  await expect(page.getByRole("alert").filter({ hasText: "This packet was not made" })).toContainText(
    "Storage did not answer. It was tried 5 times.",
  );
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page).not.toHaveURL(new RegExp(String(jobId)));
  await expect(page).toHaveURL(/\/packets\/job_[0-9a-f]{32}$/);
  await page.goto(`/packets/${jobId}`);
  await expect(page.getByRole("link", { name: "see how that goes" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Try again" })).toHaveCount(0);
});

test("dead letters that cannot be read say so and are read again when asked; there are none for anybody but operators", async ({
  page,
  visit,
}) => {
  await signIn(page, "operator");
  await page.goto("/ops/dead-letters?code=no_such_code");
  await expect(page.getByRole("heading", { name: "No dead letter fits" })).toBeVisible();
  await page.route(LIST, (route) => route.abort());
  await page.getByRole("button", { name: "no_such_code (0)" }).click();
  const notice = page.getByRole("alert", { name: "Dead letters could not be read" });
  await expect(notice).toContainText("Bindery did not answer.");
  await page.unroute(LIST);
  await notice.getByRole("button", { name: "Try again" }).click();
  await expect(notice).toHaveCount(0);

  await signIn(page, "admin");
  for (const path of ["/ops/dead-letters", `/ops/jobs/job_${"0".repeat(32)}`]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("There is nothing here");
  }
  const admin = await visit("admin");
  const orders = { choice: { filter: {} }, reason: "not_needed" };
  expect((await call(admin, "operations.discard", orders)).status).toBe(404);
  expect((await call(admin, "operations.redrive", { ...orders, reason: "cause_mended" })).status).toBe(404);
  expect((await call(admin, "operations.timers", { window: "hour" })).status).toBe(404);
});
