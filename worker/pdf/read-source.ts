import { readFile, stat } from "node:fs/promises";
import { PacketFailure } from "@/server/domain/failure";

/** Reads a source whose size is known to fit. Throws `source_too_large` before reading what does not. */
export async function readSource(path: string, bytesMax: number): Promise<Uint8Array> {
  const { size } = await stat(path);
  if (size > bytesMax) throw new PacketFailure("source_too_large");
  return readFile(path);
}
