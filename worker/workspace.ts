import { randomBytes } from "node:crypto";
import { chmod, lstat, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PacketFailure } from "@/server/domain/failure";

/** The file that says that a directory is ours, and whose. */
export const MARKER_NAME = ".bindery-workspace";

export interface WorkspaceMarker {
  readonly jobId: string;
  readonly attempt: number;
  readonly eraseBy: Date;
}

/** One attempt's private directory. Every name in it is made here; nothing a person typed becomes a path. [C201,C212,C213] */
export interface Workspace {
  /** Returns the path of a file with one of our own names, such as `source-3.pdf`. */
  path(name: string): string;
  /** Makes a directory inside and returns its path. */
  directory(name: string): Promise<string>;
  /** Removes everything. Safe to call twice. */
  erase(): Promise<void>;
}

/** How many bytes the workspaces of this host hold together, and may. */
export interface WorkspaceBudget {
  bytesUsed(): number;
  /** Measures again; throws `workspace_full` where there is no room for another attempt. [C67,C69] */
  admit(): Promise<void>;
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
  const place = join(options.root, randomBytes(16).toString("hex"));
  try {
    await mkdir(place, { mode: 0o700 });
    await chmod(place, 0o700);
    const { jobId, attempt, eraseBy } = options.marker;
    const marker = JSON.stringify({ service: "bindery", jobId, attempt, eraseBy: eraseBy.toISOString() });
    await writeFile(join(place, MARKER_NAME), marker, { mode: 0o600, flag: "wx" });
  } catch (cause) {
    await rm(place, { recursive: true, force: true });
    throw new PacketFailure("workspace_failed", { cause });
  }
  const path = (name: string) => {
    if (!OWN_NAME.test(name)) throw new RangeError("Not a name of ours.");
    return join(place, name);
  };
  return {
    path,
    directory: async (name) => {
      const inner = path(name);
      await mkdir(inner, { mode: 0o700 });
      await chmod(inner, 0o700);
      return inner;
    },
    erase: () => rm(place, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Returns the byte budget of the workspaces under `root`. */
export function createWorkspaceBudget(options: { root: string; bytesMax: number }): WorkspaceBudget {
  let used = 0;
  return {
    bytesUsed: () => used,
    admit: async () => {
      used = await bytesUnder(options.root);
      if (used >= options.bytesMax) throw new PacketFailure("workspace_full", { retryAfterSeconds: 10 });
    },
  };
}

async function bytesUnder(directory: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) bytes += await bytesUnder(path);
    // A file may go while it is counted: it then counts for nothing.
    else if (entry.isFile())
      bytes += await lstat(path).then(
        (found) => found.size,
        () => 0,
      );
  }
  return bytes;
}
