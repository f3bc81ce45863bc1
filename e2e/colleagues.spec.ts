import { archived, call, linkPath } from "./api";
import { expect, type Fixtures, signIn, test } from "./fixtures";
import { freshRef } from "./forms";
import { depotReport } from "./payloads";
import { addPerson, addTenant } from "./people";

test("a download link opens for the person who asked, and for nobody else [C366]", async ({ visit, database }) => {
  const { owner, jobId, tenantId } = await ownReport(visit, database);
  const colleague = await addPerson(database, { tenantId, name: "Petra Vogel", role: "admin" });
  const path = (await linkPath(owner, jobId)) ?? "";
  expect(path).toMatch(/^\/d\/\S+$/);
  expect((await owner.get(path)).status()).toBe(200);
  for (const who of ["admin", "newHire", "operator", colleague] as const) {
    const answer = await (await visit(who)).get(path);
    expect.soft(answer.status(), who).toBe(403);
    expect.soft(await answer.text(), who).toContain("This link does not work");
  }
  const signedOut = await (await visit(null)).get(path, { maxRedirects: 0 });
  expect(signedOut.headers().location).toBe(`/sign-in?to=${encodeURIComponent(path)}`);
  const altered = path.replace(/.(?=.$)/, (character) => (character === "A" ? "B" : "A"));
  expect((await owner.get(altered)).status()).toBe(403);
});

test("a colleague of another depot neither sees nor downloads this one's reports [C362]", async ({
  page,
  visit,
  database,
}) => {
  const { jobId, tenantId } = await ownReport(visit, database);
  const email = await addPerson(database, { tenantId, name: "Lars Holm", role: "coordinator", scopes: ["D-99"] });
  const clerk = await visit(email);
  expect((await call(clerk, "packets.read", { jobId })).status).toBe(404);
  expect(await linkPath(clerk, jobId)).toBeNull();
  expect((await clerk.get(`/packets/${jobId}/view`)).status()).toBe(404);
  await signIn(page, email);
  await page.goto("/packets");
  await expect(page.getByRole("heading", { name: "No packets yet" })).toBeVisible();
});

/** A tenant of its own with somebody in it and one archived report. */
async function ownReport(visit: Fixtures["visit"], database: Fixtures["database"]) {
  const tenantId = await addTenant(database, "Nordsee Logistik");
  const owner = await visit(await addPerson(database, { tenantId, name: "Imke Janssen", role: "admin" }));
  return { owner, tenantId, jobId: await archived(owner, depotReport(freshRef("D"), "Emden Quay")) };
}
