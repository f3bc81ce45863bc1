import type { Problem } from "./contract";

/**
 * What went wrong, in one of four ways that call for different things: `refused` by the service (read `code` and `problem`), `unreachable`
 * until the patience was over (try again later: the same key is safe), `deadline` passed while the packet was still being made (ask again
 * later), `corrupt` bytes came down (download again; nothing of them was kept).
 */
export class BinderyFailure extends Error {
  override readonly name = "BinderyFailure";

  constructor(
    readonly reason: "refused" | "unreachable" | "deadline" | "corrupt",
    /** The service's stable code, or `unreachable`, `deadline`, `corrupt`. */
    readonly code: string,
    readonly problem: Problem | null = null,
    options: ErrorOptions = {},
  ) {
    super(problem === null ? `The request ended: ${code}.` : `${problem.title} (${code})`, options);
  }
}
