import { expect, type Fixtures, signIn, test } from "./fixtures";
import { fill, fillMeeting, fillMonthlyReport, freshRef } from "./forms";
import { cutPdf, emptyFile, heicNamed, lockedPdf, pdfOf, pictureOf } from "./test-files";

test.use({ expectedConsoleErrors: [/status of 4(15|22)/] });

test("invalid fields say beside themselves what to do, the summary leads to each, and nothing is made or queued [C89]", async ({
  page,
  database,
}) => {
  const school = `School ${freshRef("X")}`;
  await signIn(page, "admin");
  await page.goto("/packets/new/monthly-report");
  await fillMonthlyReport(page, "S 14!", school);
  const classes = page.getByRole("table", { name: "Classes" });
  const wrong = [
    [page.getByLabel("School code", { exact: true }), "Use letters, digits, dots, dashes and slashes only."],
    [page.getByLabel("Attendance goal (%)", { exact: true }), "A percentage is at most 100."],
    [page.getByLabel("Headline", { exact: true }), "Fill this in."],
    [classes.getByLabel("Average mark, row 2", { exact: true }), "Write at most one decimal."],
  ] as const;
  await fill(page, { "Attendance goal (%)": "140", Headline: "   " });
  await fill(classes, { "Average mark, row 2": "68.25" });
  const before = await countRows(database, school);
  await page.getByRole("button", { name: "Submit" }).click();

  const summary = page.getByRole("alert", { name: "4 fields need another look" });
  await expect(summary).toBeFocused();
  for (const [field, message] of wrong) {
    await expect(field).toHaveAttribute("aria-invalid", "true");
    await expect(field).toHaveAccessibleDescription(new RegExp(message));
    await expect(page.getByText(message, { exact: true })).toBeVisible();
  }
  await expect(summary.getByRole("listitem")).toHaveText([
    "School, School code: Use letters, digits, dots, dashes and slashes only.",
    "Headline: Fill this in.",
    "Figures, Attendance goal (%): A percentage is at most 100.",
    "Classes, row 2, Average mark: Write at most one decimal.",
  ]);
  await summary.getByRole("link", { name: "Figures, Attendance goal (%)" }).press("Enter");
  await expect(wrong[1][0]).toBeFocused();
  await wrong[1][0].fill("95");
  await expect(wrong[1][0]).not.toHaveAttribute("aria-invalid", "true");
  await expect(page.getByRole("alert", { name: "3 fields need another look" })).toBeVisible();

  await page.getByRole("region", { name: "Preview" }).getByRole("button", { name: "Preview" }).click();
  await expect(page.getByText("Mend the fields that are marked, then ask again.")).toBeVisible();
  await expect(page).toHaveURL(/\/packets\/new\/monthly-report$/);
  expect(await countRows(database, school)).toEqual(before);
});

test("files that cannot be used are named with the reason, and keep the book from being made until they are replaced [C97,C448]", async ({
  page,
}) => {
  await signIn(page, "admin");
  await page.goto("/packets/new/board-book");
  await fillMeeting(page, freshRef("B"), "Board of trustees");
  const good = await pdfOf("really a picture.pdf", ["Not seen"]);
  const picture = await pictureOf("picture.png", "png", 300, 300);
  await page
    .getByLabel("Files to add")
    .setInputFiles([
      await lockedPdf("locked.pdf"),
      heicNamed("photo.jpg"),
      emptyFile("empty.pdf"),
      await cutPdf("cut short.pdf"),
      { ...good, buffer: picture.buffer },
    ]);
  const row = (title: string) => page.getByRole("listitem").filter({ has: page.getByLabel(`Drag ${title}`) });
  await expect(row("locked").getByRole("alert")).toContainText("This file needs a password. Save a copy without one.");
  await expect(row("photo").getByRole("alert")).toContainText(
    "This type of file cannot be used. Save it as PDF, PNG or JPEG.",
  );
  await expect(row("empty").getByRole("alert")).toContainText("This file is empty. Upload it again.");
  await expect(row("cut short").getByRole("alert")).toContainText(
    "This file is damaged. Open it and save it again as PDF.",
  );
  await expect(row("really a picture")).toContainText("1 page");
  const summary = page.getByRole("region", { name: "This book" });
  await expect(summary.getByText("4 files cannot be used: replace or remove.")).toBeVisible();
  await expect(summary.getByRole("button", { name: /^Make book/ })).toBeDisabled();

  for (const title of ["photo", "empty", "cut short"])
    await page.getByRole("button", { name: `Remove ${title}` }).click();
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Replace locked" }).click(),
  ]);
  await chooser.setFiles(await pdfOf("open.pdf", ["Open"]));
  await expect(row("locked")).toContainText("1 page");
  await expect(summary.getByRole("button", { name: "Make book, 2 pages" })).toBeEnabled();
});

test("a file of another program is refused before it is sent, with what to do instead", async ({ page }) => {
  await signIn(page, "admin");
  await page.goto("/packets/new/board-book");
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.url()));
  const mimeType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
  await page.getByLabel("Files to add").setInputFiles({ name: "minutes.docx", mimeType, buffer: Buffer.from("PK") });
  const notice = page.getByRole("alert").filter({ hasText: "minutes.docx" });
  await expect(notice).toContainText(
    "Only PDF, PNG and JPEG can be bound. Save documents of other programs as PDF first.",
  );
  expect(sent.filter((url) => url.includes("/api/uploads"))).toEqual([]);
});

/** How much there is of a school: revisions and payloads, jobs and what is queued for them. */
async function countRows(database: Fixtures["database"], school: string) {
  const { rows } = await database.query(
    `SELECT (SELECT count(*) FROM payloads WHERE content -> 'school' ->> 'name' = $1) AS payloads,
            (SELECT count(*) FROM jobs WHERE subject LIKE $1 || '%') AS jobs,
            (SELECT count(*) FROM pgboss.job WHERE data ->> 'jobId' NOT IN (SELECT id FROM jobs)) AS deliveries`,
    [school],
  );
  return rows[0];
}
