import { constants } from "node:fs";
import { chmod, type FileHandle, link, lstat, mkdir, open, readdir, unlink } from "node:fs/promises";

/** The calls to the file system that an archive makes, one by one, so that a test can let each of them fail. */
export interface FileCalls {
  /** Makes the directory, private to us. False where it is there already. */
  makeDirectory(path: string): Promise<boolean>;
  openForReading(path: string): Promise<FileHandle>;
  /** Fails where the file exists. */
  create(path: string): Promise<FileHandle>;
  /** Makes the bytes last through a loss of power. */
  syncFile(handle: FileHandle): Promise<void>;
  /** Makes entries of the directory last through a loss of power. */
  syncDirectory(path: string): Promise<void>;
  /** Fails with `EEXIST` where `to` exists: unlike a rename, it never replaces. */
  link(from: string, to: string): Promise<void>;
  makeReadOnly(path: string): Promise<void>;
  remove(path: string): Promise<void>;
  list(path: string): Promise<string[]>;
  lookAt(path: string): Promise<{ isFile(): boolean; readonly mtimeMs: number; readonly size: number }>;
}

/** The real calls. Symbolic links are never followed at the last component. */
export const DISK: FileCalls = {
  async makeDirectory(path) {
    try {
      await mkdir(path, { mode: 0o700 });
      await chmod(path, 0o700);
      return true;
    } catch (error) {
      if (isErrno(error, "EEXIST")) return false;
      throw error;
    }
  },
  openForReading: (path) => open(path, constants.O_RDONLY | constants.O_NOFOLLOW),
  async create(path) {
    const handle = await open(
      path,
      constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
      0o600,
    );
    await handle.chmod(0o600);
    return handle;
  },
  syncFile: (handle) => handle.sync(),
  async syncDirectory(path) {
    const handle = await open(path, constants.O_RDONLY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  link,
  makeReadOnly: (path) => chmod(path, 0o400),
  remove: unlink,
  list: (path) => readdir(path),
  lookAt: (path) => lstat(path),
};

/** True where `error` is the operating system's error `code`. */
export function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
