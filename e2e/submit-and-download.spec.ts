import { expect, signIn, test } from "./fixtures";
import { chooseFiles, fill, fillDepotReport, fillMonthlyReport, fillOnboarding, freshRef, lastMonth } from "./forms";
import { downloadPdf, expectProofOf, listed, preview, statusReadings, submit, waitForArchived } from "./packets";
import { csvOf } from "./test-files";
import { pagesWith } from "./test-pdf";

test("a monthly report is previewed, submitted, watched and downloaded; its page shows the states and the link only once it is archived [C329,C350,C354,C357]", async ({
  page,
}) => {
  const ref = freshRef("S");
  await signIn(page, "admin");
  await page.goto("/packets/new/monthly-report");
  await fillMonthlyReport(page, ref, "Ekbacken School");
  const look = await preview(page);
  expect(look.title).toContain("Ekbacken School");
  expect(look.pages).toHaveLength(3);

  const readings = statusReadings(page);
  await submit(page);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Ekbacken School");
  await waitForArchived(page);
  expect(readings.length).toBeGreaterThan(0);
  for (const { httpStatus, state, mayDownload } of readings) {
    expect(httpStatus).toBe(200);
    expect(["queued", "running", "succeeded"]).toContain(state);
    expect(mayDownload).toBe(state === "succeeded");
  }
  await expect(page.getByRole("region", { name: "How it is made" })).not.toContainText("%");

  const pdf = await downloadPdf(page);
  await expectProofOf(page, pdf);
  expect(pdf.fileName).toMatch(/^Ekbacken School, .*\.pdf$/);
  expect(pdf.title).toMatch(/^Monthly report: Ekbacken School, /);
  expect(pdf.pages).toHaveLength(3);
  expect(pdf.pages[0]).toContain("Ekbacken School");
  expect(pdf.pages[0]).toContain(ref);
  expect(pdf.pages[1]).toMatch(/Summary .*Page 2 of 3/);
  expect(pdf.pages[2]).toMatch(/Classes .*7A Amélie Durand 24 95\.2 71\.4 7B Ines Ferreira .*Page 3 of 3/);
  expect(pagesWith("not for the record", pdf)).toEqual([]);

  await page.reload();
  const history = page.getByRole("region", { name: "History" });
  await expect(history.getByRole("listitem")).toContainText([
    /^(Downloaded|Opened on this page|Asked for a download link) by Amara Okafor/,
    /./,
    /./,
    /^Archived by Bindery/,
    /^Submitted by Amara Okafor/,
  ]);
  await expect(history).toContainText("Downloaded by Amara Okafor");
  await expect(history).toContainText("Asked for a download link by Amara Okafor");
});

test("a preview is shown beside the form and stands nowhere else: not in the list, not in the archive, at no download [C47]", async ({
  page,
  database,
}) => {
  const ref = freshRef("S");
  await signIn(page, "admin");
  await page.goto("/packets/new/monthly-report");
  await fillMonthlyReport(page, ref, "Lilla Torg School");
  const { jobId } = await preview(page);
  await expect(page.getByText(/^Kept until \d\d:\d\d, not for the record\.$/)).toBeVisible();
  await fill(page, { Headline: "A quiet month." });
  await expect(page.getByText("The form has changed since.")).toBeVisible();

  const artifacts = await database.query("SELECT 1 FROM artifacts WHERE job_id = $1", [jobId]);
  expect(artifacts.rowCount).toBe(0);
  const origin = new URL(page.url()).origin;
  for (const [method, path] of [
    ["GET", `/packets/${jobId}/view`],
    ["POST", `/packets/${jobId}/download`],
  ] as const) {
    const answer = await page.request.fetch(path, { method, headers: { origin } });
    expect(answer.status(), path).toBe(404);
  }
  page.on("dialog", (dialog) => dialog.accept());
  await page.goto(`/packets/${jobId}`);
  await expect(page.getByRole("heading", { name: "There is nothing here" })).toBeVisible();
  expect(await listed(page, ref)).toEqual([]);
});

