import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { DISK, type FileCalls, isErrno } from "@/server/adapters/archive/file-calls";
import { between, type Random } from "./random-choice";

/** One file, whatever its names: what was made to last, and what had been written when it was closed. */
interface Inode {
  durable: Buffer | null;
  written: Buffer;
}

type Entry = { readonly inode: Inode } | "directory";

type Event =
  | { readonly type: "entry"; readonly path: string; readonly entry: Entry }
  | { readonly type: "gone"; readonly path: string }
  | { readonly type: "written"; readonly inode: Inode; readonly bytes: Buffer }
  | { readonly type: "file_synced"; readonly inode: Inode; readonly bytes: Buffer }
  /** Only what was there when the call was made is sure to last. */
  | { readonly type: "directory_synced"; readonly path: string; readonly askedAt: number }
  | { readonly type: "said"; readonly word: string };

/** Real calls on a real directory, all of them remembered in order. */
export interface RecordedDisk {
  readonly calls: FileCalls;
  /** Marks this instant: whatever was promised by now must have lasted. */
  say(word: string): void;
  /** How many events there are: a cut lies before one of them, or after all. */
  readonly length: number;
  /** Returns the cut just after something was said: promises are broken there, if anywhere. */
  afterWord(random: Random): number;
  /** Writes below `target` what a loss of power before event `cut` would have left of `root`, and returns what had been said by then. */
  leave(cut: number, target: string, random: Random): Promise<ReadonlySet<string>>;
}

/** Records every call below `root`. What is not synced may be lost: each entry on its own, and of a file everything or all but a part. */
export function recordingDisk(root: string): RecordedDisk {
  const events: Event[] = [];
  const inodes = new Map<string, Inode>();
  const paths = new WeakMap<object, string>();
  const inodeAt = (path: string): Inode => {
    const inode = inodes.get(path);
    if (inode === undefined) throw new RangeError("There is no such file on the recorded disk.");
    return inode;
  };
  const written = async (path: string): Promise<void> => {
    events.push({ type: "written", inode: inodeAt(path), bytes: await readFile(path) });
  };
  // Calls under way that make a name. Another process may meet the name before the call has returned: from then on it counts as made.
  const underWay = new Map<string, Set<() => void>>();
  const making = async <Result>(path: string, entry: Entry, make: () => Promise<Result>): Promise<Result> => {
    let isNoted = false;
    const note = () => {
      if (isNoted) return;
      isNoted = true;
      if (entry !== "directory") inodes.set(path, entry.inode);
      events.push({ type: "entry", path, entry });
    };
    const others = underWay.get(path) ?? new Set();
    underWay.set(path, others.add(note));
    try {
      const result = await make();
      if (result !== false) note();
      return result;
    } finally {
      others.delete(note);
    }
  };
  const met = (path: string): void => {
    for (const note of underWay.get(path) ?? []) note();
  };
  const calls: FileCalls = {
    ...DISK,
    async makeDirectory(path) {
      const isNew = await making(path, "directory", () => DISK.makeDirectory(path));
      if (!isNew) met(path);
      return isNew;
    },
    async create(path) {
      const inode: Inode = { durable: null, written: Buffer.alloc(0) };
      const handle = await making(path, { inode }, () => DISK.create(path));
      paths.set(handle, path);
      const close = handle.close.bind(handle);
      handle.close = async () => {
        if (inodes.has(path)) await written(path);
        await close();
      };
      return handle;
    },
    async syncFile(handle) {
      const path = paths.get(handle);
      if (path === undefined) throw new RangeError("Only files that were created here are synced.");
      await written(path);
      const bytes = await readFile(path);
      await DISK.syncFile(handle);
      events.push({ type: "file_synced", inode: inodeAt(path), bytes });
    },
    async syncDirectory(path) {
      const askedAt = events.length;
      await DISK.syncDirectory(path);
      events.push({ type: "directory_synced", path, askedAt });
    },
    async link(from, to) {
      await making(to, { inode: inodeAt(from) }, () => DISK.link(from, to)).catch((error: unknown) => {
        if (isErrno(error, "EEXIST")) met(to);
        throw error;
      });
    },
    async lookAt(path) {
      const found = await DISK.lookAt(path);
      met(path);
      return found;
    },
    async openForReading(path) {
      const handle = await DISK.openForReading(path);
      met(path);
      return handle;
    },
    async remove(path) {
      await DISK.remove(path);
      inodes.delete(path);
      events.push({ type: "gone", path });
    },
  };
  return {
    calls,
    say: (word) => void events.push({ type: "said", word }),
    get length() {
      return events.length;
    },
    afterWord: (random) => {
      const cuts = events.flatMap((event, at) => (event.type === "said" ? [at + 1] : []));
      return cuts[between(random, 0, cuts.length - 1)] ?? 0;
    },
    leave: (cut, target, random) => leave(events.slice(0, cut), root, target, random),
  };
}

