// @ts-check
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findOrInstallBrowser } from "./browser.mjs";
import { buildAll, generateClient } from "./build.mjs";
import { endAllChildren, outputOf } from "./child-process.mjs";
import { ROOT } from "./install.mjs";
import { PlainError } from "./plain-error.mjs";
import { countTests, RESULTS_FOLDER } from "./test-results.mjs";

// Every check a change must pass, in order, one line each; the output of a step only where it fails. With names as
// arguments, only those steps.

/** A step that has not ended by then hangs: it counts as failed, rather than to block for ever. */
const STEP_MS_MAX = 10 * 60_000;

/** @type {readonly { name: string, tests?: boolean, needs?: string, run: () => Promise<unknown> }[]} */
const STEPS = [
  { name: "format", run: () => outputOf(["node_modules/@biomejs/biome/bin/biome", "format"]) },
  {
    name: "lint",
    run: () =>
      outputOf(["node_modules/@biomejs/biome/bin/biome", "check", "--formatter-enabled=false", "--error-on-warnings"]),
  },
  { name: "imports", run: () => outputOf(["scripts/check-imports.mjs"]) },
  { name: "unused", run: () => outputOf(["node_modules/knip/bin/knip.js", "--no-progress"]) },
  { name: "types", run: types },
  { name: "schema", run: () => outputOf(["scripts/schema-diff.mjs", "check"]) },
  { name: "unit", tests: true, run: () => vitest("unit") },
  { name: "db", tests: true, run: () => vitest("db") },
  { name: "build", run: () => buildAll() },
  { name: "e2e", tests: true, needs: "build", run: endToEnd },
];

process.on("SIGINT", end).on("SIGTERM", end).on("SIGHUP", end);

const names = process.argv.slice(2);
const unknown = names.filter((name) => !STEPS.some((step) => step.name === name));
if (unknown.length > 0) {
  console.error(`There is no step ${unknown.join(", ")}: choose from ${STEPS.map(({ name }) => name).join(", ")}.`);
  process.exit(1);
}
const chosen = STEPS.filter((step) => names.length === 0 || names.includes(step.name));
const total = { passed: 0, failed: 0 };
/** @type {Set<string>} */
const failedSteps = new Set();

mkdirSync(RESULTS_FOLDER, { recursive: true });
await generateClient();
for (const step of chosen) {
  const outcome = step.needs && failedSteps.has(step.needs) ? passedOver(step.name, step.needs) : await runStep(step);
  if (outcome.failed > 0) failedSteps.add(step.name);
  total.passed += outcome.passed;
  total.failed += outcome.failed;
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed > 0 ? 1 : 0);

/** @param {(typeof STEPS)[number]} step */
async function runStep({ name, tests = false, run }) {
  const results = join(RESULTS_FOLDER, `${name}.json`);
  rmSync(results, { force: true });
  const startedAt = Date.now();
  const error = await Promise.race([
    run().then(
      () => null,
      (/** @type {unknown} */ thrown) => thrown,
    ),
    late(name),
  ]);
  const seconds = `${((Date.now() - startedAt) / 1000).toFixed(1)} s`.padStart(8);
  const counted = tests ? countTests(results) : { passed: 0, failed: 0, skipped: 0 };
  // A step that fails outside a test (a type error, a suite that does not load) is one failure.
  const failed = error ? Math.max(1, counted.failed) : counted.failed;
  const detail = tests
    ? `${counted.passed} passed${counted.failed > 0 ? `, ${counted.failed} failed` : ""}${counted.skipped > 0 ? `, ${counted.skipped} skipped` : ""}`
    : "";
  console.log(`${failed > 0 ? "FAILED" : "ok    "} ${name.padEnd(8)}${seconds}  ${detail}`.trimEnd());
  if (error) console.log(error instanceof PlainError ? error.message : error);
  return { passed: counted.passed, failed };
}

/** @param {string} name @param {string} needed */
function passedOver(name, needed) {
  console.log(`FAILED ${name.padEnd(8)}          not run, because ${needed} failed`);
  return { passed: 0, failed: 1 };
}

/** @param {string} name */
async function late(name) {
  await new Promise((resolve) => setTimeout(resolve, STEP_MS_MAX).unref());
  await endAllChildren();
  return new PlainError(`${name} had not ended after ${STEP_MS_MAX / 60_000} minutes.`);
}

function types() {
  // Written by an earlier build or a development server, perhaps of pages that are gone. The build checks its own.
  for (const folder of [".next/types", ".next/dev/types"]) rmSync(join(ROOT, folder), { recursive: true, force: true });
  return outputOf(["node_modules/typescript/bin/tsc", "--noEmit", "--incremental", "false"]);
}

/** @param {string} project */
function vitest(project) {
  const output = join(RESULTS_FOLDER, `${project}.json`);
  return outputOf(
    [
      "node_modules/vitest/vitest.mjs",
      "run",
      "--project",
      project,
      "--reporter=dot",
      "--reporter=json",
      `--outputFile=${output}`,
    ],
    {
      NODE_ENV: "test",
      NO_COLOR: "1",
    },
  );
}

async function endToEnd() {
  const browser = await findOrInstallBrowser();
  return outputOf(["node_modules/@playwright/test/cli.js", "test"], {
    NODE_ENV: "test",
    NO_COLOR: "1",
    PLAYWRIGHT_JSON_OUTPUT_NAME: join(RESULTS_FOLDER, "e2e.json"),
    ...(browser === null ? {} : { BINDERY_CHROMIUM: browser }),
  });
}

async function end() {
  await endAllChildren();
  console.log(`${total.passed} passed, ${total.failed + 1} failed`);
  process.exit(1);
}
