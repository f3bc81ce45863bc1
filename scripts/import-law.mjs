// @ts-check
import { existsSync } from "node:fs";
import { join } from "node:path";
import { cruise } from "dependency-cruiser";
import law from "../.dependency-cruiser.mjs";

/** @typedef {import("dependency-cruiser").IModule} Module */

/** Our folders, as far as they exist, and the loose files that belong to the product. */
const SOURCES = ["app", "server", "worker", "client", "prisma", "scripts", "bench", "faults", "e2e", "proxy.ts"];

/** What turns bytes into pages or pages into bytes. The web process reaches none of it, not even by way of others. */
const RENDERING = /^(worker\/|node_modules\/(@react-pdf|pdf-lib|@cantoo\/pdf-lib|@hyzyla\/pdfium|fontkit|sharp)\/)/;

/** What the process that holds foreign bytes must not have at hand: a way out. */
const OUTWARD =
  /^(server\/(adapters\/(mailer|webhook-sender|source-fetcher)|db|queue|services)\/|(node:)?(http|https|http2|net|tls|dgram|dns)$|node_modules\/(nodemailer|undici|pg|pg-boss)\/)/;

/** A helper goes to the file that uses it; on second use, to the noun it is about. */
const VAGUE_NAME = /(^|\/)(utils?|helpers?|common|lib|misc|shared|types)(\/|\.[cm]?[jt]sx?$)/;

/**
 * Returns every breach of the import law below `root`, one line each, and how many modules were read. The checker
 * answers "no violations" when it could not parse a single file, so the caller must look at the number too.
 * @param {string} root
 * @returns {Promise<{ breaches: string[], modules: number }>}
 */
export async function breachesOfImportLaw(root) {
  const { modules, violations } = await read(root);
  const breaches = violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
  const own = modules.map(({ source }) => source).filter((source) => !/^node_modules\/|\/generated\//.test(source));
  breaches.push(...own.filter((path) => VAGUE_NAME.test(path)).map((path) => `vague-name: ${path}`));
  const webEntries = (/** @type {string} */ path) => /^(app\/|proxy[.]ts$|server\/(api|http|auth)\/)/.test(path);
  breaches.push(...reachable(modules, webEntries, RENDERING).map((path) => `web-without-rendering: ${path}`));
  const child = (/** @type {string} */ path) => path === "worker/renderer/child.ts";
  breaches.push(
    ...reachable(modules, child, OUTWARD, ["worker/renderer/no-network.ts"]).map(
      (path) => `renderer-without-a-way-out: ${path}`,
    ),
  );
  return { breaches: breaches.sort(), modules: own.length };
}

/** @param {string} root */
async function read(root) {
  const { options, forbidden } = law;
  const sources = SOURCES.filter((source) => existsSync(join(root, source)));
  const result = await cruise(
    sources,
    /** @type {any} */ ({ ...options, ruleSet: { forbidden }, validate: true, baseDir: root }),
    /** @type {any} */ ({ ...options?.enhancedResolveOptions, alias: { "@": root } }),
  );
  if (typeof result.output === "string") throw new Error("the import checker answered in text");
  return { modules: result.output.modules, violations: result.output.summary.violations };
}

/**
 * Returns the chains by which static imports lead from an entry to a forbidden module. Imports of types vanish in the
 * build, and `import()` loads only when called, so neither counts.
 * @param {readonly Module[]} modules
 * @param {(path: string) => boolean} isEntry
 * @param {RegExp} forbidden
 * @param {readonly string[]} [except] modules that take the forbidden thing away from the process
 */
function reachable(modules, isEntry, forbidden, except = []) {
  const bySource = new Map(modules.map((module) => [module.source, module]));
  const isTest = (/** @type {string} */ path) => /[.](test|spec)[.]tsx?$/.test(path);
  const entries = [...bySource.keys()].filter((path) => isEntry(path) && !isTest(path));
  const chains = new Map(entries.map((path) => [path, path]));
  const found = [];
  for (const [path, chain] of chains) {
    if (except.includes(path)) continue;
    for (const dependency of bySource.get(path)?.dependencies ?? []) {
      const next = dependency.resolved;
      if (
        dependency.dynamic ||
        dependency.typeOnly ||
        dependency.dependencyTypes.includes("type-only") ||
        chains.has(next)
      )
        continue;
      chains.set(next, `${chain} -> ${next}`);
      if (forbidden.test(next) && !entries.includes(next)) found.push(`${chain} -> ${next}`);
    }
  }
  return found;
}
