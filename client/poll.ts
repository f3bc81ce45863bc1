import { requestMs, waitMs } from "./poll-schedule";

/** What one read of the status gave. A read that failed says nothing about the job. */
export type Reading<Status> =
  | {
      readonly type: "read";
      readonly status: Status;
      readonly isTerminal: boolean;
      readonly retryAfterMs: number | null;
    }
  | { readonly type: "unreadable"; readonly retryAfterMs: number | null }
  /** The server answered that there is nothing to wait for: gone, or not ours. Asking again would not help. */
  | { readonly type: "refused"; readonly error: unknown };

export type PollEnd<Status> =
  | { readonly type: "terminal"; readonly status: Status }
  | { readonly type: "refused"; readonly error: unknown }
  /** The deadline came first. `lastStatus` is the last that was read, if any was. */
  | { readonly type: "deadline"; readonly lastStatus: Status | null };

export interface Waiting {
  /** Milliseconds that only ever grow, whatever the clock on the wall does. */
  now(): number;
  /** Resolves after `ms`; rejects when `signal` aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Uniform in [0, 1). */
  random(): number;
}

export interface PollOptions<Status> {
  /** One absolute deadline, counted from the start. Nothing extends it. */
  readonly patienceMs: number;
  readonly waiting: Waiting;
  readonly signal: AbortSignal;
  /** Reads the status once. Never rejects but for the caller's own abort. */
  read(timeoutMs: number): Promise<Reading<Status>>;
  /** Told of each reading as it comes. */
  onReading?(reading: Reading<Status>): void;
}

/**
 * Reads a status until it is terminal, refused, or the deadline passes. Submits nothing and repeats nothing but the read. A failed job is
 * a terminal status; a status that cannot be read is asked for again until the deadline. Rejects only when `signal` aborts.
 */
export async function poll<Status>(options: PollOptions<Status>): Promise<PollEnd<Status>> {
  const { patienceMs, waiting, signal, read, onReading } = options;
  const startedAt = waiting.now();
  let lastStatus: Status | null = null;
  for (let readings = 1; ; readings += 1) {
    signal.throwIfAborted();
    const remainingMs = patienceMs - (waiting.now() - startedAt);
    if (remainingMs <= 0) return { type: "deadline", lastStatus };
    const reading = await read(requestMs(remainingMs));
    signal.throwIfAborted();
    onReading?.(reading);
    if (reading.type === "refused") return reading;
    if (reading.type === "read") {
      lastStatus = reading.status;
      if (reading.isTerminal) return { type: "terminal", status: reading.status };
    }
    const leftMs = patienceMs - (waiting.now() - startedAt);
    if (leftMs <= 0) return { type: "deadline", lastStatus };
    const { retryAfterMs } = reading;
    await waiting.sleep(waitMs({ readings, remainingMs: leftMs, retryAfterMs, random: waiting.random() }), signal);
  }
}
