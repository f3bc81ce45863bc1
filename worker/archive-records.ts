import { mkdir, open, rename } from "node:fs/promises";
import { join } from "node:path";
import type { ArtifactKey } from "@/server/domain/ids";
import { canonicalJson } from "@/server/domain/request";

/** Archive records as JSON files beside the artifacts, for whoever reads the archive without the database. Derived from the row. */
export interface ArchiveRecords {
  write(key: ArtifactKey, record: Readonly<Record<string, unknown>>): Promise<void>;
}

/** Keeps records in a directory. Writing one again replaces it as a whole: readers see the old one or the new one. */
export function recordsIn(directory: string): ArchiveRecords {
  return {
    write: async (key, record) => {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const path = join(directory, `${key}.json`);
      const staged = `${path}.${process.pid}.part`;
      const file = await open(staged, "w", 0o600);
      try {
        await file.writeFile(`${canonicalJson(JSON.parse(JSON.stringify(record)))}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(staged, path);
    },
  };
}
