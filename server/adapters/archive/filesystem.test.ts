import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { testEncryption } from "@/server/adapters/encryption/test-encryption";
import { type ArtifactKey, artifactKey, digestOf, newId, previewKey } from "@/server/domain/ids";
import { describeArchive } from "@/server/ports/archive.contract";
import { DISK, type FileCalls } from "./file-calls";
import { FilesystemArchive } from "./filesystem";

describeArchive("The archive in a directory", (directory) => new FilesystemArchive(directory, DISK, testEncryption));

const bytes = Buffer.alloc(700_000, "%PDF-1.7 page after page ");
const digest = digestOf(bytes);

let directory: string;
let root: string;
let path: string;
let key: ArtifactKey;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "archive-"));
  root = join(directory, "store");
  path = join(directory, "packet.pdf");
  await writeFile(path, bytes);
  key = artifactKey(newId("tenant"), newId("revision"), "board");
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe("a commit", () => {
  it("makes the bytes last, closes and reads them back, links, and makes the entry last: in this order [C208,C256,C258,C274]", async () => {
    const archive = new FilesystemArchive(root, DISK, testEncryption);
    // The directories stand already, so that what is left is the commit itself.
    await archive.commit(key, path, digest);
    await archive.erase(key);
    const order: string[] = [];
    const watched = new FilesystemArchive(
      root,
      watching(async (call) => void order.push(call)),
      testEncryption,
    );
    await watched.commit(key, path, digest);
    const itself = order.slice(order.indexOf("lookAt") + 1);
    expect(itself).toEqual([
      "openForReading",
      "create",
      "syncFile",
      "closed",
      "openForReading",
      "link",
      "syncDirectory",
      "remove",
      "makeReadOnly",
    ]);
  });

  it("stages with mode 0600 whatever the umask, and nobody can write to what was committed [C295]", async () => {
    const before = process.umask(0);
    const modes: number[] = [];
    try {
      const watched = watching(async (call, target) => {
        if (call === "link") modes.push((await stat(target)).mode & 0o777);
      });
      await new FilesystemArchive(root, watched, testEncryption).commit(key, path, digest);
    } finally {
      process.umask(before);
    }
    modes.push((await stat(placeOf(key))).mode & 0o777, (await stat(root)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o400, 0o700]);
  });

  it("publishes what was verified, though the file is exchanged while it is copied [C271]", async () => {
    const watched = watching(async (call) => {
      if (call === "create") await truncate(path, 10);
    });
    const commit = new FilesystemArchive(root, watched, testEncryption).commit(key, path, digest);
    await expect(commit).rejects.toMatchObject({ code: "storage_unavailable" });
    await nothingIsThere();
  });

  it("does not follow a link to the bytes", async () => {
    const link = join(directory, "link.pdf");
    await symlink(path, link);
    const commit = new FilesystemArchive(root, DISK, testEncryption).commit(key, link, digest);
    await expect(commit).rejects.toMatchObject({ code: "storage_unavailable" });
  });

  it("is one object even when two processes link at the same moment [C251,C276]", async () => {
    const other = new FilesystemArchive(root, DISK, testEncryption);
    let answerOfOther: string | null = null;
    const watched = watching(async (call) => {
      if (call === "link") answerOfOther = await other.commit(key, path, digest);
    });
    expect(await new FilesystemArchive(root, watched, testEncryption).commit(key, path, digest)).toBe(
      "already_committed",
    );
    expect(answerOfOther).toBe("committed");
    expect(await staged()).toEqual([]);
  });

  it("does not take a preview: its key is of another type, and leads elsewhere [C47]", async () => {
    const archive = new FilesystemArchive(root, DISK, testEncryption);
    const preview = previewKey(newId("job"));
    // @ts-expect-error a preview's key is no artifact's key: without this error the type check fails.
    const commit = () => archive.commit(preview, path, digest);
    expect(commit).toBeTypeOf("function");
    expect(preview).not.toBe(key);
  });

  it("takes no key that is not a hash, so that nothing typed becomes a path", async () => {
    const archive = new FilesystemArchive<string>(root, DISK, testEncryption);
    for (const bad of ["", "../../etc/passwd", "Board book", "A".repeat(64), `${"a".repeat(64)}/..`]) {
      await expect(archive.commit(bad, path, digest)).rejects.toThrow(TypeError);
      await expect(archive.open(bad)).rejects.toThrow(TypeError);
    }
  });
});

describe("a process that dies", () => {
  it("before any one call of a commit leaves nothing or the whole object, and repeating it ends in one [C258,C259,C275,C292]", async () => {
    let outcomes = "";
    for (let calls = 1; ; calls += 1) {
      root = join(directory, `store-${calls}`);
      let made = 0;
      const dying = watching(async () => {
        made += 1;
        if (made >= calls) throw new Error("killed");
      });
      const isThrough = await new FilesystemArchive(root, dying, testEncryption).commit(key, path, digest).then(
        () => true,
        () => false,
      );
      if (isThrough) break;
      const next = new FilesystemArchive(root, DISK, testEncryption);
      expect([null, digest]).toContain(await next.digestOf(key));
      outcomes += (await next.commit(key, path, digest)) === "committed" ? "c" : "a";
      expect(await next.digestOf(key)).toBe(digest);
      await next.sweepStaging(new Date("2100-01-01T00:00:00Z"));
      expect(await staged()).toEqual([]);
    }
    // Dead before the link: committed by the next. Dead after it: found by the next.
    expect(outcomes).toMatch(/^c{8,}a{3}$/);
  });
});

