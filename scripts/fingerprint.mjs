// @ts-check
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/**
 * Runs `work` unless its inputs are what they were when it last succeeded and all its outputs are there. Returns
 * whether it ran. A failed or interrupted run is repeated the next time.
 * @param {{ stamp: string, root: string, inputs: readonly string[], outputs: readonly string[], except?: RegExp }} step
 *   `inputs` are files and folders from `root`, `outputs` paths from `root`, `except` names files that do not count
 * @param {() => Promise<void>} work
 */
export async function unlessUnchanged({ stamp, root, inputs, outputs, except }, work) {
  const now = fingerprint(root, inputs, except);
  const missing = () => outputs.filter((output) => !existsSync(join(root, output)));
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === now && missing().length === 0) return false;
  rmSync(stamp, { force: true });
  await work();
  if (missing().length > 0) throw new Error(`a step ended well but did not make ${missing().join(", ")}`);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, now);
  return true;
}

/**
 * Returns a digest over the names and bytes of all files below the inputs; inputs that do not exist count as absent.
 * @param {string} root @param {readonly string[]} inputs @param {RegExp} [except]
 */
export function fingerprint(root, inputs, except) {
  const hash = createHash("sha256");
  for (const input of [...inputs].sort()) {
    for (const file of filesBelow(join(root, input))) {
      const name = relative(root, file);
      if (except?.test(name)) continue;
      const bytes = readFileSync(file);
      hash.update(`${name}\0${bytes.length}\0`).update(bytes);
    }
  }
  return hash.digest("hex");
}

/** @param {string} path @returns {string[]} */
function filesBelow(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
}
