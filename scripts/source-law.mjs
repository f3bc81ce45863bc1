// @ts-check
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What one place does and no other: said of the text, because no import shows it. Comments do not count.
 * @type {readonly { name: string, pattern: RegExp, only: RegExp, within: string }[]}
 */
const LAWS = [
  {
    name: "environment-read-once",
    pattern: /\bprocess\.env\b/,
    // The child is told its pool by its parent and has no other settings. An example is a program of somebody else's.
    only: /^(server\/env|worker\/renderer\/child|client\/examples\/[\w-]+)\.ts$/,
    within: "{app,server,worker,client}/**/*.{ts,tsx}",
  },
  {
    name: "one-clock",
    pattern: /\bDate\.now\(|\bnew Date\(\)/,
    only: /^server\/adapters\/clock\/system\.ts$|^(app|client)\//,
    within: "{app,server,worker,client}/**/*.{ts,tsx}",
  },
  {
    name: "one-maker-of-temporary-paths",
    pattern: /\b(mkdtemp|mkdtempSync|tmpdir)\b/,
    // Commands that a person runs without a worker have no attempt whose workspace they could use.
    only: /^worker\/(workspace\.ts|local-renderers\.ts|make-packet\.ts|commands\/)/,
    within: "{app,server,worker,client}/**/*.{ts,tsx}",
  },
  {
    name: "no-bare-blob-type",
    pattern: /\bblob\.type\b/i,
    only: /^$/,
    within: "{app,server,worker,client}/**/*.{ts,tsx}",
  },
];

/** Tests, what only they use, and code that is not ours. */
const TESTS = /\.(test|spec|contract)\.tsx?$|(^|\/)(test|hostile)-[^/]+\.ts$|\/testing\/|\/generated\//;

/**
 * Returns every line below `root` that does what only another place may do.
 * @param {string} root
 * @returns {string[]}
 */
export function breachesOfSourceLaw(root) {
  return LAWS.flatMap(({ name, pattern, only, within }) =>
    globSync(within, { cwd: root })
      .filter((file) => !only.test(file) && !TESTS.test(file))
      .sort()
      .flatMap((file) => linesMatching(join(root, file), pattern).map((line) => `${name}: ${file}:${line}`)),
  );
}

/** @param {string} file @param {RegExp} pattern */
function linesMatching(file, pattern) {
  return readFileSync(file, "utf8")
    .split("\n")
    .map((text, index) => ({ text, number: index + 1 }))
    .filter(({ text }) => !/^\s*(\/\/|\/?\*)/.test(text) && pattern.test(text))
    .map(({ number }) => number);
}
