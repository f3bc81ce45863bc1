// @ts-check
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chownSync, cpSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { PlainError } from "./plain-error.mjs";

const ACCOUNT = "postgres";

/**
 * Under whom the database server runs: PostgreSQL refuses to run as root, so root lends it an account without rights;
 * anybody else runs it as themselves, and gets an empty object.
 * @typedef {{ uid?: number, gid?: number }} Account
 */

/**
 * Returns the account for the server, making the system account where root has none yet.
 * @returns {Account}
 */
export function serverAccount() {
  if (process.getuid?.() !== 0) return {};
  const known = lookUp(ACCOUNT);
  if (known) return known;
  spawnSync("useradd", [
    "--system",
    "--user-group",
    "--no-create-home",
    "--home-dir",
    "/nonexistent",
    "--shell",
    "/usr/sbin/nologin",
    ACCOUNT,
  ]);
  const made = lookUp(ACCOUNT) ?? lookUp("nobody");
  if (made) return made;
  throw new PlainError(
    "PostgreSQL does not run as root and no account for it could be made: add a system account named postgres, or set DATABASE_URL.",
  );
}

/**
 * Returns a folder holding the server's binaries that `account` may run: the installed one, or a copy where the
 * account may not enter the folders above it (a clone below /root, for one).
 * @param {string} native folder of the package with bin, lib and share
 * @param {string} version of the package, so that an upgrade makes a new copy
 * @param {Account} account
 */
export function runnableBinaries(native, version, account) {
  if (canRun(join(native, "bin", "postgres"), account)) return native;
  if (account.uid === undefined) {
    throw new PlainError("The installed PostgreSQL does not run on this machine: set DATABASE_URL to use another one.");
  }
  const copy = join("/var/cache/bindery", `postgres-${version}`);
  if (!existsSync(copy)) {
    mkdirSync(dirname(copy), { recursive: true, mode: 0o755 });
    const partial = `${copy}.${process.pid}`;
    cpSync(native, partial, { recursive: true, verbatimSymlinks: true });
    renameSync(partial, copy);
  }
  if (canRun(join(copy, "bin", "postgres"), account)) return copy;
  throw new PlainError("The account postgres may not run the database server: set DATABASE_URL to use another one.");
}

/**
 * Returns the folder in which the server may keep its data: the wanted one, or one below /var/lib where the account
 * may not enter the folders above it. Its parent exists and is usable afterwards.
 * @param {string} wanted
 * @param {Account} account
 */
export function usableDataFolder(wanted, account) {
  const parent = dirname(wanted);
  mkdirSync(parent, { recursive: true });
  if (account.uid === undefined || mayEnter(parent, account)) return wanted;
  const mark = createHash("sha256").update(wanted).digest("hex").slice(0, 12);
  const elsewhere = join("/var/lib/bindery", mark, basename(wanted));
  mkdirSync(dirname(elsewhere), { recursive: true, mode: 0o755 });
  if (mayEnter(dirname(elsewhere), account)) return elsewhere;
  throw new PlainError(
    `The account postgres may not enter ${parent} nor /var/lib/bindery: set DATABASE_URL to use another database.`,
  );
}

/**
 * Makes an empty private folder owned by the account, replacing what an interrupted start left there.
 * @param {string} folder @param {Account} account
 */
export function freshFolderFor(folder, account) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (account.uid !== undefined && account.gid !== undefined) chownSync(folder, account.uid, account.gid);
}

/** @param {string} name @returns {{ uid: number, gid: number } | null} */
function lookUp(name) {
  const number = (/** @type {string} */ flag) => {
    const answer = spawnSync("id", [flag, name], { encoding: "utf8" });
    return answer.status === 0 ? Number(answer.stdout) : Number.NaN;
  };
  const uid = number("-u");
  const gid = number("-g");
  return Number.isInteger(uid) && Number.isInteger(gid) ? { uid, gid } : null;
}

/** @param {string} binary @param {Account} account */
function canRun(binary, account) {
  return spawnSync(binary, ["--version"], { ...account, cwd: "/" }).status === 0;
}

/** @param {string} folder @param {Account} account */
function mayEnter(folder, account) {
  return spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", folder], { ...account, cwd: "/" }).status === 0;
}
