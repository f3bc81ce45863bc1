import type { Operation } from "./requests";

const MIB = 1024 * 1024;

/** What one child may take. The operating system holds most of them; the watchdog holds memory and time per request. */
export interface PoolLimits {
  /** True where a child serves one tenant only and is thrown away at the first request of another. */
  readonly isPerTenant: boolean;
  /** Children kept ready beyond those at work, so that nobody waits for a start. */
  readonly spares: number;
  /** Requests that may wait; one more is refused as `renderer_busy`. */
  readonly queueMax: number;
  /** V8's own ceiling, in MiB. */
  readonly heapMibMax: number;
  /** Resident memory of the whole process group while it does the operation. */
  readonly residentBytesMax: Readonly<Record<Operation, number>>;
  /** Private writable memory (`RLIMIT_DATA`). Node starts with about 576 MiB of it, nearly all untouched. */
  readonly dataBytesMax: number;
  /** Processor time for one request. A child's life is limited to ten times that, whatever happens to us (`RLIMIT_CPU`). */
  readonly cpuMsMax: number;
  /** Largest file a child may write (`RLIMIT_FSIZE`). */
  readonly fileBytesMax: number;
  readonly openFilesMax: number;
  /** A child that served this many, or holds this much afterwards, is thrown away. */
  readonly requestsMax: number;
  readonly idleBytesMax: number;
  /** How long a child may take from its start to its first word. */
  readonly startMsMax: number;
}

const RESIDENT_BYTES_MAX = {
  render: 512 * MIB,
  inspect: 512 * MIB,
  prepare: 512 * MIB,
  "inspect-table": 512 * MIB,
  stamp: 512 * MIB,
  assemble: 1536 * MIB,
  verify: 1024 * MIB,
} as const satisfies Record<Operation, number>;

/** The limits of our two pools. Address space is not limited: Node and WebAssembly reserve far more of it than they use. */
export const POOL_LIMITS = {
  render: {
    isPerTenant: false,
    spares: 1,
    queueMax: 64,
    heapMibMax: 384,
    residentBytesMax: RESIDENT_BYTES_MAX,
    dataBytesMax: 1536 * MIB,
    cpuMsMax: 10 * 60_000,
    fileBytesMax: 256 * MIB,
    openFilesMax: 256,
    requestsMax: 500,
    idleBytesMax: 400 * MIB,
    startMsMax: 60_000,
  },
  parse: {
    isPerTenant: true,
    spares: 1,
    queueMax: 64,
    heapMibMax: 1024,
    residentBytesMax: RESIDENT_BYTES_MAX,
    dataBytesMax: 3072 * MIB,
    cpuMsMax: 10 * 60_000,
    fileBytesMax: 256 * MIB,
    openFilesMax: 256,
    requestsMax: 100,
    idleBytesMax: 256 * MIB,
    startMsMax: 60_000,
  },
} as const satisfies Record<string, PoolLimits>;
