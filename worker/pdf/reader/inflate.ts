import { constants, inflateRawSync, inflateSync } from "node:zlib";
import type { FilterStep } from "./filters";

/**
 * Inflates zlib data to at most `max` bytes. A wrong or missing checksum at the end is tolerated and said; data that end
 * or break before their last block are `damaged`, with what could be read.
 */
export function inflate(data: Uint8Array, max: number): FilterStep | "too large" {
  if (data.length === 0) return { bytes: data, damaged: false, unused: 0 };
  try {
    const { buffer, engine } = inflateSync(data, { maxOutputLength: max, info: true }) as unknown as Inflated;
    return { bytes: buffer, damaged: false, unused: data.length - engine.bytesWritten };
  } catch (error) {
    if (isTooLarge(error)) return "too large";
    return inflateDamaged(data, max);
  }
}

function inflateDamaged(data: Uint8Array, max: number): FilterStep | "too large" {
  for (const finishFlush of [constants.Z_FINISH, constants.Z_SYNC_FLUSH]) {
    try {
      const whole = finishFlush === constants.Z_FINISH;
      const bytes = inflateRawSync(data.subarray(2), { maxOutputLength: max, finishFlush });
      return { bytes, damaged: !whole, unused: 0 };
    } catch (error) {
      if (isTooLarge(error)) return "too large";
    }
  }
  return { bytes: new Uint8Array(0), damaged: true, unused: 0 };
}

/** What `info: true` makes node:zlib answer; its types do not know it. */
interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
}
