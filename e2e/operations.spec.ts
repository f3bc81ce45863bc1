import { archived } from "./api";
import { expect, signIn, test } from "./fixtures";
import { freshRef } from "./forms";
import { copyOfJob } from "./jobs";
import { monthlyReport } from "./payloads";

test("the board shows age, depth, backoff and each timer of its own on one page, and no merged latency [C403,C423]", async ({
  page,
  visit,
}) => {
  await archived(await visit("admin"), monthlyReport(freshRef("S"), "Ekbacken School"));
  await signIn(page, "operator");
  await page.goto("/ops");
  const lanes = page.getByRole("region", { name: "Is anybody waiting too long?" });
  for (const name of ["Oldest waiting", "Ready", "Running", "Waiting to retry"])
    await expect(lanes.getByRole("columnheader", { name })).toBeVisible();
  await expect(page.getByRole("region", { name: /^Tried again/ }).getByText("Oldest backoff")).toBeVisible();
  const timers = page.getByRole("region", { name: "Where does the time go?" });
  for (const name of ["p50", "p95", "p99"])
    await expect(timers.getByRole("columnheader", { name, exact: true })).toBeVisible();
  for (const name of ["enqueue_to_start", "validation_duration", "render_duration", "archive_commit_duration"])
    await expect(timers.getByRole("row").filter({ hasText: name }).first()).toContainText(/\d (ms|s|min)/);
  await expect(page.getByText(/latency|total time|overall/i)).toHaveCount(0);
  await timers.getByText("Day", { exact: true }).click();
  await expect(page.getByRole("region", { name: "Tried again, last 24 hours" })).toBeVisible();
});

test("'cannot download' is answered on one page: revision, attempts, commit, reason, cleaning up, and what came before the alert [C387,C410,C411,C412,C413,C414,C432,C433]", async ({
  page,
  visit,
  database,
}) => {
  const canary = "Ekbacken Canary School";
  const made = await archived(await visit("admin"), monthlyReport(freshRef("S"), canary));
  const { rows } = await database.query(
    `SELECT a.digest, a.revision_id, j.worker_id, j.rendered_at, j.settled_at FROM artifacts a JOIN jobs j ON j.id = a.job_id
     WHERE j.id = $1`,
    [made],
  );
  const [{ digest, revision_id, worker_id, rendered_at }] = rows;
  await signIn(page, "operator");
  const alert = new Date(rendered_at.getTime() - 5_000);
  await page.goto(`/ops/jobs/${made}?alert=${alert.toISOString()}`);
  const short = page.getByRole("region", { name: "In short" });
  await expect(short).toContainText(revision_id);
  await expect(short).toContainText(`Attempt 1 on ${worker_id}`);
  await expect(short).toContainText(digest);
  await expect(short).toContainText("It did not.");
  await expect(short).toContainText("Yes.");
  const attempts = page.getByRole("region", { name: "Attempts" });
  await expect(attempts).toContainText("committed the artifact");
  for (const stage of ["validate", "render", "verify", "publish", "erase"])
    await expect(attempts.getByRole("row").filter({ hasText: stage })).toContainText(/\d+ (ms|s)/);
  const phases = page.getByRole("region", { name: "Phases" });
  await expect(phases.getByRole("row").filter({ hasText: "rendered" })).toContainText("5 s after it");
  await page.getByLabel("Compare with an alert").fill("2040-01-01T00:00:00");
  await expect(phases.getByRole("row").filter({ hasText: "settled" })).toContainText("before it");
  await expect(page).toHaveURL(/alert=2040/);
  await expect(page.getByText(canary)).toHaveCount(0);

  const failed = await copyOfJob(database, made, {
    ...{ state: "validation_failed", failure_code: "missing_glyphs", failure_stage: "render", published_at: null },
    failure_fields: [{ path: ["headline"], code: "missing_glyphs", message: `In ${canary}` }],
  });
  await database.query(
    `INSERT INTO attempts (job_id, number, worker_id, started_at, ended_at, outcome, failure_code, failure_stage)
     VALUES ($1, 1, 'wrk_gone', now(), now(), 'validation_failed', 'missing_glyphs', 'render')`,
    [failed],
  );
  await page.goto(`/ops/jobs/${failed}`);
  await expect(short).toContainText("missing_glyphs, stage render");
  await expect(short).toContainText("Some characters cannot be printed.");
  await expect(short).toContainText("1 of 1 not confirmed yet.");
  await expect(short).toContainText("nothing of it is in the archive");
  await expect(attempts).toContainText("not confirmed to be gone yet");
  await expect(page.getByText(canary)).toHaveCount(0);
});
