import type { Page } from "@playwright/test";
import { expect, signIn, test } from "./fixtures";
import { chooseFiles, fill, fillMeeting, freshRef } from "./forms";
import { downloadPdf, expectProofOf, preview, submit, waitForArchived } from "./packets";
import { pdfOf, pictureOf } from "./test-files";
import { pagesWith } from "./test-pdf";

const WATERMARK = "For the board only";

test("a board book from PDF, PNG and JPEG files: every page, in the order of the composer, numbered and stamped [C241,C242]", async ({
  page,
}) => {
  const ref = freshRef("B");
  await signIn(page, "admin");
  await page.goto("/packets/new/board-book");
  await fillMeeting(page, ref, "Board of trustees, spring meeting");
  await fill(page, { "Name of section 1": "Opening", "Watermark (optional)": WATERMARK });
  await page
    .getByLabel("Files to add")
    .setInputFiles([
      await pictureOf("site-photo.jpg", "jpeg", 1200, 800),
      await pdfOf("minutes_of_the_last_meeting.pdf", ["First minute", "Second minute"]),
      await pictureOf("attendance list.png", "png", 620, 877),
    ]);
  await page.getByRole("button", { name: "Add a section" }).click();
  await fill(page, { "Name of section 2": "Finance" });
  await chooseFiles(page, "Add files to Finance", await pdfOf("budget.pdf", ["The whole budget"], [842, 595]));
  const summary = page.getByRole("region", { name: "This book" });
  await expect(summary.getByText("Ready. Cover, contents and dividers are added.")).toBeVisible();
  await expect(titles(page)).resolves.toEqual([
    "site-photo",
    "minutes of the last meeting",
    "attendance list",
    "budget",
  ]);

  await moveByKeyboard(page, "site-photo", 2, 4);
  await expect(titles(page)).resolves.toEqual([
    "minutes of the last meeting",
    "attendance list",
    "site-photo",
    "budget",
  ]);
  await page.getByRole("button", { name: "Move attendance list up" }).click();
  await expect(titles(page)).resolves.toEqual([
    "attendance list",
    "minutes of the last meeting",
    "site-photo",
    "budget",
  ]);
  await page
    .getByRole("listitem")
    .filter({ has: page.getByLabel("Drag site-photo") })
    .getByLabel("Title of the file")
    .fill("The new roof");

  const look = await preview(page);
  expect(pagesWith(WATERMARK, look)).toHaveLength(look.pages.length);
  await submit(page, "Make book, 5 pages");
  await waitForArchived(page);
  const pdf = await downloadPdf(page);
  await expectProofOf(page, pdf);
  expect(pdf.title).toBe("Board book: Board of trustees, spring meeting");
  const expected = [
    /Board of trustees, spring meeting.*Board copy/,
    /Contents 1 Opening 3 attendance list 4 minutes of the last meeting 5 The new roof 7 2 Finance 8 budget 9/,
    /1 Opening/,
    /^For the board only 4 of 9$/,
    /^First minute/,
    /^Second minute/,
    /^For the board only 7 of 9$/,
    /2 Finance/,
    /^The whole budget/,
  ];
  expect(pdf.pages).toHaveLength(expected.length);
  expected.forEach((words, index) => {
    expect(pdf.pages[index]).toMatch(words);
    expect(pdf.pages[index]).toContain(WATERMARK);
    if (index > 0) expect(pdf.pages[index]).toContain(`${index + 1} of ${expected.length}`);
  });
  expect(pdf.sizes[3]).toEqual([595, 842]);
  expect(pdf.sizes[6]).toEqual([842, 595]);
  expect(pdf.sizes[8]).toEqual([842, 595]);
  await expect(page.getByRole("region", { name: "Contents" }).getByRole("row")).toContainText([
    /Part/,
    /^Cover1$/,
    /^Contents2$/,
    /^Opening3$/,
    /^attendance list.*Scan.*4$/,
    /^minutes of the last meeting.*5–6$/,
    /^The new roof.*Scan.*7$/,
    /^Finance8$/,
    /^budget.*9$/,
  ]);
});

/** The titles of the files, from top to bottom. */
function titles(page: Page): Promise<string[]> {
  return page
    .getByLabel("Title of the file")
    .evaluateAll((fields) => fields.map((field) => Reflect.get(field, "value")));
}

/** Carries a file down so many places, as somebody without a mouse does, and listens to what a screen reader would say. */
async function moveByKeyboard(page: Page, title: string, from: number, to: number): Promise<void> {
  const announced = page.getByRole("status").filter({ hasText: title });
  await page.getByLabel(`Drag ${title}`).focus();
  await page.keyboard.press("Space");
  await expect(announced).toHaveText(new RegExp(`is (now )?at place ${from} of `));
  for (let place = from + 1; place <= to; place += 1) {
    await page.keyboard.press("ArrowDown");
    await expect(announced).toHaveText(new RegExp(`is now at place ${place} of `));
  }
  await page.keyboard.press("Space");
  await expect(announced).toHaveText(new RegExp(`^Put down .* at place ${to} of `));
}
