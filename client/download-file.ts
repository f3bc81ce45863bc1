import { createHash } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import type { CallOptions, Client } from "./bindery-client";

/**
 * Downloads a packet's PDF to a file, for Node: the file is there whole and checked, or not at all. Returns its length and SHA-256. Throws
 * a BinderyFailure, and then nothing of it is left.
 */
export async function downloadFile(
  client: Pick<Client, "download">,
  id: string,
  path: string,
  call: CallOptions = {},
): Promise<{ readonly bytes: number; readonly digest: string }> {
  const hash = () => {
    const sha = createHash("sha256");
    return { update: (chunk: Uint8Array) => void sha.update(chunk), digest: () => sha.digest("hex") };
  };
  const part = `${path}.part`;
  try {
    const { stream, bytes, digest } = await client.download(id, { ...call, hash });
    const file = await open(part, "wx", 0o600);
    try {
      for await (const chunk of stream) await file.writeFile(chunk);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
    return { bytes, digest };
  } catch (error) {
    // A part that somebody else is writing at the moment is not ours to remove.
    const isTheirs = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (!isTheirs) await rm(part, { force: true });
    throw error;
  }
}
