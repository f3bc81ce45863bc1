import { lstat, readdir, statfs } from "node:fs/promises";
import { join } from "node:path";
import { PacketFailure } from "@/server/domain/failure";

/** How many bytes the workspaces of this host hold together, and may. */
export interface WorkspaceBudget {
  bytesUsed(): number;
  /** Measures again; false where there is no room for another attempt. */
  hasRoom(): Promise<boolean>;
  /** Measures again; throws `workspace_full` where there is no room for another attempt. [C67,C69] */
  admit(): Promise<void>;
}

/** What an attempt may be expected to need at least; with less than this an ordinary packet would run into the wall. */
const ATTEMPT_BYTES = 64 * 1024 * 1024;

/**
 * Returns the byte budget of the workspaces under `root`, of whichever process they are. An attempt is refused while it could still be
 * made later, before the budget or the disk is used up.
 */
export function createWorkspaceBudget({ root, bytesMax }: { root: string; bytesMax: number }): WorkspaceBudget {
  const needed = Math.min(ATTEMPT_BYTES, bytesMax);
  let used = 0;
  const hasRoom = async () => {
    used = await bytesUnder(root);
    return used + needed <= bytesMax && (await bytesFree(root)) >= needed;
  };
  return {
    bytesUsed: () => used,
    hasRoom,
    admit: async () => {
      if (!(await hasRoom())) throw new PacketFailure("workspace_full", { retryAfterSeconds: 10 });
    },
  };
}

/** Free bytes of the disk; endless where that cannot be told, and then the budget alone decides. */
async function bytesFree(root: string): Promise<number> {
  return statfs(root).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => Number.POSITIVE_INFINITY,
  );
}

async function bytesUnder(directory: string): Promise<number> {
  let bytes = 0;
  // A file or directory may go while it is counted: it then counts for nothing.
  for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) bytes += await bytesUnder(path);
    if (entry.isFile()) bytes += (await lstat(path).catch(() => null))?.size ?? 0;
  }
  return bytes;
}
