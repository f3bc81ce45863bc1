import type { Locator, Page } from "@playwright/test";
import { expect, PEOPLE, passwordOf, test } from "./fixtures";
import { freshRef, lastMonth } from "./forms";
import { packetShown, waitForArchived } from "./packets";

test("from signing in to an archived monthly report without a mouse, with the focus always to be seen", async ({
  page,
}) => {
  const keys = page.keyboard;
  await page.goto("/sign-in");
  await tabTo(page, page.getByLabel("E-mail address"));
  await keys.type(PEOPLE.admin);
  await tabTo(page, page.getByLabel("Password", { exact: true }));
  await keys.type(passwordOf(PEOPLE.admin));
  await keys.press("Enter");
  await page.waitForURL(/\/packets$/);
  const newPacket = page.getByRole("main").getByRole("link", { name: "New packet" });
  await expect(newPacket).toBeVisible();

  const skip = page.getByRole("link", { name: "Skip to content" });
  await tabTo(page, skip, 1);
  await expect(skip).toBeInViewport();
  await keys.press("Enter");
  await tabTo(page, newPacket, 1);
  await keys.press("Enter");
  const kind = page.getByRole("main").getByRole("link", { name: /^Monthly report/ });
  await expect(kind).toBeVisible();
  await tabTo(page, kind);
  await keys.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Monthly report" })).toBeVisible();

  const [year = "", month = ""] = lastMonth().split("-");
  const label = (name: string) => page.getByLabel(name, { exact: true });
  await type(page, label("School code"), freshRef("S"));
  await type(
    page,
    page.getByRole("group", { name: /^School/ }).getByLabel("School", { exact: true }),
    "Ekbacken School",
  );
  await type(page, label("Month"), month);
  await keys.press("ArrowRight");
  await keys.type(year);
  await type(page, label("Prepared by"), "Henrik Åkesson");
  await type(page, label("Headline"), "A quiet month.");
  await type(page, label("Summary"), "Marks are stable.");
  await type(page, label("Pupils at the start of the month"), "24");
  await type(page, label("Joined"), "0");
  await type(page, label("Left"), "0");
  await type(page, label("Pupils at the end of the month"), "24");
  await type(page, label("Teaching staff"), "3");
  await type(page, label("Attendance goal (%)"), "95");
  await type(page, label("Week starting, row 1"), `${month}02${year}`);
  const classes = page.getByRole("table", { name: "Classes" });
  await type(page, page.getByRole("table", { name: "Attendance by week" }).getByLabel("Attendance (%), row 1"), "94.6");
  await type(page, classes.getByLabel("Class, row 1"), "7A");
  await type(page, classes.getByLabel("Teacher, row 1"), "Amélie Durand");
  await type(page, classes.getByLabel("Pupils, row 1"), "24");
  await type(page, classes.getByLabel("Attendance (%), row 1"), "95.2");
  await type(page, classes.getByLabel("Average mark, row 1"), "71.4");
  await tabTo(page, page.getByRole("button", { name: "Submit" }));
  await keys.press("Enter");
  await packetShown(page);
  await waitForArchived(page);
});

async function type(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.type(text);
}

/** Presses Tab until this has the focus; whatever is passed on the way shows that it has it. */
async function tabTo(page: Page, place: Locator, most = 40): Promise<void> {
  for (let presses = 1; presses <= most; presses += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
    expect(await page.evaluate(isFocusSeen), `the focus is to be seen on ${focused}`).toBe(true);
    if (await place.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`${most} times Tab did not lead to ${place}.`);
}

/** Runs in the page. True where the element with the focus, or the frame it stands in, looks different from what it is without. */
function isFocusSeen(): boolean {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || focused === document.body) return false;
  // A date has places of its own within, which losing the focus would lose; its frame is that of other fields.
  if (focused.matches("[type=month], [type=date]")) return true;
  const around = [focused, focused.parentElement, focused.parentElement?.parentElement].filter(
    (place) => place != null,
  );
  const looks = () => {
    const styles = around.map((place) => getComputedStyle(place));
    const read = () => styles.map(({ outline, borderColor, boxShadow }) => [outline, borderColor, boxShadow].join(" "));
    read();
    for (const change of document.getAnimations()) if (change instanceof CSSTransition) change.finish();
    return read().join("; ");
  };
  const withFocus = looks();
  focused.blur();
  const without = looks();
  focused.focus();
  return withFocus !== without;
}
