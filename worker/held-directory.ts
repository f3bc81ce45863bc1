import { constants, type Dirent, type Stats } from "node:fs";
import { type FileHandle, lstat, open, readdir, rmdir, unlink } from "node:fs/promises";

const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
/** Our own trees are two deep. */
const DEPTH_MAX = 64;
const PASSES_MAX = 3;

/**
 * A directory that is held open. Names are looked up in the directory itself, as `openat` does, and no link is ever followed: whoever
 * exchanges a directory for a link meanwhile leads nobody elsewhere. Where the system has no `/proc` its path has to do. [C303]
 */
export class HeldDirectory {
  readonly #handle: FileHandle;
  readonly #base: string;

  private constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    this.#base = process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : path;
  }

  /** Opens the directory at `path`. Throws where it is a link or no directory. */
  static async open(path: string): Promise<HeldDirectory> {
    return new HeldDirectory(await open(path, DIRECTORY), path);
  }

  async enter(name: Buffer | string): Promise<HeldDirectory> {
    const path = this.#pathOf(name);
    return new HeldDirectory(await open(path, DIRECTORY), path.toString());
  }

  stat(): Promise<Stats> {
    return this.#handle.stat();
  }

  lookAt(name: Buffer | string): Promise<Stats> {
    return lstat(this.#pathOf(name));
  }

  /** Opens a file for reading; a pipe or device does not make it wait. */
  openFile(name: string): Promise<FileHandle> {
    return open(this.#pathOf(name), FILE);
  }

  entries(): Promise<Dirent<Buffer>[]> {
    return readdir(this.#base, { withFileTypes: true, encoding: "buffer" });
  }

  /**
   * Removes the directory `name` with all that is in it, `last` of all the file called so, so that a removal cut short can be told from
   * what is not ours; where somebody puts something there meanwhile, that file is put back. What is on another device stays, and then
   * this throws. Nothing happens where there is no such directory.
   */
  async removeTree(name: string, last: string): Promise<void> {
    const { dev } = await this.stat();
    const inner = await this.enter(name).catch(unlessGone);
    if (inner === null) return;
    try {
      const mark = await inner.#read(last);
      await this.#removeTree(Buffer.from(name), Buffer.from(last), dev, 0).catch(async (error: unknown) => {
        if (mark !== null) await inner.#putBack(last, mark);
        throw error;
      });
    } finally {
      await inner.close();
    }
  }

  /** Removes the directory `name` where nothing is in it, or only an empty file called `mark`. False where there is anything else. */
  async removeUnbegun(name: string, mark: string): Promise<boolean> {
    const inner = await this.enter(name);
    try {
      const [entry, ...others] = await inner.entries();
      if (others.length > 0) return false;
      if (entry !== undefined) {
        const isMark = entry.name.equals(Buffer.from(mark)) && entry.isFile();
        if (!isMark || (await inner.lookAt(mark)).size > 0) return false;
        await unlink(inner.#pathOf(mark));
      }
    } finally {
      await inner.close();
    }
    // Refuses where somebody put something there in the meantime.
    await rmdir(this.#pathOf(name));
    return true;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  async #removeTree(name: Buffer, last: Buffer, device: number, depth: number): Promise<void> {
    if (depth > DEPTH_MAX) throw new RangeError("A directory is nested too deep.");
    const inner = await this.enter(name).catch(unlessGone);
    if (inner === null) return;
    try {
      if ((await inner.stat()).dev !== device) throw new RangeError("A directory is on another device.");
      await inner.#empty(last, device, depth);
    } finally {
      await inner.close();
    }
    await rmdir(this.#pathOf(name)).catch(unlessGone);
  }

  /** What was exchanged or added while this looked is met on the next pass, for what it then is. */
  async #empty(last: Buffer, device: number, depth: number): Promise<void> {
    for (let pass = 1; ; pass += 1) {
      try {
        const entries = await this.entries();
        for (const entry of entries.filter(({ name }) => !name.equals(last))) {
          if (entry.isDirectory()) await this.#removeTree(entry.name, last, device, depth + 1);
          else await unlink(this.#pathOf(entry.name)).catch(unlessGone);
        }
        await unlink(this.#pathOf(last)).catch(unlessGone);
        return;
      } catch (error) {
        if (pass === PASSES_MAX || error instanceof RangeError) throw error;
      }
    }
  }

  async #read(name: string): Promise<Buffer | null> {
    const handle = await this.openFile(name).catch(() => null);
    if (handle === null) return null;
    try {
      return (await handle.stat()).isFile() ? await handle.readFile() : null;
    } finally {
      await handle.close();
    }
  }

  /** Nothing happens where it is still there, or where the directory itself has gone. */
  async #putBack(name: string, bytes: Buffer): Promise<void> {
    const handle = await open(this.#pathOf(name), NEW_FILE, 0o600).catch(() => null);
    if (handle === null) return;
    try {
      await handle.writeFile(bytes);
    } finally {
      await handle.close();
    }
  }

  #pathOf(name: Buffer | string): Buffer {
    return Buffer.concat([Buffer.from(`${this.#base}/`), Buffer.from(name)]);
  }
}

function unlessGone(error: unknown): null {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
  throw error;
}
