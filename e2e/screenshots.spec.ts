import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { PAGES } from "./pages";

const folder = process.env.BINDERY_SCREENSHOTS ?? "";

test.describe.configure({ mode: "parallel" });
test.use({ expectedConsoleErrors: [/status of 4\d\d/] });

// To look at, not to compare: there are none of these unless BINDERY_SCREENSHOTS names a folder outside of the repository.
for (const [name, open] of folder ? Object.entries(PAGES) : []) {
  test(`pictures of ${name}`, async ({ page, visit, database }) => {
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await page.setViewportSize({ width: 1280, height: 900 });
    await open(page, { visit, database });
    for (const width of [1280, 375]) {
      await page.setViewportSize({ width, height: width === 375 ? 812 : 900 });
      // A window as high as the page, because bars that stay in place would stand in the middle of a longer picture.
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ width, height });
      await untilPainted(page);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        const path = join(folder, `${name}-${width}-${colorScheme}.png`);
        await page.screenshot({ path, animations: "disabled" });
      }
    }
  });
}

/** Waits until the pages of a PDF, where there are any, hold more than white. */
async function untilPainted(page: Page): Promise<void> {
  if ((await page.getByRole("region", { name: /^Page \d+ of \d+$/ }).count()) === 0) return;
  const shades = () =>
    page.locator("canvas.react-pdf__Page__canvas").evaluateAll((canvases) =>
      canvases.map((canvas) => {
        const paint = canvas instanceof HTMLCanvasElement ? canvas.getContext("2d") : null;
        const pixels = paint?.getImageData(0, 0, paint.canvas.width, paint.canvas.height).data ?? [];
        return new Set(pixels).size > 8;
      }),
    );
  await expect.poll(shades).toEqual([true]);
}
