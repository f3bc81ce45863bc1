import type { Fidelity } from "./job";

export const LANES = ["interactive", "archive", "oversize"] as const;
export type LaneName = (typeof LANES)[number];

export interface Lane {
  /** Jobs of this lane that one worker process makes at once. [C45,C48,C49] */
  readonly concurrency: number;
  /** Nothing new is admitted once the oldest ready job has waited this long. [C54] */
  readonly ageMsMax: number;
  /** The renderer's own deadline for one request; shorter than the lease. [C171] */
  readonly renderMsMax: number;
  /** How long a worker may hold a job without showing progress. */
  readonly leaseMs: number;
  /** The budget of one whole attempt, however much progress it shows; past it the attempt fails as `render_deadline`. [C270] */
  readonly durationMsMax: number;
}

export type Lanes = Readonly<Record<LaneName, Lane>>;

/** A queue with a service objective. Previews keep a slot of their own whatever the archive has to do. [C40,C45] */
export const LANE = {
  interactive: { concurrency: 1, ageMsMax: 30_000, renderMsMax: 20_000, leaseMs: 30_000, durationMsMax: 60_000 },
  archive: {
    concurrency: 2,
    ageMsMax: 30 * 60_000,
    renderMsMax: 90_000,
    leaseMs: 120_000,
    durationMsMax: 15 * 60_000,
  },
  oversize: {
    concurrency: 1,
    ageMsMax: 4 * 3_600_000,
    renderMsMax: 10 * 60_000,
    leaseMs: 12 * 60_000,
    durationMsMax: 40 * 60_000,
  },
} as const satisfies Lanes;

/** What an operator may change of a lane: how much of it runs at once, and how long it may take. Durations in milliseconds. */
export interface LaneChange {
  readonly lane: string;
  readonly setting: string;
  readonly value: number;
}

/**
 * Returns the lanes with an operator's changes. Throws a RangeError that names the lane where a setting is unknown, where its lease would
 * not outlast its renderer's deadline (another worker could then take a job that is still being rendered), or where an attempt's budget
 * would end before one rendering may. [C171,C175,C270]
 */
export function lanesWith(changes: readonly LaneChange[]): Lanes {
  const lanes: Record<LaneName, Lane> = { ...LANE };
  for (const { lane, setting, value } of changes) {
    if (!isLane(lane) || !isSetting(setting))
      throw new RangeError(`Bindery cannot start: BINDERY_LANES has no setting ${lane}.${setting}.`);
    lanes[lane] = { ...lanes[lane], [setting]: value };
  }
  for (const lane of LANES) {
    if (lanes[lane].renderMsMax >= lanes[lane].leaseMs)
      throw new RangeError(
        `Bindery cannot start: BINDERY_LANES must give ${lane} a lease longer than its renderer's deadline.`,
      );
    if (lanes[lane].renderMsMax > lanes[lane].durationMsMax)
      throw new RangeError(
        `Bindery cannot start: BINDERY_LANES must give an attempt in ${lane} its renderer's deadline at least.`,
      );
  }
  return lanes;
}

function isLane(value: string): value is LaneName {
  return Object.hasOwn(LANE, value);
}

function isSetting(value: string): value is keyof Lane {
  return Object.hasOwn(LANE.archive, value);
}

/** What a caller declares, or an inspection found, about the size of the work. */
export interface DeclaredSize {
  readonly pages: number;
  readonly bytes: number;
  readonly rows: number;
}

const ARCHIVE_PAGES_MAX = 300;
const ARCHIVE_BYTES_MAX = 60 * 1024 * 1024;
const ARCHIVE_ROWS_MAX = 5_000;

/** Returns the lane for work of this size. The caller cannot choose it, and fidelity is never lowered to fit. [C64,C65,C236] */
export function chooseLane(fidelity: Fidelity, size: DeclaredSize): LaneName {
  if (fidelity === "preview") return "interactive";
  const isOversize = size.pages > ARCHIVE_PAGES_MAX || size.bytes > ARCHIVE_BYTES_MAX || size.rows > ARCHIVE_ROWS_MAX;
  return isOversize ? "oversize" : "archive";
}

const WEIGHT_PAGES = 10;
const WEIGHT_BYTES = 2 * 1024 * 1024;
const WEIGHT_ROWS = 200;

/** Returns how much work this is, in ordinary packets: at least 1, and about 30 for 300 pages. What a fair share is counted in. [C70] */
export function weightOf(size: DeclaredSize): number {
  const share = size.pages / WEIGHT_PAGES + size.bytes / WEIGHT_BYTES + size.rows / WEIGHT_ROWS;
  return Math.max(1, Math.min(1_000_000, Math.round(share)));
}
