// @ts-check
import { ensureInstalled } from "./install.mjs";
import { runOnPinnedNode } from "./pinned-node.mjs";
import { printFailure } from "./plain-error.mjs";
import { showProgressOn } from "./progress.mjs";

// `npm run <name>`: what each name runs on the pinned Node, with the caller's arguments behind it. A name that is not
// here is a command of the product (worker/commands, scripts/commands, faults/commands, bench/commands), bundled like the worker.

/** @type {Record<string, readonly string[]>} */
const SCRIPTS = {
  validate: ["scripts/validate.mjs"],
  lint: ["scripts/validate.mjs", "lint", "imports", "unused"],
  typecheck: ["scripts/validate.mjs", "types"],
  "test:unit": ["scripts/validate.mjs", "unit"],
  "test:db": ["scripts/validate.mjs", "db"],
  "test:e2e": ["scripts/validate.mjs", "build", "e2e"],
  build: ["scripts/validate.mjs", "build"],
  format: ["node_modules/@biomejs/biome/bin/biome", "check", "--write", "--linter-enabled=false"],
  "schema:check": ["scripts/schema-diff.mjs", "check"],
  "schema:diff": ["scripts/schema-diff.mjs", "write"],
  checklist: ["scripts/checklist.mjs"],
};

try {
  // stdout is the command's answer; what happens on the way to it is said on stderr.
  showProgressOn(process.stderr);
  await ensureInstalled();
  const [name = "", ...args] = process.argv.slice(2);
  const [script = "", ...fixed] = SCRIPTS[name] ?? ["scripts/product-command.mjs", name];
  process.exitCode = await runOnPinnedNode(script, [...fixed, ...args]);
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
