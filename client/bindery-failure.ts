import type { Problem } from "./contract";

interface Circumstances extends ErrorOptions {
  readonly problem?: Problem | null;
  readonly status?: number | null;
  readonly retryAfterMs?: number | null;
}

/**
 * What went wrong, in one of four ways that call for different things: `refused` by the service (read `code` and `problem`), `unreachable`
 * until the patience was over (try again later: the same key is safe), `deadline` passed while the packet was still being made (ask again
 * later), `corrupt` bytes came down (download again; nothing of them was kept).
 */
export class BinderyFailure extends Error {
  override readonly name = "BinderyFailure";
  readonly problem: Problem | null;
  /** The status of the answer, or null where none came. */
  readonly status: number | null;
  /** How long the service asks to be left alone, or null where it did not say. */
  readonly retryAfterMs: number | null;

  constructor(
    readonly reason: "refused" | "unreachable" | "deadline" | "corrupt",
    /** The service's stable code, or `unreachable`, `deadline`, `corrupt`; `http_502` and the like where somebody else answered. */
    readonly code: string,
    { problem = null, status, retryAfterMs = null, cause }: Circumstances = {},
  ) {
    const words = problem === null ? `The request ended: ${code}.` : `${problem.title} (${code})`;
    super(words, cause === undefined ? {} : { cause });
    this.problem = problem;
    this.status = status ?? problem?.status ?? null;
    this.retryAfterMs = retryAfterMs;
  }

  /** True where the very same request may go well later; false where something in it has to change first. */
  get retryable(): boolean {
    return this.reason !== "refused" || this.status === 429;
  }
}
