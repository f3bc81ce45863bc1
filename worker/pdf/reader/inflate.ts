import { constants, createInflate, inflateRawSync, inflateSync } from "node:zlib";
import type { FilterStep } from "./filters";

/**
 * Inflates zlib data to at most `max` bytes. A wrong or missing checksum at the end is tolerated and said; data that end
 * or break before their last block are `damaged`, with what could be read.
 */
export function inflate(data: Uint8Array, max: number): FilterStep | "too large" {
  if (data.length === 0) return { bytes: data, damaged: false, isTidy: true };
  try {
    const { buffer, engine } = inflateSync(data, { maxOutputLength: max, info: true }) as unknown as Inflated;
    return { bytes: buffer, damaged: false, isTidy: engine.bytesWritten === data.length };
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
      return { bytes, damaged: !whole, isTidy: false };
    } catch (error) {
      if (isTooLarge(error)) return "too large";
    }
  }
  return { bytes: new Uint8Array(0), damaged: true, isTidy: false };
}

/**
 * Inflates zlib data without keeping them: for pictures that would not fit into memory. Answers whether they are whole and
 * nothing stands behind them, or that they are larger than `max`.
 */
export async function measureInflated(data: Uint8Array, max: number): Promise<{ isTidy: boolean } | "too large"> {
  const inflater = createInflate();
  inflater.end(data);
  let size = 0;
  try {
    for await (const piece of inflater) {
      size += (piece as Uint8Array).length;
      if (size > max) return "too large";
    }
    return { isTidy: inflater.bytesWritten === data.length };
  } catch {
    return { isTidy: false };
  } finally {
    inflater.destroy();
  }
}

/** What `info: true` makes node:zlib answer; its types do not know it. */
interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
}
