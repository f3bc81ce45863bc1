import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { submitted } from "./api";
import { expect, signIn, test } from "./fixtures";
import { freshRef } from "./forms";
import { downloadPdf, expectProofOf, waitForArchived } from "./packets";
import { monthlyReport, withClasses } from "./payloads";

test("a worker killed while it makes pages is started again, and each packet is made once, with no directory left [C141,C154,C296,C447]", async ({
  page,
  visit,
  product,
  database,
}) => {
  test.skip(!existsSync("/proc/self/status"), "processes are found in /proc");
  const admin = await visit("admin");
  const jobIds: string[] = [];
  for (let index = 0; index < 4; index += 1)
    jobIds.push(await submitted(admin, withClasses(monthlyReport(freshRef("S"), "Ekbacken School"), 400)));
  await signIn(page, "admin");
  await page.goto(`/packets/${jobIds[0]}`);
  await expect(page.getByRole("status").filter({ hasText: /^Making it/ })).toBeVisible();
  const [pid] = workersOf(product.pid);
  process.kill(pid ?? 0, "SIGKILL");

  await expect.poll(() => workersOf(product.pid).filter((found) => found !== pid)).toHaveLength(1);
  const held = "state = 'running' AND id = ANY($1)";
  const { rowCount } = await database.query(`SELECT 1 FROM jobs WHERE ${held}`, [jobIds]);
  expect(rowCount).toBeGreaterThan(0);
  await expect(page.getByRole("button", { name: /^Download/ })).toHaveCount(0);
  // As if the two minutes had gone by for which the killed worker had promised to be alive.
  await database.query(`UPDATE jobs SET lease_until = now() - interval '1 second' WHERE ${held}`, [jobIds]);

  await waitForArchived(page);
  await expectProofOf(page, await downloadPdf(page));
  const made = () => database.query("SELECT count(*)::int AS made FROM artifacts WHERE job_id = ANY($1)", [jobIds]);
  await expect.poll(async () => (await made()).rows[0].made, { timeout: 30_000 }).toBe(jobIds.length);
  const archivedOnce = await database.query(
    "SELECT subject_id FROM audit_events WHERE action = 'packet.completed' AND subject_id = ANY($1)",
    [jobIds],
  );
  expect(archivedOnce.rows.map(({ subject_id }) => subject_id).sort()).toEqual([...jobIds].sort());
  await expect.poll(() => readdir(join(product.dataFolder, "workspaces"))).toEqual([]);
});

/** The worker processes that the product keeps running. */
function workersOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => new RegExp(`^PPid:\\s${parent}$`, "m").test(read(`/proc/${pid}/status`)))
    .filter((pid) => read(`/proc/${pid}/cmdline`).includes("worker/main.js"))
    .map(Number);
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // It ended in between.
    return "";
  }
}
