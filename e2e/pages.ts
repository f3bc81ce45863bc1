import { expect, type Page } from "@playwright/test";
import { archived } from "./api";
import { type Fixtures, PEOPLE, signIn } from "./fixtures";
import { chooseFiles, fill, fillDepotReport, fillMeeting, fillMonthlyReport, freshRef } from "./forms";
import { copyOfJob } from "./jobs";
import { listed, preview } from "./packets";
import { monthlyReport } from "./payloads";
import { addPerson, addTenant } from "./people";
import { csvOf, heicNamed, pdfOf, pictureOf } from "./test-files";

type Tools = Pick<Fixtures, "visit" | "database">;

/** Every page of the product, and the states of it that look different. Each opens one and waits until it stands still. */
export const PAGES: Readonly<Record<string, (page: Page, tools: Tools) => Promise<void>>> = {
  "sign-in": async (page) => {
    await page.goto("/sign-in");
  },
  "sign-in-refused": async (page) => {
    await page.goto("/sign-in");
    await fill(page, { "E-mail address": PEOPLE.admin, Password: "not the password" });
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "do not go together" })).toBeVisible();
  },
  packets: async (page) => {
    await signIn(page, "admin");
    await page.goto("/packets");
    await expect(page.getByRole("table")).toBeVisible();
  },
  "packets-empty": async (page, { database }) => {
    const tenantId = await addTenant(database, "Sundvik Schools");
    await signIn(page, await addPerson(database, { tenantId, name: "Tove Lind", role: "admin" }));
    await page.goto("/packets");
  },
  "new-packet": async (page) => {
    await signIn(page, "admin");
    await page.goto("/packets/new");
  },
  "new-monthly-report": async (page) => {
    await signIn(page, "admin");
    await page.goto("/packets/new/monthly-report");
  },
  "new-monthly-report-previewed": async (page) => {
    await signIn(page, "admin");
    await page.goto("/packets/new/monthly-report");
    await fillMonthlyReport(page, freshRef("S"), "Ekbacken School");
    await preview(page);
  },
  "new-monthly-report-refused": async (page) => {
    await signIn(page, "admin");
    await page.goto("/packets/new/monthly-report");
    await page.getByRole("button", { name: "Submit" }).click();
    await expect(page.getByRole("alert").filter({ hasText: /fields need another look/ })).toBeVisible();
  },
  "new-onboarding-packet": async (page) => {
    await signIn(page, "hr");
    await page.goto("/packets/new/onboarding-packet");
    for (const title of [/^Travel/, /^Code/]) await page.getByRole("checkbox", { name: title }).check();
  },
  "new-depot-report-refused-rows": async (page) => {
    await signIn(page, "depot");
    await page.goto("/packets/new/depot-report");
    await fillDepotReport(page, freshRef("D"), "Rotterdam Waalhaven");
    await chooseFiles(page, "Choose a CSV file", csvOf("november.csv", ["SH-1,yesterday,Søn,Malmö,4,12.5,80,eaten,"]));
    await expect(page.getByRole("alert", { name: "november.csv" })).toBeVisible();
  },
  "new-board-book": async (page) => {
    await signIn(page, "admin");
    await page.goto("/packets/new/board-book");
    await fillMeeting(page, freshRef("B"), "Board of trustees, spring meeting");
    await page
      .getByLabel("Files to add")
      .setInputFiles([
        await pdfOf("minutes of the autumn meeting.pdf", ["Minutes", "More minutes"]),
        await pictureOf("attendance list.png", "png", 620, 877),
        heicNamed("photo.jpg"),
      ]);
    await page.getByRole("button", { name: "Add a section" }).click();
    await fill(page, { "Name of section 2": "Finance" });
    await chooseFiles(page, "Add files to Finance", await pdfOf("budget.pdf", ["Budget"], [842, 595]));
    await expect(page.getByText("1 file cannot be used: replace or remove.")).toBeVisible();
    await expect(page.getByText("Being checked")).toHaveCount(0);
    // Away from the button, whose tip would cover what is below it.
    await page.mouse.move(0, 0);
  },
  "packet-archived": async (page) => {
    await signIn(page, "admin");
    await listed(page, "B-20");
    await page.getByRole("table").getByRole("link").last().click();
    await expect(page.getByRole("heading", { name: "Proof" })).toBeVisible();
    await expect(page.getByRole("region", { name: "Page 1 of" }).locator("canvas")).toBeVisible();
  },
  "packet-failed": async (page, { visit, database }) => {
    const made = await archived(await visit("admin"), monthlyReport(freshRef("S"), "Ekbacken School"));
    const jobId = await copyOfJob(database, made, {
      ...{ state: "validation_failed", failure_code: "missing_glyphs", failure_stage: "render" },
      failure_fields: [
        {
          path: ["headline"],
          code: "missing_glyphs",
          message: "This holds a character that cannot be printed (U+1F389).",
        },
      ],
    });
    await signIn(page, "admin");
    await page.goto(`/packets/${jobId}`);
    await expect(page.getByText("This packet was not made")).toBeVisible();
  },
  "packet-waiting": async (page, { visit, database }) => {
    const made = await archived(await visit("admin"), monthlyReport(freshRef("S"), "Ekbacken School"));
    const due_at = new Date(Date.now() + 3_600_000);
    const waiting = { state: "retry_wait", due_at, settled_at: null, attempt: 2, failure_code: "storage_unavailable" };
    await signIn(page, "admin");
    await page.goto(`/packets/${await copyOfJob(database, made, waiting)}`);
    await expect(page.getByText("Next try at")).toBeVisible();
  },
  "packet-absent": async (page) => {
    await signIn(page, "admin");
    await page.goto("/packets/job_00000000000000000000000000000000");
    await expect(page.getByRole("heading", { name: "There is nothing here" })).toBeVisible();
  },
  "my-packets": async (page) => {
    await signIn(page, "newHire");
    await page.goto("/my-packets");
    await expect(page.getByRole("article").first()).toBeVisible();
  },
  "my-packets-empty": async (page) => {
    await signIn(page, "admin");
    await page.goto("/my-packets");
  },
  operations: async (page, { visit, database }) => {
    const made = await archived(await visit("admin"), monthlyReport(freshRef("S"), "Ekbacken School"));
    await copyOfJob(database, made, {
      ...{ state: "dead_letter", failure_code: "storage_unavailable", first_failure_code: "renderer_lost" },
      ...{ failure_stage: "publish", attempt: 5, attempts_max: 5 },
    });
    await signIn(page, "operator");
    await page.goto("/ops");
    await expect(page.getByRole("region", { name: "Dead letters" }).getByRole("table")).toBeVisible();
  },
  "dead-letters": async (page, { visit, database }) => {
    const made = await archived(await visit("admin"), monthlyReport(freshRef("S"), "Ekbacken School"));
    for (const failure_code of ["renderer_lost", "workspace_full"])
      await copyOfJob(database, made, { state: "dead_letter", failure_code, failure_stage: "render", attempt: 5 });
    await signIn(page, "operator");
    await page.goto("/ops/dead-letters");
    await page.getByRole("checkbox", { name: "Select all on this page" }).check();
    await expect(page.getByText(/^\d+ selected$/)).toBeVisible();
  },
  "dead-letters-asked": async (page, tools) => {
    await PAGES["dead-letters"]?.(page, tools);
    await page.getByRole("button", { name: "Redrive" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
  },
  job: async (page, { visit }) => {
    const made = await archived(await visit("admin"), monthlyReport(freshRef("S"), "Ekbacken School"));
    await signIn(page, "operator");
    await page.goto(`/ops/jobs/${made}?alert=2026-12-01T09:00:00Z`);
    await expect(page.getByRole("heading", { name: "In short" })).toBeVisible();
  },
  "api-keys": async (page) => {
    await signIn(page, "admin");
    await page.goto("/settings/api-keys");
    await page.getByRole("button", { name: "New key" }).first().click();
    await page.getByLabel("Name").fill(freshRef("Import "));
    await page.getByRole("button", { name: "Make the key" }).click();
    await page.getByRole("button", { name: "I have kept it" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  },
  "api-keys-empty": async (page, { database }) => {
    const tenantId = await addTenant(database, "Sundvik Schools");
    await signIn(page, await addPerson(database, { tenantId, name: "Tove Lind", role: "admin" }));
    await page.goto("/settings/api-keys");
    await expect(page.getByRole("heading", { name: "No keys yet" })).toBeVisible();
  },
  "api-keys-asked": async (page) => {
    await signIn(page, "admin");
    await page.goto("/settings/api-keys");
    await page.getByRole("button", { name: "New key" }).first().click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await page.getByRole("button", { name: "Make the key" }).click();
    await expect(page.getByText("Give the key a name")).toBeVisible();
  },
  "api-keys-secret": async (page) => {
    await signIn(page, "admin");
    await page.goto("/settings/api-keys");
    await page.getByRole("button", { name: "New key" }).first().click();
    await page.getByLabel("Name").fill(freshRef("Import "));
    await page.getByRole("button", { name: "Make the key" }).click();
    await expect(page.getByText("You will not see it again")).toBeVisible();
  },
  "api-reference": async (page) => {
    await page.goto("/api-reference");
    await page.locator("summary", { hasText: "Board book" }).first().click();
  },
  "link-refused": async (page) => {
    await signIn(page, "admin");
    await page.goto("/d/not-a-link");
  },
};
