import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { countTests, readAllTests } from "./test-results.mjs";

const UNIT = {
  testResults: [
    {
      assertionResults: [
        { fullName: "a job is kept [C1]", status: "passed" },
        { fullName: "a job is lost", status: "failed" },
        { fullName: "needs files", status: "skipped" },
        { fullName: "later", status: "todo" },
      ],
    },
  ],
};

const BROWSER = {
  suites: [
    {
      title: "submit.spec.ts",
      specs: [{ title: "double click [C2]", ok: true, tests: [{ status: "expected" }] }],
      suites: [
        {
          title: "for a recipient",
          specs: [
            { title: "sees only theirs", ok: false, tests: [{ status: "unexpected" }] },
            { title: "not here", ok: true, tests: [{ status: "skipped" }] },
          ],
        },
      ],
    },
  ],
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-results-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("test results", () => {
  it("are counted from both runners", () => {
    expect(countTests(write("unit", UNIT))).toEqual({ passed: 1, failed: 1, skipped: 2 });
    expect(countTests(write("e2e", BROWSER))).toEqual({ passed: 1, failed: 1, skipped: 1 });
  });

  it("carry the names of their groups", () => {
    write("unit", UNIT);
    write("e2e", BROWSER);
    const names = readAllTests(folder)
      .filter(({ outcome }) => outcome !== "skipped")
      .map(({ name }) => name)
      .sort();
    expect(names).toEqual([
      "a job is kept [C1]",
      "a job is lost",
      "submit.spec.ts double click [C2]",
      "submit.spec.ts for a recipient sees only theirs",
    ]);
  });

  it("of a run that never began count nothing", () => {
    expect(countTests(join(folder, "absent.json"))).toEqual({ passed: 0, failed: 0, skipped: 0 });
  });
});

function write(name: string, content: unknown): string {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(content));
  return file;
}
