import type { Reading } from "@/client/poll";
import { failureOf } from "./failure";

/** Answers of the server that no further asking will change. */
const FINAL: ReadonlySet<string> = new Set(["not_found", "unauthenticated", "invalid_request"]);

/** Reads a status once within its time. A refusal of ours is told apart from an answer that did not come. */
export async function readingOf<Status>(
  ask: (signal: AbortSignal) => Promise<Status>,
  timeoutMs: number,
  stop: AbortSignal,
  judge: (status: Status) => { readonly isTerminal: boolean; readonly retryAfterMs: number | null },
): Promise<Reading<Status>> {
  try {
    const status = await ask(AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]));
    return { type: "read", status, ...judge(status) };
  } catch (error) {
    const failure = failureOf(error);
    if (FINAL.has(failure.code)) return { type: "refused", error };
    const { retryAfterSeconds } = failure;
    return { type: "unreadable", retryAfterMs: retryAfterSeconds === null ? null : retryAfterSeconds * 1_000 };
  }
}
