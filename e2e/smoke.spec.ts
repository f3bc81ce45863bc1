import { expect, test } from "./fixtures";

test("the first page answers and names the product", async ({ page }) => {
  await page.goto("/");
  await expect(page).toHaveTitle(/Bindery/);
});
