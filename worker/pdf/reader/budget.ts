import { PacketFailure } from "@/server/domain/failure";

/** What one file may cost to read. All of it is ours to choose, none of it is taken from the file's own claims. [C110,C111] */
export interface ReadingLimits {
  /** Bytes that one stream may inflate to. */
  readonly streamBytesMax: number;
  /** Bytes that all streams of the file together may inflate to. */
  readonly inflatedBytesMax: number;
  /** Values parsed: numbers, names, strings, containers. */
  readonly valuesMax: number;
  /** Arrays and dictionaries inside one another. */
  readonly nestingMax: number;
  readonly filtersMax: number;
  /** Cross-reference sections in the chain of `Prev`. */
  readonly sectionsMax: number;
  readonly pageTreeDepthMax: number;
  readonly pageTreeEntriesMax: number;
}

const MIB = 1024 * 1024;

/** Foreign files: enough for a thousand dense pages, far below what a renderer child may hold. */
export const FOREIGN_LIMITS: ReadingLimits = {
  streamBytesMax: 64 * MIB,
  inflatedBytesMax: 1024 * MIB,
  valuesMax: 8_000_000,
  nestingMax: 128,
  filtersMax: 4,
  sectionsMax: 512,
  pageTreeDepthMax: 64,
  pageTreeEntriesMax: 200_000,
};

/** Our own finished files: large tables make many values, and pictures are inflated to check them. */
export const FINISHED_LIMITS: ReadingLimits = {
  streamBytesMax: 512 * MIB,
  inflatedBytesMax: 16 * 1024 * MIB,
  valuesMax: 60_000_000,
  nestingMax: 128,
  filtersMax: 2,
  sectionsMax: 1,
  pageTreeDepthMax: 64,
  pageTreeEntriesMax: 200_000,
};

/** Counts what reading a file costs, and stops it as `source_exhausts_limits` when a limit is passed. */
export class ReadingBudget {
  private values = 0;
  private inflated = 0;

  constructor(readonly limits: ReadingLimits) {}

  countValue(): void {
    this.values += 1;
    if (this.values > this.limits.valuesMax) throw exhausted("values");
  }

  /** Bytes that the next stream may inflate to; never zero, so that an empty stream still reads. */
  get nextStreamBytes(): number {
    return Math.max(1, Math.min(this.limits.streamBytesMax, this.limits.inflatedBytesMax - this.inflated));
  }

  countInflated(bytes: number): void {
    this.inflated += bytes;
    if (this.inflated > this.limits.inflatedBytesMax) throw exhausted("inflated bytes");
  }
}

export function exhausted(detail: string): PacketFailure {
  return new PacketFailure("source_exhausts_limits", { detail });
}
