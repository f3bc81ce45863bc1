import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { PacketFailure } from "@/server/domain/failure";
import { type Digest, parseDigest } from "@/server/domain/ids";
import type { ByteRange } from "@/server/ports/archive";
import type { Encryption } from "@/server/ports/encryption";
import { readAt, readNext, writeAll } from "./file-bytes";
import {
  CHUNK_BYTES,
  HEADER_BYTES,
  layoutOf,
  newHeader,
  openChunk,
  parseHeader,
  SEALED_CHUNK_BYTES,
  sealChunk,
} from "./sealed-format";

/** Writes all bytes of `from` to `to`, sealed for `object`. */
export async function sealBytes(
  from: FileHandle,
  to: FileHandle,
  object: string,
  encryption: Encryption,
): Promise<void> {
  const { dataKey, ...wrapped } = await encryption.newDataKey(object);
  const { bytes, header } = newHeader(wrapped);
  await writeAll(to, bytes);
  let chunk = await readNext(from, CHUNK_BYTES);
  for (let index = 0; ; index += 1) {
    // A chunk that is not full is the last; after a full one another read must tell.
    const next = chunk.length < CHUNK_BYTES ? null : await readNext(from, CHUNK_BYTES);
    const isLast = next === null || next.length === 0;
    await writeAll(to, sealChunk(dataKey, header, { index, isLast }, chunk));
    if (isLast) return;
    chunk = next;
  }
}

/** A sealed object that is open for reading. */
export interface SealedObject {
  readonly plainBytes: number;
  readonly chunks: number;
  /** Returns the plain bytes of a chunk, or null where they were altered. */
  chunkAt(index: number): Promise<Uint8Array | null>;
}

/** Opens the file as `object`. Null where it is none of ours, cut, or belongs to another object. The handle stays the caller's. */
export async function openSealed(
  handle: FileHandle,
  object: string,
  encryption: Encryption,
): Promise<SealedObject | null> {
  const layout = layoutOf((await handle.stat()).size);
  const header = parseHeader(await readAt(handle, 0, HEADER_BYTES));
  if (layout === null || header === null) return null;
  const dataKey = await encryption.openDataKey(object, header);
  if (dataKey === null) return null;
  const { chunks, plainBytes } = layout;
  return {
    plainBytes,
    chunks,
    chunkAt: async (index) => {
      const sealed = await readAt(handle, HEADER_BYTES + index * SEALED_CHUNK_BYTES, SEALED_CHUNK_BYTES);
      return openChunk(dataKey, header, { index, isLast: index === chunks - 1 }, sealed);
    },
  };
}

/** Returns the digest of the plain bytes and closes the file; null where what lies there is not what was sealed. */
export async function digestSealed(handle: FileHandle, object: string, encryption: Encryption): Promise<Digest | null> {
  try {
    const sealed = await openSealed(handle, object, encryption);
    if (sealed === null) return null;
    const hash = createHash("sha256");
    for (let index = 0; index < sealed.chunks; index += 1) {
      const plain = await sealed.chunkAt(index);
      if (plain === null) return null;
      hash.update(plain);
    }
    return parseDigest(`sha256:${hash.digest("hex")}`);
  } finally {
    await handle.close();
  }
}

/**
 * Returns a digest of bytes that are not what was sealed, and closes the file. It is no plain SHA-256 of them: a document put there as it
 * is, unsealed, must not have the digest on its record either.
 */
export async function digestUnsealed(handle: FileHandle): Promise<Digest> {
  try {
    const hash = createHash("sha256").update("not sealed by bindery\n");
    for (let chunk = await readNext(handle, CHUNK_BYTES); chunk.length > 0; chunk = await readNext(handle, CHUNK_BYTES))
      hash.update(chunk);
    const digest = parseDigest(`sha256:${hash.digest("hex")}`);
    if (digest === null) throw new TypeError("A SHA-256 has 64 hex digits.");
    return digest;
  } finally {
    await handle.close();
  }
}

/**
 * Streams the plain bytes, or the part that `range` names. The file is closed at the end, on an error, and when the reader leaves. Altered
 * bytes end the stream with `storage_unavailable`: no reader ever gets them.
 */
export async function streamSealed(
  handle: FileHandle,
  { object, encryption, range }: { object: string; encryption: Encryption; range: ByteRange | undefined },
): Promise<ReadableStream<Uint8Array>> {
  const sealed = await openSealed(handle, object, encryption).catch(async (error: unknown) => {
    await handle.close();
    throw error;
  });
  if (sealed === null) {
    await handle.close();
    throw altered();
  }
  let position = range?.start ?? 0;
  const end = Math.min(range === undefined ? sealed.plainBytes : range.end + 1, sealed.plainBytes);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const index = Math.floor(position / CHUNK_BYTES);
        // An empty object has one empty chunk, which must be right too.
        const chunk = position < end || sealed.plainBytes === 0 ? await sealed.chunkAt(index) : new Uint8Array();
        if (chunk === null) throw altered();
        const part = chunk.subarray(position - index * CHUNK_BYTES, end - index * CHUNK_BYTES);
        position += part.length;
        if (part.length > 0) controller.enqueue(part);
        if (position < end) return;
        await handle.close();
        controller.close();
      } catch (error) {
        await handle.close().catch(() => undefined);
        controller.error(
          error instanceof PacketFailure ? error : new PacketFailure("storage_unavailable", { cause: error }),
        );
      }
    },
    cancel: () => handle.close(),
  });
}

function altered(): PacketFailure {
  return new PacketFailure("storage_unavailable", { detail: "the stored bytes do not authenticate" });
}
