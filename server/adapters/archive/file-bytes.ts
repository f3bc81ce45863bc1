import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { PacketFailure } from "@/server/domain/failure";
import { type Digest, parseDigest } from "@/server/domain/ids";
import type { ByteRange } from "@/server/ports/archive";

const CHUNK_BYTES = 256 * 1024;

/** Copies all bytes of `from` to `to`. */
export async function copyBytes(from: FileHandle, to: FileHandle): Promise<void> {
  for await (const chunk of chunksOf(from)) await writeAll(to, chunk);
}

/** Returns the digest of the whole file, and closes it. */
export async function digestAndClose(handle: FileHandle): Promise<Digest> {
  try {
    const hash = createHash("sha256");
    for await (const chunk of chunksOf(handle)) hash.update(chunk);
    const digest = parseDigest(`sha256:${hash.digest("hex")}`);
    if (digest === null) throw new TypeError("A SHA-256 has 64 hex digits.");
    return digest;
  } finally {
    await handle.close();
  }
}

/** Streams the file or the part that `range` names; it is closed at the end, on an error, and when the reader leaves. */
export function streamOf(handle: FileHandle, range: ByteRange | undefined): ReadableStream<Uint8Array> {
  let position = range?.start ?? 0;
  const end = range === undefined ? Number.POSITIVE_INFINITY : range.end + 1;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const buffer = new Uint8Array(Math.min(CHUNK_BYTES, end - position));
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
        position += bytesRead;
        if (bytesRead > 0) controller.enqueue(buffer.subarray(0, bytesRead));
        if (bytesRead > 0 && position < end) return;
        await handle.close();
        controller.close();
      } catch (error) {
        await handle.close().catch(() => undefined);
        controller.error(new PacketFailure("storage_unavailable", { cause: error }));
      }
    },
    cancel: () => handle.close(),
  });
}

async function* chunksOf(handle: FileHandle): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(CHUNK_BYTES);
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  let offset = 0;
  while (offset < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, offset, bytes.length - offset, null);
    offset += bytesWritten;
  }
}
