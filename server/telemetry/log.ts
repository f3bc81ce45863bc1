import { type DestinationStream, pino } from "pino";

/** The only fields a log line may have: ids, counts, codes and durations. Content has no field to stand in. [C388,C389,C394] */
export interface LogFields {
  readonly event: string;
  readonly jobId?: string;
  readonly sourceId?: string;
  readonly attempt?: number;
  readonly stage?: string;
  readonly lane?: string;
  readonly kind?: string;
  readonly code?: string;
  readonly outcome?: string;
  readonly ms?: number;
  readonly bytes?: number;
  readonly pages?: number;
  readonly rows?: number;
  readonly count?: number;
  readonly status?: number;
  readonly correlationId?: string;
  readonly workerId?: string;
  readonly pid?: number;
  readonly lagMs?: number;
}

export interface Log {
  info(fields: LogFields): void;
  warn(fields: LogFields): void;
  error(fields: LogFields): void;
}

const ALLOWED: ReadonlySet<string> = new Set<keyof LogFields>([
  "event",
  "jobId",
  "sourceId",
  "attempt",
  "stage",
  "lane",
  "kind",
  "code",
  "outcome",
  "ms",
  "bytes",
  "pages",
  "rows",
  "count",
  "status",
  "correlationId",
  "workerId",
  "pid",
  "lagMs",
]);

/** Opens a logger of JSON lines. A field outside the list is dropped, whatever the compiler was told. */
export function openLog(level: string, destination?: DestinationStream): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  const logger = destination === undefined ? pino(options) : pino(options, destination);
  return {
    info: (fields) => logger.info(listed(fields)),
    warn: (fields) => logger.warn(listed(fields)),
    error: (fields) => logger.error(listed(fields)),
  };
}

function listed(fields: LogFields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => ALLOWED.has(name)));
}
