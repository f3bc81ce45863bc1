import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { DISK, type FileCalls } from "@/server/adapters/archive/file-calls";
import { FilesystemArchive } from "@/server/adapters/archive/filesystem";
import { testEncryption } from "@/server/adapters/encryption/test-encryption";
import { type ArtifactKey, artifactKey, type Digest, digestOf, newId } from "@/server/domain/ids";
import { type Fault, faultIf } from "./fault";
import { between, pick, type Random } from "./random-choice";
import { freshFile, type RecordedDisk, recordingDisk } from "./unsynced-disk";

/** What a loss of power met: how far the work had come, and what was wrong with what it left. */
export interface LostWrites {
  readonly faults: readonly Fault[];
  /** Objects that had been reported, that were lost without having been, and files in staging that somebody has to sweep. */
  readonly reported: number;
  readonly lost: number;
  readonly leftovers: number;
}

interface Object {
  readonly key: ArtifactKey;
  readonly path: string;
  readonly digest: Digest;
}

/**
 * Two processes commit and erase in one store; the power goes at an instant drawn at random, and takes what was not synced. The store is
 * opened again on what is left: an object is absent or whole, what was reported is there, what was erased is gone, and committing again
 * ends well. `callsOf` puts other calls in the place of the recorded ones, to see that the check sees.
 */
export async function losePower(
  random: Random,
  within: string,
  callsOf: (disk: RecordedDisk) => FileCalls = (disk) => disk.calls,
): Promise<LostWrites> {
  const directory = await mkdtemp(join(within, "power-"));
  try {
    const disk = recordingDisk(join(directory, "store"));
    const objects = await work(directory, disk, callsOf(disk), random);
    const cut = pick(random, [between(random, 0, disk.length), disk.afterWord(random)]);
    const left = join(directory, "left");
    const said = await disk.leave(cut, left, random);
    return await judge(left, objects, said);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function work(directory: string, disk: RecordedDisk, calls: FileCalls, random: Random): Promise<Object[]> {
  await mkdir(join(directory, "work"));
  const processes = [0, 1].map(() => new FilesystemArchive(join(directory, "store"), calls, testEncryption));
  const objects: Object[] = [];
  for (let made = between(random, 1, 4); made > 0; made -= 1) {
    const { path, bytes } = await freshFile(join(directory, "work"), random);
    objects.push({ key: artifactKey(newId("tenant"), newId("revision"), "board"), path, digest: digestOf(bytes) });
  }
  await Promise.all(
    objects.map(async ({ key, path, digest }) => {
      const together = random() < 0.5 ? processes : processes.slice(0, 1);
      const isErased = random() < 0.25;
      await Promise.all(
        together.map(async (process) => {
          await process.commit(key, path, digest);
          disk.say(`committed ${key}`);
        }),
      );
      if (!isErased) return;
      disk.say(`erasing ${key}`);
      await processes[0]?.erase(key);
      disk.say(`erased ${key}`);
    }),
  );
  return objects;
}

async function judge(left: string, objects: readonly Object[], said: ReadonlySet<string>): Promise<LostWrites> {
  const faults: Fault[] = [];
  const store = new FilesystemArchive(left, DISK, testEncryption);
  let reported = 0;
  let lost = 0;
  const leftovers = (await readdir(join(left, "staging")).catch(() => [])).length;
  for (const { key, path, digest } of objects) {
    const held = await store.digestOf(key);
    const isReported = said.has(`committed ${key}`) && !said.has(`erasing ${key}`);
    if (isReported) reported += 1;
    if (held === null) lost += 1;
    const isTorn = held !== null && held !== digest;
    faults.push(
      ...faultIf(isTorn, "corrupt", "part of an object"),
      ...faultIf(isReported && held === null, "lost", "an object that was reported"),
      ...faultIf(said.has(`erased ${key}`) && held !== null, "overdue", "an object that was erased"),
    );
    if (isTorn) continue;
    faults.push(
      ...faultIf(!(await endsWell(store, key, path, digest)), "lost", "an object that can be committed again"),
    );
  }
  await store.sweepStaging(new Date("2200-01-01T00:00:00Z"));
  const residue = await readdir(join(left, "staging")).catch(() => []);
  faults.push(...faultIf(residue.length > 0, "unexpected", "part of a commit after the sweep"));
  return { faults, reported, lost, leftovers };
}

async function endsWell(store: FilesystemArchive, key: ArtifactKey, path: string, digest: Digest): Promise<boolean> {
  await store.commit(key, path, digest);
  return (await store.digestOf(key)) === digest;
}