test("an onboarding packet holds the chosen policies in the chosen order, on its form, in its preview and in its pages [C241]", async ({
  page,
}) => {
  const ref = freshRef("E");
  await signIn(page, "hr");
  await page.goto("/packets/new/onboarding-packet");
  await fillOnboarding(page, ref, "Søren Þórsson", `${ref.toLowerCase()}@example.org`);
  const policies = page.getByRole("group", { name: /^Policy documents/ });
  for (const title of [/^Code of conduct/, /^Data protection/, /^Travel and expenses/])
    await policies.getByRole("checkbox", { name: title }).check();
  await policies.getByRole("button", { name: "Move Travel and expenses up" }).press("Enter");
  await policies.getByRole("button", { name: "Move Travel and expenses up" }).press("Enter");
  await policies.getByRole("checkbox", { name: /^Data protection/ }).uncheck();
  const order = [
    /Welcome, Søren Þórsson/,
    /Offer summary/,
    /^Travel and expenses/,
    /^Code of conduct/,
    /Acknowledgement/,
  ];
  const look = await preview(page);
  expect(look.pages).toHaveLength(order.length);
  order.forEach((words, index) => {
    expect(look.pages[index]).toMatch(words);
  });

  await submit(page);
  await waitForArchived(page);
  const pdf = await downloadPdf(page);
  await expectProofOf(page, pdf);
  expect(pdf.fileName).toBe("Søren Þórsson.pdf");
  expect(pdf.pages).toHaveLength(order.length);
  order.forEach((words, index) => {
    expect(pdf.pages[index]).toMatch(words);
    expect(pdf.pages[index]).toContain(`Page ${index + 1} of ${order.length}`);
  });
});

test("a depot report names the rows of its table that need another look, by the row of the spreadsheet, and is made from the mended one", async ({
  page,
}) => {
  const ref = freshRef("D");
  const month = lastMonth();
  await signIn(page, "depot");
  await page.goto("/packets/new/depot-report");
  await fillDepotReport(page, ref, "Rotterdam Waalhaven");
  const bad = [
    `SH-1,${month}-31x,Kowalczyk & Søn,"Gdańsk, PL",4,1284.5,8420.00,delivered,`,
    `SH-2,${month}-02,Kowalczyk & Søn,Malmö,4,1284.5,8420.00,delivered,`,
    `SH-3,${month}-02,Kowalczyk & Søn,Malmö,4,1284.5,8420.00,eaten,`,
  ];
  await chooseFiles(page, "Choose a CSV file", csvOf("november.csv", bad));
  const refusal = page.getByRole("alert", { name: "november.csv" });
  await expect(refusal).toContainText("Some rows of this table need another look.");
  await expect(refusal.getByRole("row")).toHaveText([/Row/, /^2Date.*YYYY-MM-DD/, /^4StatusWrite one of: delivered/]);

  const good = bad.map((row) => row.replace("-31x", "-01").replace("eaten", "lost"));
  await chooseFiles(page, "Choose another file", csvOf("november-2.csv", good));
  await expect(page.getByText("3 rows")).toBeVisible();
  const look = await preview(page);
  expect(pagesWith("SH-3", look).length).toBeGreaterThan(0);

  await submit(page);
  await waitForArchived(page);
  const pdf = await downloadPdf(page);
  await expectProofOf(page, pdf);
  expect(pdf.title).toMatch(/^Depot report: Rotterdam Waalhaven, /);
  expect(pdf.pages).toHaveLength(3);
  expect(pdf.pages[0]).toMatch(/Shipments 3 .*Page 1 of 3$/);
  expect(pdf.pages[1]).toMatch(/Exceptions .*SH-3 .*Lost.*Page 2 of 3$/);
  expect(pdf.pages[2]).toMatch(/SH-1 .*Gdańsk, PL.*SH-2 .*SH-3 .*Total 12 .*Page 3 of 3$/);
});
