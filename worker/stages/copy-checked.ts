import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { PacketFailure } from "@/server/domain/failure";
import type { Digest } from "@/server/domain/ids";
import type { Archive } from "@/server/ports/archive";
import type { Pulse } from "../tools";

/**
 * Copies stored bytes to `path`, counting and hashing while reading. Throws `source_missing`, `source_too_large` as soon as the ceiling
 * is crossed, `source_digest_mismatch` where they are not the bytes that were registered. [C107,C137]
 */
export async function copyChecked<Key extends string>(
  sources: Archive<Key>,
  key: Key,
  path: string,
  digest: Digest,
  bytesMax: number,
  pulse: Pulse,
): Promise<void> {
  const stream = await sources.open(key).catch((error: unknown) => {
    const isGone = error instanceof PacketFailure && error.code === "not_found";
    throw isGone ? new PacketFailure("source_missing") : error;
  });
  const file = await open(path, "wx", 0o600);
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      pulse.signal.throwIfAborted();
      bytes += chunk.byteLength;
      if (bytes > bytesMax) throw new PacketFailure("source_too_large");
      hash.update(chunk);
      await file.writeFile(chunk);
      pulse.progress();
    }
  } finally {
    await file.close();
  }
  if (`sha256:${hash.digest("hex")}` !== digest) throw new PacketFailure("source_digest_mismatch");
}