/** What is known of one name in a directory: what lasts, and what was done to it since. */
interface Name {
  durable: Entry | null;
  since: { readonly at: number; readonly entry: Entry | null }[];
}

async function leave(
  events: readonly Event[],
  root: string,
  target: string,
  random: Random,
): Promise<ReadonlySet<string>> {
  const names = new Map<string, Name>();
  const said = new Set<string>();
  const contents = new Map<Inode, { durable: Buffer | null; written: Buffer }>();
  const nameAt = (path: string): Name => {
    const name = names.get(path) ?? { durable: null, since: [] };
    names.set(path, name);
    return name;
  };
  const contentOf = (inode: Inode) => {
    const content = contents.get(inode) ?? { durable: null, written: Buffer.alloc(0) };
    contents.set(inode, content);
    return content;
  };
  for (const [at, event] of events.entries()) {
    if (event.type === "said") said.add(event.word);
    if (event.type === "entry") nameAt(event.path).since.push({ at, entry: event.entry });
    if (event.type === "gone") nameAt(event.path).since.push({ at, entry: null });
    if (event.type === "written") contentOf(event.inode).written = event.bytes;
    if (event.type === "file_synced") contentOf(event.inode).durable = event.bytes;
    if (event.type !== "directory_synced") continue;
    for (const [path, name] of names) {
      if (dirname(path) !== event.path) continue;
      const lasts = name.since.filter((change) => change.at < event.askedAt).at(-1);
      if (lasts !== undefined) name.durable = lasts.entry;
      name.since = name.since.filter((change) => change.at >= event.askedAt);
    }
  }
  // A disk may have written more than it was made to: half of the time it lost all it could.
  const mayLinger = random() < 0.5;
  const lasting = (name: Name) => {
    const states = [name.durable, ...name.since.map((change) => change.entry)];
    return states[mayLinger ? between(random, 0, states.length - 1) : 0] ?? null;
  };
  const torn = new Map<Inode, Buffer>();
  const bytesOf = (inode: Inode): Buffer => {
    const known = torn.get(inode);
    if (known !== undefined) return known;
    const { durable, written } = contentOf(inode);
    const kept = durable ?? tornFrom(written, random);
    torn.set(inode, kept);
    return kept;
  };
  await mkdir(target, { recursive: true, mode: 0o700 });
  const byDepth = [...names].sort(([left], [right]) => left.length - right.length);
  const present = new Set([dirname(root)]);
  for (const [path, name] of byDepth) {
    const entry = lasting(name);
    // Whatever lies in a directory that is gone is gone with it.
    if (entry === null || !present.has(dirname(path))) continue;
    const place = join(target, relative(root, path));
    if (entry === "directory") {
      present.add(path);
      await mkdir(place, { recursive: true, mode: 0o700 });
    } else await writeFile(place, bytesOf(entry.inode), { mode: 0o600 });
  }
  return said;
}

/** The beginning of what was written, or its length with nothing in the rest: files get their length before their bytes. */
function tornFrom(written: Buffer, random: Random): Buffer {
  const kept = written.subarray(0, between(random, 0, Math.max(0, written.length - 1)));
  return random() < 0.5 ? kept : Buffer.concat([kept], written.length);
}

/** A disk that forgets to make bytes last: the same as linking before they do. */
export function withoutFileSync(disk: RecordedDisk): FileCalls {
  return { ...disk.calls, syncFile: async () => undefined };
}

/** A disk that forgets to make entries last. */
export function withoutDirectorySync(disk: RecordedDisk): FileCalls {
  return { ...disk.calls, syncDirectory: async () => undefined };
}

/** Writes a file for a commit outside every recorded root and returns its path and bytes. */
export async function freshFile(
  directory: string,
  random: Random,
): Promise<{ readonly path: string; readonly bytes: Buffer }> {
  const bytes = Buffer.concat([Buffer.from("%PDF-1.7 "), randomBytes(between(random, 1, 4_000))]);
  const path = join(directory, `file-${randomBytes(8).toString("hex")}`);
  const file = await open(path, "wx", 0o600);
  await file.writeFile(bytes);
  await file.close();
  return { path, bytes };
}
