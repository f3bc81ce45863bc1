import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { PAGES } from "./pages";

test.describe.configure({ mode: "parallel" });
test.use({ expectedConsoleErrors: [/status of 4\d\d/] });

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const WIDTHS = [1280, 375] as const;

for (const [name, open] of Object.entries(PAGES)) {
  test(`axe finds nothing on ${name}, wide and narrow, light and dark`, async ({ page, visit, database }) => {
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await page.setViewportSize({ width: WIDTHS[0], height: 900 });
    await open(page, { visit, database });
    // A page that still streams in has no heading yet; what people get is what is judged.
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        // All that the scheme changes is colours.
        const rules = colorScheme === "light" ? null : ["color-contrast"];
        expect.soft(await complaints(page, rules), `${colorScheme}, ${width}`).toEqual([]);
      }
      await expect
        .soft(page.locator("html"), `${width} px without scrolling sideways`)
        .toHaveJSProperty("scrollWidth", width);
    }
  });
}

async function complaints(page: Page, rules: string[] | null): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  const { violations } = await (rules === null ? axe.withTags(RULES) : axe.withRules(rules)).analyze();
  return violations.flatMap(({ id, impact, nodes }) => nodes.map(({ target }) => `${id} (${impact}): ${target}`));
}
