import { build } from "hdr-histogram-js";

/** How long something took, over and over, in milliseconds. */
export interface Latencies {
  record(ms: number): void;
  summary(): {
    readonly count: number;
    readonly p50: number;
    readonly p95: number;
    readonly p99: number;
    readonly max: number;
  };
}

/** Returns an empty record of latencies, exact to three digits. */
export function latencies(): Latencies {
  const histogram = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: 600_000_000,
    numberOfSignificantValueDigits: 3,
  });
  const inMs = (microseconds: number) => Math.round(microseconds / 10) / 100;
  return {
    record: (ms) => histogram.recordValue(Math.max(1, Math.round(ms * 1_000))),
    summary: () => ({
      count: histogram.totalCount,
      p50: inMs(histogram.getValueAtPercentile(50)),
      p95: inMs(histogram.getValueAtPercentile(95)),
      p99: inMs(histogram.getValueAtPercentile(99)),
      max: inMs(histogram.maxValue),
    }),
  };
}

/** Returns how long `work` took, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}
