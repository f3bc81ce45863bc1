import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ArtifactKey, artifactKey, digestOf, newId } from "@/server/domain/ids";
import { storageKeys } from "../encryption/storage-keys";
import { DISK } from "./file-calls";
import { FilesystemArchive } from "./filesystem";
import { CHUNK_BYTES, HEADER_BYTES, SEALED_CHUNK_BYTES } from "./sealed-format";

const OLD = ["k1", "11".repeat(32)] as const;
const NEW = ["k2", "22".repeat(32)] as const;

let directory: string;
let archive: FilesystemArchive;
let key: ArtifactKey;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "sealed-"));
  archive = new FilesystemArchive(join(directory, "store"), DISK, storageKeys([OLD]));
  key = artifactKey(newId("tenant"), newId("revision"), "board");
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Bytes that differ everywhere, so that no part can stand for another. */
function bytesOfLength(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let index = 0; index < length; index += 1) bytes[index] = (index * 31 + (index >> 8) * 7) & 0xff;
  return bytes;
}

async function committed(bytes: Uint8Array, to = archive, under = key): Promise<string> {
  const path = join(directory, "bytes");
  await writeFile(path, bytes);
  await to.commit(under, path, digestOf(bytes));
  return placeOf(under);
}

function placeOf(under: string): string {
  return join(directory, "store", under.slice(0, 2), under.slice(2, 4), under);
}

async function read(from = archive, under = key, range?: { start: number; end: number }): Promise<Buffer> {
  return Buffer.from(await new Response(await from.open(under, range)).arrayBuffer());
}

const SIZES = [0, 1, 100, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 2 * CHUNK_BYTES, 2 * CHUNK_BYTES + 17];

describe("what is stored", () => {
  it("cannot be read on the disk: no file holds any of the plain text, whatever part of it [C363]", async () => {
    const secret = "Canary Rosalind Ostberg, salary 61 000";
    await committed(Buffer.from(`%PDF-1.7 ${secret}`.repeat(4_000)));
    const names = await readdir(join(directory, "store"), { recursive: true });
    expect(names.length).toBeGreaterThan(2);
    for (const name of names) {
      const path = join(directory, "store", name);
      if (!(await stat(path)).isFile()) continue;
      const text = (await readFile(path)).toString("latin1");
      for (const part of ["%PDF", "Canary", "Rosalind", "61 000"]) expect(text).not.toContain(part);
    }
  });

  it.each(SIZES)(
    "of %i bytes comes back whole, with its length and digest, and in every range [C363]",
    async (size) => {
      const bytes = bytesOfLength(size);
      await committed(bytes);
      expect(await archive.stat(key)).toEqual({ bytes: size });
      expect(await archive.digestOf(key)).toBe(digestOf(bytes));
      expect((await read()).equals(bytes)).toBe(true);
      const edges = [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, size - 2, size - 1];
      for (const start of edges.filter((edge) => edge >= 0 && edge < size)) {
        for (const end of edges.filter((edge) => edge >= start && edge < size)) {
          expect((await read(archive, key, { start, end })).equals(bytes.subarray(start, end + 1))).toBe(true);
        }
      }
    },
  );

  it("has a key of its own: the same bytes twice are two different files", async () => {
    const other = artifactKey(newId("tenant"), newId("revision"), "board");
    const bytes = bytesOfLength(5_000);
    const [first, second] = [await committed(bytes), await committed(bytes, archive, other)];
    const tails = await Promise.all([first, second].map(async (path) => (await readFile(path)).subarray(HEADER_BYTES)));
    expect(tails[0]?.equals(tails[1] ?? Buffer.alloc(0))).toBe(false);
  });
});

