import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, readFile, readlink, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { formatMarker } from "@/server/domain/workspace";
import { MARKER_NAME } from "@/worker/workspace";

/** A directory in the canary tree that looks like an abandoned workspace in every way, except where it lies. */
export const DECOY = "d".repeat(32);

/** Makes a tree that no sweeper may touch: files, directories, links, and what looks like one of our own workspaces. */
export async function plantCanaries(place: string): Promise<void> {
  const decoy = join(place, DECOY);
  await mkdir(join(place, "deep", "deeper"), { recursive: true, mode: 0o700 });
  await mkdir(decoy, { mode: 0o700 });
  await writeFile(join(place, "kept.txt"), "kept");
  await writeFile(join(place, "deep", "kept.txt"), "kept as well");
  await writeFile(join(place, "deep", "deeper", "kept.txt"), "kept at the bottom");
  await symlink("kept.txt", join(place, "link"));
  const marker = { jobId: "job_canary", attempt: 0, eraseBy: new Date(0) };
  await writeFile(join(decoy, MARKER_NAME), formatMarker(DECOY, marker), { mode: 0o600 });
  await writeFile(join(decoy, "source-1.pdf"), "kept");
}

/** Returns a digest of the whole tree: names, kinds, modes and contents. */
export async function digestOfTree(place: string): Promise<string> {
  const hash = createHash("sha256");
  const walk = async (directory: string): Promise<void> => {
    for (const name of (await readdir(directory)).sort()) {
      const path = join(directory, name);
      const seen = await lstat(path);
      hash.update(JSON.stringify([path.slice(place.length), seen.mode, seen.isDirectory() ? 0 : seen.size]));
      if (seen.isFile()) hash.update(await readFile(path));
      if (seen.isSymbolicLink()) hash.update(await readlink(path));
      if (seen.isDirectory()) await walk(path);
    }
  };
  await walk(place);
  return hash.digest("hex");
}
