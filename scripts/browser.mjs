// @ts-check
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { outputOf } from "./child-process.mjs";
import { PlainError } from "./plain-error.mjs";

const KNOWN = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/usr/local/bin/chromium",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * Returns the browser to test with: the one BINDERY_CHROMIUM names, an installed one, or one installed now in the way
 * the machine allows. Null means Playwright's own, just downloaded. Throws PlainError where none can be had.
 * @returns {Promise<string | null>}
 */
export async function findOrInstallBrowser() {
  const named = process.env.BINDERY_CHROMIUM;
  if (named) {
    if (answers(named)) return named;
    throw new PlainError("BINDERY_CHROMIUM does not name a browser that runs.");
  }
  const found = KNOWN.find(answers);
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync("/etc/debian_version")) {
    installFromDebian();
    const installed = KNOWN.find(answers);
    if (installed) return installed;
  }
  await outputOf(["node_modules/@playwright/test/cli.js", "install", "chromium"]);
  return null;
}

/** @param {string} browser */
function answers(browser) {
  if (!existsSync(browser)) return false;
  const asked = spawnSync(browser, ["--version"], { timeout: 20_000, encoding: "utf8" });
  return asked.status === 0 && /\d+\.\d+/.test(asked.stdout);
}

function installFromDebian() {
  // Another apt may be at work on a fresh machine: wait for its lock.
  const wait = "-oDPkg::Lock::Timeout=300";
  const options = { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }, timeout: 8 * 60_000 };
  spawnSync("apt-get", [wait, "-qq", "update"], options);
  spawnSync("apt-get", [wait, "-qq", "install", "-y", "--no-install-recommends", "chromium"], options);
}