describe("stored bytes that were changed are never read as something else", () => {
  async function expectRefused(plain: Uint8Array): Promise<void> {
    expect(await archive.digestOf(key)).not.toBe(digestOf(plain));
    await expect(read()).rejects.toThrow();
  }

  it("one flipped bit, wherever it is", async () => {
    const plain = bytesOfLength(CHUNK_BYTES + 40);
    const place = await committed(plain);
    const sealed = await readFile(place);
    await chmod(place, 0o600);
    const offsets = [0, 8, 9, 24, 40, 83, 84, 90, 91, 95, HEADER_BYTES, HEADER_BYTES + 1_000];
    offsets.push(HEADER_BYTES + SEALED_CHUNK_BYTES - 1, HEADER_BYTES + SEALED_CHUNK_BYTES, sealed.length - 1);
    for (const offset of offsets) {
      const changed = Buffer.from(sealed);
      changed[offset] = (changed[offset] ?? 0) ^ 1;
      await writeFile(place, changed);
      // Another key id is a key that is not at hand: that is said, and nothing is read either.
      const digest = await archive.digestOf(key).catch(() => null);
      expect(digest, `offset ${offset}`).not.toBe(digestOf(plain));
      await expect(read(), `offset ${offset}`).rejects.toThrow();
    }
  });

  it("cut off anywhere, at the end of a chunk too", async () => {
    const plain = bytesOfLength(2 * CHUNK_BYTES + 40);
    const place = await committed(plain);
    await chmod(place, 0o600);
    const lengths = [
      SEALED_CHUNK_BYTES * 2 + 1,
      SEALED_CHUNK_BYTES * 2,
      SEALED_CHUNK_BYTES + 16,
      SEALED_CHUNK_BYTES,
      16,
      0,
    ];
    for (const length of [...lengths.map((body) => HEADER_BYTES + body), HEADER_BYTES - 1, 10, 0]) {
      await truncate(place, length);
      await expectRefused(plain);
    }
  });

  it("chunks exchanged, repeated or left out", async () => {
    const plain = bytesOfLength(3 * CHUNK_BYTES);
    const place = await committed(plain);
    const sealed = await readFile(place);
    await chmod(place, 0o600);
    const header = sealed.subarray(0, HEADER_BYTES);
    const [a, b, c] = [0, 1, 2].map((index) =>
      sealed.subarray(HEADER_BYTES + index * SEALED_CHUNK_BYTES, HEADER_BYTES + (index + 1) * SEALED_CHUNK_BYTES),
    );
    for (const order of [
      [b, a, c],
      [a, a, c],
      [a, c],
      [a, b],
      [a, b, c, c],
    ]) {
      await writeFile(place, Buffer.concat([header, ...order.map((chunk) => chunk ?? Buffer.alloc(0))]));
      await expectRefused(plain);
    }
  });

  it("moved to the place of another object", async () => {
    const other = artifactKey(newId("tenant"), newId("revision"), "board");
    const plain = bytesOfLength(300);
    const from = await committed(plain);
    await mkdir(dirname(placeOf(other)), { recursive: true });
    await copyFile(from, placeOf(other));
    expect(await archive.digestOf(other)).not.toBe(digestOf(plain));
    await expect(read(archive, other)).rejects.toMatchObject({ code: "storage_unavailable" });
  });

  it("plain bytes put there from outside, though they be the very document", async () => {
    const plain = Buffer.from("%PDF-1.7 planted");
    const place = await committed(plain);
    await chmod(place, 0o600);
    await writeFile(place, plain);
    expect(await archive.stat(key)).toEqual({ bytes: plain.length });
    expect(await archive.digestOf(key)).not.toBe(digestOf(plain));
    await expect(read()).rejects.toMatchObject({ code: "storage_unavailable" });
  });

  it("any one byte of a small object, each in turn", async () => {
    const plain = bytesOfLength(3);
    const place = await committed(plain);
    const sealed = await readFile(place);
    await chmod(place, 0o600);
    for (let offset = 0; offset < sealed.length; offset += 1) {
      const changed = Buffer.from(sealed);
      changed[offset] = (changed[offset] ?? 0) ^ 0x80;
      await writeFile(place, changed);
      expect(await archive.digestOf(key).catch(() => null), `offset ${offset}`).not.toBe(digestOf(plain));
      await expect(read(), `offset ${offset}`).rejects.toThrow();
    }
    for (let length = 0; length < sealed.length; length += 1) {
      await writeFile(place, sealed.subarray(0, length));
      expect(await archive.digestOf(key), `length ${length}`).not.toBe(digestOf(plain));
      await expect(read(), `length ${length}`).rejects.toThrow();
    }
  });

  it("a stream that meets them on the way ends in an error after whole right chunks, never with other bytes", async () => {
    const plain = bytesOfLength(3 * CHUNK_BYTES);
    const place = await committed(plain);
    const sealed = await readFile(place);
    await chmod(place, 0o600);
    const at = HEADER_BYTES + 2 * SEALED_CHUNK_BYTES + 5;
    sealed[at] = (sealed[at] ?? 0) ^ 1;
    await writeFile(place, sealed);
    const got: Uint8Array[] = [];
    const reading = async () => {
      for await (const chunk of await archive.open(key)) got.push(chunk);
    };
    await expect(reading()).rejects.toMatchObject({ code: "storage_unavailable" });
    expect(Buffer.concat(got).equals(plain.subarray(0, 2 * CHUNK_BYTES))).toBe(true);
    const before = { start: 10, end: CHUNK_BYTES + 10 };
    expect((await read(archive, key, before)).equals(plain.subarray(10, CHUNK_BYTES + 11))).toBe(true);
  });
});

describe("storage keys", () => {
  it("may be changed: the newest seals, the older still opens what it sealed", async () => {
    const bytes = bytesOfLength(1_000);
    await committed(bytes);
    const rotated = new FilesystemArchive(join(directory, "store"), DISK, storageKeys([NEW, OLD]));
    expect((await read(rotated)).equals(bytes)).toBe(true);
    const later = artifactKey(newId("tenant"), newId("revision"), "board");
    expect((await readFile(await committed(bytes, rotated, later))).toString("latin1", 8, 10)).toBe("k2");
  });

  it("that are not at hand are said to be missing: the bytes are not called altered", async () => {
    await committed(bytesOfLength(1_000));
    const without = new FilesystemArchive(join(directory, "store"), DISK, storageKeys([NEW]));
    await expect(without.open(key)).rejects.toMatchObject({ code: "storage_unavailable" });
    await expect(without.digestOf(key)).rejects.toMatchObject({ code: "storage_unavailable" });
  });

  it("of another installation under the same name open nothing", async () => {
    await committed(bytesOfLength(1_000));
    const foreign = new FilesystemArchive(join(directory, "store"), DISK, storageKeys([["k1", "33".repeat(32)]]));
    await expect(foreign.open(key)).rejects.toMatchObject({ code: "storage_unavailable" });
  });
});
