import type { Locator, Page } from "@playwright/test";
import type { MadeFile } from "./test-files";

/** A name that no other test uses, so that tests side by side do not meet each other's packets. */
export function freshRef(prefix: string): string {
  return `${prefix}-${crypto.randomUUID().slice(0, 8)}`;
}

/** The month before this one, `YYYY-MM`. */
export function lastMonth(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
}

/** A day as the forms take it, so many days from today. */
export function dayFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** Types into fields found by their labels. */
export async function fill(place: Page | Locator, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await place.getByLabel(label, { exact: true }).fill(value);
}

/** Picks from a list found by its label. */
export async function choose(page: Page, label: string, choice: string): Promise<void> {
  await page.getByRole("combobox", { name: label, exact: true }).click();
  await page.getByRole("option", { name: choice, exact: true }).click();
}

/** Presses a button that opens the choice of files, and chooses these. */
export async function chooseFiles(page: Page, button: string, ...files: readonly MadeFile[]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: button, exact: true }).click(),
  ]);
  await chooser.setFiles([...files]);
}

/** Fills in a month of a school with two classes; the classes and the balance add up. */
export async function fillMonthlyReport(page: Page, ref: string, school: string): Promise<void> {
  const month = lastMonth();
  await fill(page.getByRole("group", { name: /^School/ }), { "School code": ref, School: school });
  await fill(page, {
    Month: month,
    "Prepared by": "Henrik Åkesson, head teacher",
    Headline: "Attendance recovered after the autumn illness wave.",
    Summary: "Attendance rose in each week of the month.\n\nMarks are stable.",
    "Pupils at the start of the month": "49",
    Joined: "3",
    Left: "2",
    "Pupils at the end of the month": "50",
    "Teaching staff": "6",
    "Attendance goal (%)": "95",
  });
  const weeks = page.getByRole("table", { name: "Attendance by week" });
  await fill(weeks, { "Week starting, row 1": `${month}-02`, "Attendance (%), row 1": "94.6" });
  const classes = page.getByRole("group", { name: /^Classes/ });
  await classes.getByRole("button", { name: "Add another row" }).click();
  await fill(classes, {
    "Class, row 1": "7A",
    "Teacher, row 1": "Amélie Durand",
    "Pupils, row 1": "24",
    "Attendance (%), row 1": "95.2",
    "Average mark, row 1": "71.4",
    "Class, row 2": "7B",
    "Teacher, row 2": "Ines Ferreira",
    "Pupils, row 2": "26",
    "Attendance (%), row 2": "93.8",
    "Average mark, row 2": "68",
  });
}

/** Fills in all of an onboarding packet but its policies. */
export async function fillOnboarding(page: Page, ref: string, name: string, email: string): Promise<void> {
  const colleague = page.getByRole("group", { name: /^New colleague/ });
  await fill(colleague, {
    "Employee number": ref,
    "Full name": name,
    "E-mail address": email,
    "First working day": dayFromNow(60),
    Role: "Clinical data analyst",
    Team: "Research operations",
    Manager: "Ines Ferreira",
    Workplace: "Harbour House, 4th floor",
  });
  await choose(page, "Contract", "Permanent");
  await choose(page, "Currency", "EUR");
  await choose(page, "Salary is per", "Year");
  await fill(page, {
    Salary: "48500",
    "Hours per week": "37.5",
    Holiday: "28",
    Probation: "6",
    "Notice period": "Two months to the end of a month",
    "Arrive at": "09:30",
    "Ask for": "Tomasz at reception",
    "Personal note (optional)": "We are looking forward to working with you.",
  });
  await fill(page.getByRole("group", { name: /^Signed by/ }), { Name: "Marit Solheim", Role: "Head of people" });
}

/** Fills in all of a depot report but its shipments. */
export async function fillDepotReport(page: Page, ref: string, depot: string): Promise<void> {
  await fill(page, { "Depot code": ref, Depot: depot, Month: lastMonth(), "Prepared by": "Femke de Groot" });
  await choose(page, "Currency", "EUR");
}

/** Fills in what a board book is for. */
export async function fillMeeting(page: Page, ref: string, title: string): Promise<void> {
  await fill(page.getByRole("region", { name: "Meeting" }), {
    "Meeting number": ref,
    Meeting: title,
    Date: dayFromNow(30),
    "Starts at (optional)": "14:00",
    Place: "Council room, 12 Quay Street",
  });
}
