// @ts-check
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./install.mjs";

/** Where each step with tests leaves what it ran, as the JSON of its runner. */
export const RESULTS_FOLDER = join(ROOT, ".build/test-results");

/** @typedef {{ name: string, outcome: "passed" | "failed" | "skipped" }} TestResult */

/** @param {string} file @returns {{ passed: number, failed: number, skipped: number }} */
export function countTests(file) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { outcome } of readTests(file)) counts[outcome] += 1;
  return counts;
}

/**
 * Returns every test of every results file in the folder; none where nothing has been run.
 * @param {string} folder @returns {TestResult[]}
 */
export function readAllTests(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => readTests(join(folder, name)));
}

/**
 * Returns the tests that one run recorded, from Vitest's JSON or Playwright's; none where the file is absent.
 * @param {string} file @returns {TestResult[]}
 */
export function readTests(file) {
  if (!existsSync(file)) return [];
  const results = JSON.parse(readFileSync(file, "utf8"));
  if ("testResults" in results) return results.testResults.flatMap(testsOfVitestFile);
  return (results.suites ?? []).flatMap((/** @type {Suite} */ suite) => testsOfSuite(suite, ""));
}

/** @param {{ assertionResults: { fullName: string, status: string }[] }} file @returns {TestResult[]} */
function testsOfVitestFile({ assertionResults }) {
  return assertionResults.map(({ fullName, status }) => ({
    name: fullName,
    outcome: status === "passed" || status === "failed" ? status : "skipped",
  }));
}

/** @typedef {{ title: string, specs?: { title: string, ok: boolean, tests: { status: string }[] }[], suites?: Suite[] }} Suite */

/** @param {Suite} suite @param {string} path @returns {TestResult[]} */
function testsOfSuite({ title, specs = [], suites = [] }, path) {
  const name = `${path} ${title}`.trim();
  const own = specs.map((spec) => ({ name: `${name} ${spec.title}`, outcome: outcomeOfSpec(spec) }));
  return [...own, ...suites.flatMap((suite) => testsOfSuite(suite, name))];
}

/** @param {{ ok: boolean, tests: { status: string }[] }} spec @returns {TestResult["outcome"]} */
function outcomeOfSpec({ ok, tests }) {
  if (tests.every(({ status }) => status === "skipped")) return "skipped";
  return ok ? "passed" : "failed";
}
