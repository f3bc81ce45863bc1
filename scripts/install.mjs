// @ts-check
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PlainError } from "./plain-error.mjs";
import { withProgress } from "./progress.mjs";

// Only built-ins here: this runs before anything is installed, on whatever Node (20 or newer) the machine has.

/** The repository's folder. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");

/** The Node that the lock file pins; everything but the first lines of a command runs on it. */
export const PINNED_NODE = join(ROOT, "node_modules/.bin/node");

/**
 * Installs the packages of package-lock.json where they are not what is installed. Returns whether it installed.
 * Throws PlainError with what npm said.
 * @returns {Promise<boolean>}
 */
export async function ensureInstalled() {
  const stamp = join(ROOT, "node_modules/.bindery-installed");
  const lock = createHash("sha256")
    .update(readFileSync(join(ROOT, "package-lock.json")))
    .update(`${process.platform} ${process.arch}`)
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock && existsSync(PINNED_NODE)) return false;
  rmSync(stamp, { force: true });
  await withProgress("Installing packages…", installPackages);
  if (!existsSync(PINNED_NODE)) {
    throw new PlainError(
      "npm did not run the install scripts that package.json allows: remove ignore-scripts from npm's settings.",
    );
  }
  writeFileSync(stamp, lock);
  return true;
}

async function installPackages() {
  // npm puts node_modules/.bin first in PATH, and npm ci deletes the Node there: use the Node that runs npm.
  const node = process.env.npm_node_execpath ?? process.execPath;
  const npm = process.env.npm_execpath;
  const flags = [
    "ci",
    "--loglevel=error",
    "--progress=false",
    "--fund=false",
    "--audit=false",
    "--include=dev",
    "--include=optional",
  ];
  const child = npm
    ? spawn(node, [npm, ...flags], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] })
    : spawn("npm", flags, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
  const passOn = () => child.kill("SIGTERM");
  process.once("SIGTERM", passOn).once("SIGHUP", passOn);
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  process.removeListener("SIGTERM", passOn).removeListener("SIGHUP", passOn);
  if (code !== 0) throw new PlainError(`The packages could not be installed. npm says:\n${said.trim()}`);
}
