import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "./fixtures";

/** Words that the other tests put into packets, their files and their addresses. */
const CONTENT = [
  ...["Ekbacken", "Kvarnholmen", "Amélie Durand", "Henrik", "Attendance recovered"],
  ...["Þórsson", "Noor de Vries", "Marit Solheim", "example.org", "northgate.example"],
  ...["Waalhaven", "Kowalczyk", "Gdańsk", "SH-1", "november"],
  ...["trustees", "site-photo", "minutes", "budget", "attendance list", "First minute", "The whole budget"],
  ...["/d/", "eyJ", "S-014", "lease_until"],
];

test("after all that, the logs hold ids, codes and numbers, and nothing of what packets hold, of links or of places [C368,C382,C383,C385,C389,C394,C397,C398]", async ({
  product,
}) => {
  for (const name of ["web.log", "worker.log"]) {
    const text = await readFile(join(product.dataFolder, "logs", name), "utf8");
    for (const words of [...CONTENT, "%PDF", product.dataFolder]) expect.soft(text, name).not.toContain(words);
  }
  expect(await readFile(join(product.dataFolder, "logs/worker.log"), "utf8")).toContain("stage_done");
});

test("what lies on disk is named by us alone [C113,C207,C212,C216,C217,C218]", async ({ product }) => {
  const paths = (await readdir(product.dataFolder, { recursive: true })).filter((path) => !path.startsWith("postgres"));
  expect(paths.length).toBeGreaterThan(20);
  for (const path of paths) {
    expect.soft(path).toMatch(/^[a-z0-9.:/-]+$/);
    for (const words of CONTENT) expect.soft(path.toLowerCase()).not.toContain(words.toLowerCase());
  }
});
