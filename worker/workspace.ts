import { randomBytes } from "node:crypto";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PacketFailure } from "@/server/domain/failure";
import { formatMarker, type WorkspaceMarker } from "@/server/domain/workspace";
import { HeldDirectory } from "./held-directory";
import type { WorkspaceBudget } from "./workspace-budget";

export { createWorkspaceBudget, type WorkspaceBudget } from "./workspace-budget";

/** The file that says that a directory is ours, and whose. */
export const MARKER_NAME = ".bindery-workspace";

/** One attempt's private directory. Every name in it is made here; nothing a person typed becomes a path. [C201,C212,C213] */
export interface Workspace {
  /** Returns the path of a file with one of our own names, such as `source-3.pdf`. Throws a RangeError for any other name. */
  path(name: string): string;
  /** Makes a directory inside and returns its path. */
  directory(name: string): Promise<string>;
  /** Removes everything, the marker last, and follows no link. Safe to call twice. */
  erase(): Promise<void>;
}

const OWN_NAME = /^[a-z][a-z0-9-]{0,60}(\.[a-z]{1,5})?$/;

/**
 * Opens a fresh directory under `root`: a name of 128 random bits, mode 0700 whatever the umask, the marker written first.
 * Throws `workspace_full` or `workspace_failed`. [C205,C206,C221,C231]
 */
export async function openWorkspace(options: {
  root: string;
  marker: WorkspaceMarker;
  budget: WorkspaceBudget;
}): Promise<Workspace> {
  await options.budget.admit();
  const { root, marker } = options;
  const name = randomBytes(16).toString("hex");
  const place = join(root, name);
  try {
    await makePrivate(place);
    await writeFile(join(place, MARKER_NAME), formatMarker(name, marker), { mode: 0o600, flag: "wx" });
  } catch (cause) {
    // The failure itself is what counts; what cannot be removed now is empty.
    await erase(root, name).catch(() => undefined);
    throw new PacketFailure(isDiskFull(cause) ? "workspace_full" : "workspace_failed", { cause });
  }
  const path = (own: string) => {
    if (!OWN_NAME.test(own)) throw new RangeError("Not a name of ours.");
    return join(place, own);
  };
  return {
    path,
    directory: async (own) => {
      const inner = path(own);
      await makePrivate(inner);
      return inner;
    },
    erase: () => erase(root, name),
  };
}

/** The mode is set again because the umask may have taken from it, or a default of the directory above added to it. */
async function makePrivate(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 });
  await chmod(path, 0o700);
}

async function erase(root: string, name: string): Promise<void> {
  const held = await HeldDirectory.open(root);
  try {
    await held.removeTree(name, MARKER_NAME);
  } finally {
    await held.close();
  }
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}
