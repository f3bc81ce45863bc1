import { type FileCalls, DISK as REAL } from "@/server/adapters/archive/file-calls";
import { passes } from "./armed";

export * from "@/server/adapters/archive/file-calls";

/** In the place of the archive's real file calls in a fault build: the same calls, with a point after each that makes something last. */
export const DISK: FileCalls = {
  ...REAL,
  async syncFile(handle) {
    await REAL.syncFile(handle);
    await passes("after file-sync");
  },
  async link(from, to) {
    await REAL.link(from, to);
    await passes("after link");
  },
  async syncDirectory(path) {
    await REAL.syncDirectory(path);
    await passes("after directory-sync");
  },
};

/** Points between the calls by which a file is committed. */
export const FILE_POINTS = ["after file-sync", "after link", "after directory-sync"] as const;
