import { readFile } from "node:fs/promises";
import { PacketFailure } from "@/server/domain/failure";
import { type ArtifactKey, type Digest, digestOf } from "@/server/domain/ids";
import type { Archive, ByteRange } from "@/server/ports/archive";

/** An archive that lasts as long as its process: for tests and samples. */
export class MemoryArchive<Key extends string = ArtifactKey> implements Archive<Key> {
  readonly #objects = new Map<Key, Uint8Array>();

  async commit(key: Key, path: string, digest: Digest): Promise<"committed" | "already_committed"> {
    const bytes = await readFile(path).catch((cause: unknown) => {
      throw new PacketFailure("storage_unavailable", { detail: "the file to commit cannot be read", cause });
    });
    if (digestOf(bytes) !== digest) {
      throw new PacketFailure("storage_unavailable", { detail: "the file to commit does not have the digest given" });
    }
    const held = this.#objects.get(key);
    if (held === undefined) {
      this.#objects.set(key, bytes);
      return "committed";
    }
    if (digestOf(held) !== digest) throw new PacketFailure("artifact_conflict");
    return "already_committed";
  }

  async digestOf(key: Key): Promise<Digest | null> {
    const held = this.#objects.get(key);
    return held === undefined ? null : digestOf(held);
  }

  async stat(key: Key): Promise<{ bytes: number } | null> {
    const held = this.#objects.get(key);
    return held === undefined ? null : { bytes: held.length };
  }

  async open(key: Key, range?: ByteRange): Promise<ReadableStream<Uint8Array>> {
    const held = this.#objects.get(key);
    if (held === undefined) throw new PacketFailure("not_found");
    const bytes = range === undefined ? held : held.subarray(range.start, range.end + 1);
    return new ReadableStream({
      start(controller) {
        controller.enqueue(bytes);
        controller.close();
      },
    });
  }

  async erase(key: Key): Promise<void> {
    this.#objects.delete(key);
  }
}
