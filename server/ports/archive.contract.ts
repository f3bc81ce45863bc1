import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ArtifactKey, artifactKey, digestOf, newId } from "@/server/domain/ids";
import type { Archive } from "./archive";

/** Runs the suite that every Archive must pass against what `make` returns; `directory` is empty and its own. */
export function describeArchive(name: string, make: (directory: string) => Archive): void {
  describe(`${name} keeps the promises of an archive`, () => {
    let directory: string;
    let archive: Archive;
    let key: ArtifactKey;
    const older = Buffer.from("%PDF-1.7 the bytes that were verified");
    const other = Buffer.from("%PDF-1.7 some other bytes");

    async function fileOf(bytes: Uint8Array): Promise<string> {
      const path = join(directory, `${newId("job")}.pdf`);
      await writeFile(path, bytes);
      return path;
    }

    beforeEach(async () => {
      directory = await mkdtemp(join(tmpdir(), "archive-"));
      archive = make(join(directory, "store"));
      key = artifactKey(newId("tenant"), newId("revision"), "board");
    });
    afterEach(() => rm(directory, { recursive: true, force: true }));

    it("committed bytes can be read back whole, and the file they came from is untouched", async () => {
      const path = await fileOf(older);
      expect(await archive.commit(key, path, digestOf(older))).toBe("committed");
      expect(await bytesOf(await archive.open(key))).toEqual(older);
      expect(await archive.stat(key)).toEqual({ bytes: older.length });
      expect(await readFile(path)).toEqual(older);
    });

    it("a second commit of the same bytes is already committed and makes no second object [C262,C276,C292]", async () => {
      await archive.commit(key, await fileOf(older), digestOf(older));
      expect(await archive.commit(key, await fileOf(older), digestOf(older))).toBe("already_committed");
      expect(await archive.digestOf(key)).toBe(digestOf(older));
    });

    it("a commit of other bytes under the same key is a conflict and changes nothing [C251,C262]", async () => {
      await archive.commit(key, await fileOf(older), digestOf(older));
      const attempt = archive.commit(key, await fileOf(other), digestOf(other));
      await expect(attempt).rejects.toMatchObject({ code: "artifact_conflict" });
      expect(await bytesOf(await archive.open(key))).toEqual(older);
    });

    it("of many commits at once one is committed, the others already are [C276]", async () => {
      const path = await fileOf(older);
      const answers = await Promise.all(Array.from({ length: 12 }, () => archive.commit(key, path, digestOf(older))));
      expect(answers.filter((answer) => answer === "committed")).toHaveLength(1);
      expect(await archive.digestOf(key)).toBe(digestOf(older));
    });

    it("a file that changed after it was verified is refused, and nothing becomes visible [C256,C271]", async () => {
      const attempt = archive.commit(key, await fileOf(other), digestOf(older));
      await expect(attempt).rejects.toMatchObject({ code: "storage_unavailable" });
      expect(await archive.stat(key)).toBeNull();
    });

    it("a file cut short is refused, and nothing becomes visible [C259]", async () => {
      const path = await fileOf(older);
      await truncate(path, 5);
      await expect(archive.commit(key, path, digestOf(older))).rejects.toMatchObject({ code: "storage_unavailable" });
      expect(await archive.digestOf(key)).toBeNull();
      await expect(archive.open(key)).rejects.toMatchObject({ code: "not_found" });
    });

    it("a missing file is refused, and nothing becomes visible", async () => {
      const attempt = archive.commit(key, join(directory, "nothing.pdf"), digestOf(older));
      await expect(attempt).rejects.toMatchObject({ code: "storage_unavailable" });
      expect(await archive.stat(key)).toBeNull();
    });

    it("a range gives exactly its bytes", async () => {
      await archive.commit(key, await fileOf(older), digestOf(older));
      expect(await bytesOf(await archive.open(key, { start: 0, end: 4 }))).toEqual(older.subarray(0, 5));
      const tail = { start: older.length - 3, end: older.length - 1 };
      expect(await bytesOf(await archive.open(key, tail))).toEqual(older.subarray(-3));
    });

    it.each([0, 1, 65_535, 65_536, 65_537, 131_072])(
      "%i bytes come back whole and in every range at their edges",
      async (size) => {
        const bytes = Buffer.from(Uint8Array.from({ length: size }, (_, index) => (index * 31 + (index >> 8)) & 0xff));
        expect(await archive.commit(key, await fileOf(bytes), digestOf(bytes))).toBe("committed");
        expect(await archive.stat(key)).toEqual({ bytes: size });
        expect(await archive.digestOf(key)).toBe(digestOf(bytes));
        expect((await bytesOf(await archive.open(key))).equals(bytes)).toBe(true);
        const edges = [0, 1, 65_534, 65_535, 65_536, size - 1].filter((edge) => edge >= 0 && edge < size);
        for (const start of edges) {
          for (const end of edges.filter((edge) => edge >= start)) {
            const part = await bytesOf(await archive.open(key, { start, end }));
            expect(part.equals(bytes.subarray(start, end + 1)), `${start}-${end}`).toBe(true);
          }
        }
      },
    );

    it("readers beside a commit see nothing or everything [C259,C260]", async () => {
      const bytes = Buffer.alloc(3_000_000, "page ");
      const path = await fileOf(bytes);
      let isOver = false;
      const commit = archive.commit(key, path, digestOf(bytes)).finally(() => {
        isOver = true;
      });
      const seen = new Set<string | null>();
      do {
        seen.add(await archive.digestOf(key));
        await setImmediate();
      } while (!isOver);
      await commit;
      seen.add(await archive.digestOf(key));
      seen.delete(null);
      expect([...seen]).toEqual([digestOf(bytes)]);
    });

    it("erased bytes are gone, and erasing again is no fault", async () => {
      await archive.commit(key, await fileOf(older), digestOf(older));
      await archive.erase(key);
      await archive.erase(key);
      expect(await archive.stat(key)).toBeNull();
      expect(await archive.digestOf(key)).toBeNull();
    });

    it("an object that was never committed has no digest and no length", async () => {
      expect(await archive.digestOf(key)).toBeNull();
      expect(await archive.stat(key)).toBeNull();
    });

    it("a reader that leaves early releases the object", async () => {
      const bytes = Buffer.alloc(1_000_000, "x");
      await archive.commit(key, await fileOf(bytes), digestOf(bytes));
      const reader = (await archive.open(key)).getReader();
      await reader.read();
      await reader.cancel();
      await archive.erase(key);
      expect(await archive.stat(key)).toBeNull();
    });
  });
}

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
