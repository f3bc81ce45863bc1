// @ts-check
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { judgeClaims, readClaims } from "./claims.mjs";
import { ROOT } from "./install.mjs";
import { RESULTS_FOLDER, readAllTests } from "./test-results.mjs";

// `npm run checklist`: which claims of docs/claims.md the last run of the tests proved or a document decides, and which
// are open, by group. The last line is the count.

const claims = readClaims(readFileSync(join(ROOT, "docs/claims.md"), "utf8"));
const judgement = judgeClaims(claims, { testNames: namesOfPassedTests(), documents: readDocuments() });

for (const [group, open] of Object.entries(Object.groupBy(judgement.open, ({ group }) => group))) {
  const total = claims.filter((claim) => claim.group === group).length;
  console.log(`${group}: ${open?.length} of ${total} open`);
  for (const { number, kind, claim } of open ?? []) console.log(`  C${number} ${kind} ${shortened(claim)}`);
}
for (const stray of judgement.strays) console.log(`! ${stray}`);
console.log(`${judgement.proved.length} proved by tests, ${judgement.decided.length} decided in documents`);
console.log(`${judgement.proved.length + judgement.decided.length} of ${claims.length}`);

function namesOfPassedTests() {
  const tests = readAllTests(RESULTS_FOLDER);
  if (tests.length > 0) return tests.filter(({ outcome }) => outcome === "passed").map(({ name }) => name);
  console.log("Nothing has been run here yet: this goes by the names in the sources. npm test makes it exact.");
  return namesInSources();
}

/** The whole text of each line that opens a test or a group of tests. */
function namesInSources() {
  return globSync("{app,server,worker,client,scripts,prisma,faults,bench,e2e}/**/*.{test,spec}.{ts,tsx}", {
    cwd: ROOT,
  }).flatMap((file) =>
    readFileSync(join(ROOT, file), "utf8")
      .split("\n")
      .filter((line) => /\[C\d+/.test(line) && !/^\s*(\/\/|\*)/.test(line)),
  );
}

function readDocuments() {
  return globSync("docs/**/*.md", { cwd: ROOT })
    .filter((name) => name !== "docs/claims.md")
    .map((name) => ({ name, text: readFileSync(join(ROOT, name), "utf8") }));
}

/** @param {string} text */
function shortened(text) {
  return text.length > 110 ? `${text.slice(0, 109)}…` : text;
}
