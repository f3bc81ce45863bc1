import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { PacketFailure } from "@/server/domain/failure";
import type { ArtifactKey, Digest } from "@/server/domain/ids";
import type { Archive, ByteRange } from "@/server/ports/archive";
import type { Encryption } from "@/server/ports/encryption";
import { type FileCalls, isErrno } from "./file-calls";
import { digestSealed, digestUnsealed, sealBytes, streamSealed } from "./sealed-file";
import { layoutOf } from "./sealed-format";

const STAGING_NAME = /^[0-9a-f]{32}\.part$/;

/**
 * An archive in a directory, sealed at rest. A commit seals the bytes into a staging file on the same file system, makes them durable,
 * reads them back, and only then links them to their name: `link` is atomic and refuses to replace, where `rename` would replace silently. Names are
 * hashes, so that nothing a person typed is part of a path. [C363]
 */
export class FilesystemArchive<Key extends string = ArtifactKey> implements Archive<Key> {
  readonly #root: string;
  readonly #staging: string;
  readonly #calls: FileCalls;
  readonly #encryption: Encryption;
  readonly #durableDirectories = new Set<string>();

  constructor(root: string, calls: FileCalls, encryption: Encryption) {
    this.#root = root;
    this.#staging = join(root, "staging");
    this.#calls = calls;
    this.#encryption = encryption;
  }

  async commit(key: Key, path: string, digest: Digest): Promise<"committed" | "already_committed"> {
    const place = this.#placeOf(key);
    return translated(async () => {
      await this.#ensureDirectory(this.#staging);
      await this.#ensureDirectory(dirname(place));
      if ((await this.#calls.lookAt(place).catch(absent)) !== null) return this.#compare(key, digest);
      const staged = join(this.#staging, `${randomBytes(16).toString("hex")}.part`);
      try {
        await this.#stage(key, { path, staged, digest });
        await this.#calls.link(staged, place);
        await this.#calls.syncDirectory(dirname(place));
      } catch (error) {
        if (isErrno(error, "EEXIST")) return await this.#compare(key, digest);
        throw error;
      } finally {
        // A file that cannot be removed now is swept by age; the commit stands or falls without it.
        await this.#calls.remove(staged).catch(() => undefined);
      }
      await this.#calls.makeReadOnly(place);
      return "committed";
    });
  }

  async digestOf(key: Key): Promise<Digest | null> {
    const place = this.#placeOf(key);
    return translated(async () => {
      const handle = await this.#calls.openForReading(place).catch(absent);
      if (handle === null) return null;
      // Altered bytes have a digest too, but one that no record can have.
      return (await digestSealed(handle, key, this.#encryption)) ?? this.#digestUnsealed(place);
    });
  }

  async stat(key: Key): Promise<{ bytes: number } | null> {
    const place = this.#placeOf(key);
    return translated(async () => {
      const seen = await this.#calls.lookAt(place).catch(absent);
      if (!seen?.isFile()) return null;
      return { bytes: layoutOf(seen.size)?.plainBytes ?? seen.size };
    });
  }

  async open(key: Key, range?: ByteRange): Promise<ReadableStream<Uint8Array>> {
    const place = this.#placeOf(key);
    const handle = await translated(() => this.#calls.openForReading(place).catch(absent));
    if (handle === null) throw new PacketFailure("not_found");
    return translated(() => streamSealed(handle, { object: key, encryption: this.#encryption, range }));
  }

  async erase(key: Key): Promise<void> {
    const place = this.#placeOf(key);
    await translated(async () => {
      const isGone = (await this.#calls.remove(place).catch(absent)) === null;
      if (!isGone) await this.#calls.syncDirectory(dirname(place));
    });
  }

  /** Removes staging files that killed processes left before `olderThan`; returns how many. Safe beside live commits. */
  async sweepStaging(olderThan: Date): Promise<number> {
    return translated(async () => {
      const names = (await this.#calls.list(this.#staging).catch(absent)) ?? [];
      let removed = 0;
      for (const name of names.filter((candidate) => STAGING_NAME.test(candidate))) {
        const path = join(this.#staging, name);
        const seen = await this.#calls.lookAt(path).catch(absent);
        if (!seen?.isFile() || seen.mtimeMs >= olderThan.getTime()) continue;
        if ((await this.#calls.remove(path).catch(absent)) !== null) removed += 1;
      }
      return removed;
    });
  }

  /** Seals a copy and reads it back from its closed state: what is linked later has the digest given. [C256,C271] */
  async #stage(key: Key, { path, staged, digest }: { path: string; staged: string; digest: Digest }): Promise<void> {
    const from = await this.#calls.openForReading(path);
    try {
      const to = await this.#calls.create(staged);
      try {
        await sealBytes(from, to, key, this.#encryption);
        await this.#calls.syncFile(to);
      } finally {
        await to.close();
      }
    } finally {
      await from.close();
    }
    const written = await digestSealed(await this.#calls.openForReading(staged), key, this.#encryption);
    if (written !== digest) {
      throw new PacketFailure("storage_unavailable", { detail: "the staged bytes do not have the digest given" });
    }
  }

  /** The directory is synced here too: whoever linked this file may have died before it did. */
  async #compare(key: Key, digest: Digest): Promise<"already_committed"> {
    const place = this.#placeOf(key);
    const held = await digestSealed(await this.#calls.openForReading(place), key, this.#encryption);
    if (held !== digest) throw new PacketFailure("artifact_conflict");
    await this.#calls.syncDirectory(dirname(place));
    return "already_committed";
  }

  async #digestUnsealed(place: string): Promise<Digest> {
    return digestUnsealed(await this.#calls.openForReading(place));
  }

  /** Makes the directory and those above it, down from the root, and lets each entry reach the disk before it is relied on. */
  async #ensureDirectory(path: string): Promise<void> {
    if (this.#durableDirectories.has(path)) return;
    if (path !== this.#root) await this.#ensureDirectory(dirname(path));
    await this.#calls.makeDirectory(path);
    await this.#calls.syncDirectory(dirname(path));
    this.#durableDirectories.add(path);
  }

  #placeOf(key: Key): string {
    if (!/^[0-9a-f]{64}$/.test(key)) throw new TypeError("A key of the archive is 64 hex digits.");
    return join(this.#root, key.slice(0, 2), key.slice(2, 4), key);
  }
}

/** Runs `work`; whatever the operating system refuses becomes `storage_unavailable`. */
async function translated<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PacketFailure) throw error;
    const errno = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    throw new PacketFailure("storage_unavailable", { detail: errno, cause: error });
  }
}

function absent(error: unknown): null {
  if (isErrno(error, "ENOENT")) return null;
  throw error;
}
