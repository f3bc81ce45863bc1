import { lstat, readdir, unlink } from "node:fs/promises";
import { join } from "node:path";

/** The names that `receiveUpload` gives. */
const OWN_NAME = /^[0-9a-f]{32}$/;

/** Removes uploads that a killed web process had begun to receive before `before`. Only our own names, only plain files. [C168] */
export async function sweepIncoming(directory: string, before: Date): Promise<number> {
  let swept = 0;
  for (const name of await readdir(directory).catch(() => [])) {
    if (!OWN_NAME.test(name)) continue;
    const path = join(directory, name);
    // What another process removes meanwhile is gone all the same.
    const found = await lstat(path).catch(() => null);
    if (found === null || !found.isFile() || found.mtimeMs >= before.getTime()) continue;
    await unlink(path).catch(() => undefined);
    swept += 1;
  }
  return swept;
}
