import { readFile } from "node:fs/promises";
import { expect, type Page, type Response } from "@playwright/test";
import { pagesWith, type ReadPdf, readPdf } from "./test-pdf";

/** Every stage of a packet, as its page shows them. */
const STAGES = 9;

/** Presses the one button that submits and waits for the packet's own page. Returns the packet's id. */
export async function submit(page: Page, button: string | RegExp = "Submit"): Promise<string> {
  await page.getByRole("button", { name: button }).click();
  return packetShown(page);
}

/** Waits until the page of a packet is shown and returns the packet's id. */
export async function packetShown(page: Page): Promise<string> {
  await page.waitForURL(/\/packets\/job_[0-9a-f]+$/);
  return page.url().split("/").at(-1) ?? "";
}

/** Watches the packet's page until it says that the packet is archived, with every stage done or not needed. */
export async function waitForArchived(page: Page): Promise<void> {
  await expect(page.getByRole("status").filter({ hasText: /^Archived/ })).toBeVisible({ timeout: 30_000 });
  const stages = page.getByRole("region", { name: "How it is made" }).getByRole("listitem");
  await expect(stages).toHaveCount(STAGES);
  await expect(stages.filter({ hasText: /^(done|skipped)/ })).toHaveCount(STAGES);
}

export interface Downloaded extends ReadPdf {
  readonly bytes: Buffer;
  readonly fileName: string;
  /** The signed address the click led to. */
  readonly url: string;
}

/** Clicks Download and reads what arrives: a PDF on which two parsers agree. */
export async function downloadPdf(page: Page, button = page.getByRole("button", { name: /^Download/ })) {
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  const bytes = await readFile(await download.path());
  const downloaded: Downloaded = {
    ...(await readPdf(bytes)),
    bytes,
    fileName: download.suggestedFilename(),
    url: download.url(),
  };
  return downloaded;
}

/** The packet's page says the same of the file as the file itself: its digest and its number of pages. */
export async function expectProofOf(page: Page, pdf: ReadPdf): Promise<void> {
  const proof = page.getByRole("region", { name: "Proof" });
  await expect(proof.getByText(pdf.digest, { exact: true })).toBeVisible();
  await expect(proof.getByRole("definition").first()).toHaveText(String(pdf.pages.length));
  await expect(proof.getByRole("img", { name: "not passed" })).toHaveCount(0);
}

export interface Preview extends ReadPdf {
  readonly jobId: string;
  readonly url: string;
}

/** Asks for a preview, waits until it is shown, and returns what it holds. Each page says that it is not for the record. */
export async function preview(page: Page): Promise<Preview> {
  const pane = page.getByRole("region", { name: "Preview", exact: true });
  const address = /\/packets\/preview\/(job_[0-9a-f]+)\/pdf$/;
  const [answer] = await Promise.all([
    page.waitForResponse((response) => address.test(response.url()), { timeout: 30_000 }),
    pane.getByRole("button", { name: /^Preview/ }).click(),
  ]);
  await expect(page.getByRole("region", { name: "Preview pages" }).locator("canvas")).toBeVisible();
  const url = answer.url();
  const pdf = await readPdf(await (await page.request.get(url)).body());
  expect(pagesWith("Preview, not for the record", pdf)).toHaveLength(pdf.pages.length);
  return { ...pdf, url, jobId: address.exec(url)?.[1] ?? "" };
}

/** Returns the names of the packets that the list finds for these words. */
export async function listed(page: Page, words: string): Promise<string[]> {
  await page.goto(`/packets?q=${encodeURIComponent(words)}`);
  const list = page.getByRole("table");
  await expect(list.or(page.getByRole("heading", { name: "No packet fits" })).first()).toBeVisible();
  return list.getByRole("link").allTextContents();
}

export interface StatusReading {
  readonly httpStatus: number;
  readonly state: string;
  readonly mayDownload: boolean;
}

/** Collects each reading of a packet's status that this page makes from now on. */
export function statusReadings(page: Page): StatusReading[] {
  const readings: StatusReading[] = [];
  page.on("response", async (response) => {
    if (!response.url().includes("packets.read?")) return;
    for (const { state, mayDownload } of await answersIn(response))
      readings.push({ httpStatus: response.status(), state, mayDownload });
  });
  return readings;
}

async function answersIn(response: Response): Promise<Pick<StatusReading, "state" | "mayDownload">[]> {
  // A page that is left in the middle of an answer has no body to read.
  const answers: unknown = await response.json().catch(() => []);
  return [answers].flat().flatMap((answer) => Reflect.get(Object(answer), "result")?.data?.json ?? []);
}
