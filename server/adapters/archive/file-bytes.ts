import type { FileHandle } from "node:fs/promises";

/** Returns the next bytes of the file, `most` of them or fewer at its end. */
export async function readNext(handle: FileHandle, most: number): Promise<Uint8Array> {
  return filled(most, (buffer, offset) => handle.read(buffer, offset, most - offset, null));
}

/** Returns the bytes at `position`, `most` of them or fewer at the file's end. */
export async function readAt(handle: FileHandle, position: number, most: number): Promise<Uint8Array> {
  return filled(most, (buffer, offset) => handle.read(buffer, offset, most - offset, position + offset));
}

/** Writes all of `bytes` at the file's end. */
export async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  let offset = 0;
  while (offset < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, offset, bytes.length - offset, null);
    offset += bytesWritten;
  }
}

/** A read may give less than was asked for before the end is reached. */
async function filled(
  most: number,
  read: (buffer: Uint8Array, offset: number) => Promise<{ bytesRead: number }>,
): Promise<Uint8Array> {
  const buffer = new Uint8Array(most);
  let offset = 0;
  while (offset < most) {
    const { bytesRead } = await read(buffer, offset);
    if (bytesRead === 0) break;
    offset += bytesRead;
  }
  return buffer.subarray(0, offset);
}
