import { archived, ask, call, linkPath } from "./api";
import { expect, signIn, test } from "./fixtures";
import { freshRef } from "./forms";
import { copyOfJob } from "./jobs";
import { downloadPdf } from "./packets";
import { depotReport, onboarding } from "./payloads";
import { addPerson, tenantOf } from "./people";

test.use({ expectedConsoleErrors: [/status of 404/] });

test("a recipient sees only what is addressed to them, and only on the page of their packets", async ({
  page,
  visit,
  database,
}) => {
  const hr = await visit("hr");
  const tenantId = await tenantOf(database, "hr");
  const email = await addPerson(database, { tenantId, name: "Noor de Vries", role: "recipient" });
  const otherEmail = await addPerson(database, { tenantId, name: "Piet Bos", role: "recipient" });
  const [own, others] = await Promise.all([
    archived(hr, onboarding(freshRef("E"), "Noor de Vries", email)),
    archived(hr, onboarding(freshRef("E"), "Piet Bos", otherEmail)),
  ]);

  await signIn(page, email);
  await page.goto("/");
  await expect(page).toHaveURL(/\/my-packets$/);
  await expect(page.getByRole("navigation", { name: "Main" }).getByRole("link")).toHaveText(["My packets"]);
  const cards = page.getByRole("article");
  await expect(cards).toHaveCount(1);
  await expect(cards.getByRole("heading")).toHaveText("Noor de Vries");
  await expect(cards.getByRole("listitem")).toHaveText([/^Welcome letter/, /^Offer summary/, /^Acknowledgement/]);
  const pdf = await downloadPdf(page);
  expect(pdf.fileName).toBe("Noor de Vries.pdf");
  expect(pdf.pages).toHaveLength(3);

  await page.goto("/packets");
  await expect(page).toHaveURL(/\/my-packets$/);
  const elsewhere = [`/packets/${own}`, `/packets/${others}`, "/packets/new", "/packets/new/onboarding-packet", "/ops"];
  for (const path of elsewhere) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("There is nothing here");
    await expect(page.getByText("Piet Bos")).toHaveCount(0);
  }
  const recipient = await visit(email);
  expect(await linkPath(recipient, others)).toBeNull();
  expect((await recipient.get(`/packets/${others}/view`)).status()).toBe(404);
  for (const procedure of ["packets.read", "packets.history", "packets.readPayload", "packets.cancel"])
    expect.soft((await call(recipient, procedure, { jobId: own })).status, procedure).toBe(404);
  expect((await call(recipient, "packets.submit", onboarding(freshRef("E"), "Me", email))).status).toBe(404);
});

test("operators see ages, counts, codes and ids, and nothing of what packets hold; a dead letter says why and since when [C131,C406,C421]", async ({
  page,
  visit,
  database,
}) => {
  const depot = await visit("depot");
  const made = await archived(depot, depotReport(freshRef("D"), "Cuxhaven Canary Quay"));
  const dead = await copyOfJob(database, made, {
    ...{ state: "dead_letter", failure_code: "storage_unavailable", first_failure_code: "renderer_lost" },
    ...{ failure_stage: "publish", attempt: 5, attempts_max: 5 },
  });
  const inAnHour = new Date(Date.now() + 3_600_000);
  await copyOfJob(database, made, { state: "retry_wait", due_at: inAnHour, failure_code: "renderer_busy" });

  await signIn(page, "operator");
  await page.goto("/");
  await expect(page).toHaveURL(/\/ops$/);
  const letter = page.getByRole("region", { name: "Dead letters" }).getByRole("row").filter({ hasText: dead });
  await expect(letter).toContainText("storage_unavailable");
  await expect(letter).toContainText("Storage did not answer.");
  await expect(letter).toContainText("First: renderer_lost.");
  await expect(letter).toContainText("5 of 5");
  const lane = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "archive" }) });
  await expect(lane.getByRole("cell").nth(4)).toHaveText(/^[1-9]/);

  const operator = await visit("operator");
  const seen = [await page.locator("body").textContent()];
  for (const [procedure, input] of [["operations.lanes"], ["operations.deadLetters", { page: 1 }]] as const)
    seen.push(JSON.stringify(await ask(operator, procedure, input)));
  const { rows } = await database.query(
    "SELECT name FROM tenants UNION SELECT subject FROM jobs UNION SELECT scope FROM jobs",
  );
  for (const { name } of rows) for (const text of seen) expect.soft(text?.includes(name), name).toBe(false);
});