describe("trouble of the storage", () => {
  const errors = ["EIO", "ENOSPC", "EMFILE", "EACCES", "EXDEV", "EROFS"];

  it.each(errors)("%s at any one call may be tried again, and leaves no part of an object", async (code) => {
    for (let calls = 1; ; calls += 1) {
      root = join(directory, `store-${calls}`);
      let made = 0;
      const failing = watching(async () => {
        made += 1;
        if (made === calls) throw Object.assign(new Error("refused"), { code });
      });
      const archive = new FilesystemArchive(root, failing, testEncryption);
      const outcome = await archive.commit(key, path, digest).catch((error: unknown) => error);
      if (made < calls) break;
      if (outcome !== "committed") expect(outcome).toMatchObject({ code: "storage_unavailable", detail: code });
      expect([null, digest]).toContain(await archive.digestOf(key));
      expect(["committed", "already_committed"]).toContain(await archive.commit(key, path, digest));
      expect(await archive.digestOf(key)).toBe(digest);
    }
  });

  it("at reading is told apart from an object that is not there", async () => {
    const failing = watching(async () => {
      throw Object.assign(new Error("refused"), { code: "EIO" });
    });
    const archive = new FilesystemArchive(root, failing, testEncryption);
    for (const read of [archive.digestOf(key), archive.stat(key), archive.open(key), archive.erase(key)]) {
      await expect(read).rejects.toMatchObject({ code: "storage_unavailable" });
    }
  });
});

describe("the bytes that are held", () => {
  it("are read afresh for a digest: one flipped bit, one lost byte, one lost file is seen", async () => {
    const archive = new FilesystemArchive(root, DISK, testEncryption);
    await archive.commit(key, path, digest);
    const place = placeOf(key);
    await chmod(place, 0o600);
    const stored = await readFile(place);
    const damaged = Buffer.from(stored);
    damaged[350_000] = (damaged[350_000] ?? 0) ^ 1;
    await writeFile(place, damaged);
    const seen = await archive.digestOf(key);
    expect(seen).toMatch(/^sha256:/);
    expect(seen).not.toBe(digest);
    await writeFile(place, stored);
    expect(await archive.digestOf(key)).toBe(digest);
    await truncate(place, stored.length - 1);
    expect(await archive.digestOf(key)).not.toBe(digest);
    await rm(place);
    expect(await archive.digestOf(key)).toBeNull();
  });

  it("that differ from what is committed again are a conflict, never repaired in silence", async () => {
    const archive = new FilesystemArchive(root, DISK, testEncryption);
    await archive.commit(key, path, digest);
    await chmod(placeOf(key), 0o600);
    await truncate(placeOf(key), 10);
    await expect(archive.commit(key, path, digest)).rejects.toMatchObject({ code: "artifact_conflict" });
    expect((await readFile(placeOf(key))).length).toBe(10);
  });
});

describe("staging files that killed processes left", () => {
  it("are removed once they are old, and nothing else is", async () => {
    const archive = new FilesystemArchive(root, DISK, testEncryption);
    await archive.commit(key, path, digest);
    const place = join(root, "staging");
    const old = new Date("2026-11-01T00:00:00Z");
    const names = [`${"a".repeat(32)}.part`, `${"b".repeat(32)}.part`, "notes.txt", `${"c".repeat(32)}.part`];
    for (const name of names) await writeFile(join(place, name), "part");
    for (const name of [names[0], names[2]]) await utimes(join(place, String(name)), old, old);
    await rm(join(place, String(names[3])));
    await symlink(path, join(place, String(names[3])));
    await mkdir(join(place, `${"d".repeat(32)}.part`));
    expect(await archive.sweepStaging(new Date("2026-11-02T00:00:00Z"))).toBe(1);
    expect(await staged()).toHaveLength(4);
    expect(await archive.digestOf(key)).toBe(digest);
  });

  it("are none where nothing was ever committed", async () => {
    expect(await new FilesystemArchive(root, DISK, testEncryption).sweepStaging(new Date())).toBe(0);
  });
});

function placeOf(of: ArtifactKey): string {
  return join(root, of.slice(0, 2), of.slice(2, 4), of);
}

async function staged(): Promise<string[]> {
  return readdir(join(root, "staging")).catch(() => []);
}

async function nothingIsThere(): Promise<void> {
  expect(await new FilesystemArchive(root, DISK, testEncryption).stat(key)).toBeNull();
  expect(await staged()).toEqual([]);
}

/** The real calls, each announced before it is made; `closed` is told when a staging file has been closed. */
function watching(before: (call: string, path: string) => Promise<void>): FileCalls {
  const announced = async <Result>(call: string, target: string, make: () => Promise<Result>) => {
    await before(call, target);
    return make();
  };
  return {
    makeDirectory: (target) => announced("makeDirectory", target, () => DISK.makeDirectory(target)),
    openForReading: (target) => announced("openForReading", target, () => DISK.openForReading(target)),
    create: (target) =>
      announced("create", target, async () => {
        const handle = await DISK.create(target);
        const close = handle.close.bind(handle);
        handle.close = async () => {
          await close();
          await before("closed", target);
        };
        return handle;
      }),
    syncFile: (handle) => announced("syncFile", "", () => DISK.syncFile(handle)),
    syncDirectory: (target) => announced("syncDirectory", target, () => DISK.syncDirectory(target)),
    link: (from, to) => announced("link", from, () => DISK.link(from, to)),
    makeReadOnly: (target) => announced("makeReadOnly", target, () => DISK.makeReadOnly(target)),
    remove: (target) => announced("remove", target, () => DISK.remove(target)),
    list: (target) => announced("list", target, () => DISK.list(target)),
    lookAt: (target) => announced("lookAt", target, () => DISK.lookAt(target)),
  };
}
