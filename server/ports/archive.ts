import type { ArtifactKey, Digest } from "@/server/domain/ids";

/** Bytes `start` to `end`, both included, counted from 0: as HTTP counts them (RFC 9110, 14.1.2). */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Write-once storage. A reader sees a whole object or none, never part of one. The type of its key says what it may hold, so that a
 * preview cannot be put where the record lies. Trouble of the storage itself is `storage_unavailable`, which may be tried again.
 */
export interface Archive<Key extends string = ArtifactKey> {
  /**
   * Makes the closed file at `path` visible under `key`, or reports that these bytes are there already. What becomes visible has the
   * digest given: a file that changed since then is refused with `storage_unavailable`. Other bytes under the key: `artifact_conflict`.
   * The file at `path` stays as it was.
   */
  commit(key: Key, path: string, digest: Digest): Promise<"committed" | "already_committed">;
  /** The digest of the bytes held now, read afresh: the basis of a fixity check. Null where there are none. */
  digestOf(key: Key): Promise<Digest | null>;
  /** How many bytes are held, or null where there is no object. */
  stat(key: Key): Promise<{ readonly bytes: number } | null>;
  /** The bytes, or the part of them that `range` names. Throws `not_found` where there is no object. */
  open(key: Key, range?: ByteRange): Promise<ReadableStream<Uint8Array>>;
  /** Removes the object. Nothing happens where there is none. */
  erase(key: Key): Promise<void>;
}
