import { type FailureCode, isFailureCode, PacketFailure } from "@/server/domain/failure";
import type { Frame, Operation } from "./requests";

/**
 * Why a child ended. `deadline` passed while it was at work; `stalled` is a deadline that passed while it hardly ran, as on a machine
 * that is too busy, and no file is to blame for that. `killed` is a SIGKILL that we did not send: an operator, or a machine out of memory; no file is to blame for it.
 * `retired` and `closed` are ours, between requests and at the end.
 */
export type Ending =
  | "deadline"
  | "stalled"
  | "memory"
  | "cpu"
  | "crashed"
  | "killed"
  | "aborted"
  | "protocol"
  | "not_started"
  | "retired"
  | "closed";

/** Operations that read somebody's file: what ends a child there is the file's doing, and would happen again. */
export const READS_A_SOURCE: Record<Operation, boolean> = {
  render: false,
  inspect: true,
  prepare: true,
  "inspect-table": true,
  stamp: false,
  assemble: false,
  verify: false,
};

const CODES: Record<Ending, { readonly source: FailureCode; readonly ours: FailureCode }> = {
  deadline: { source: "source_exhausts_limits", ours: "render_deadline" },
  stalled: { source: "render_deadline", ours: "render_deadline" },
  cpu: { source: "source_exhausts_limits", ours: "render_deadline" },
  memory: { source: "source_exhausts_limits", ours: "renderer_lost" },
  crashed: { source: "source_exhausts_limits", ours: "renderer_lost" },
  killed: { source: "renderer_lost", ours: "renderer_lost" },
  aborted: { source: "renderer_lost", ours: "renderer_lost" },
  protocol: { source: "internal", ours: "internal" },
  not_started: { source: "renderer_lost", ours: "renderer_lost" },
  retired: { source: "renderer_lost", ours: "renderer_lost" },
  closed: { source: "renderer_lost", ours: "renderer_lost" },
};

/** Returns the failure of a request whose child ended. The cause decides, never a message's words. */
export function failureOf(ending: Ending, op: Operation, detail: string): PacketFailure {
  const code = READS_A_SOURCE[op] ? CODES[ending].source : CODES[ending].ours;
  return new PacketFailure(code, { detail: `${op}: ${ending} (${detail})` });
}

/** Returns why the caller took the request back: its own failure where it names one. */
export function abortFailure(signal: AbortSignal, op: Operation): PacketFailure {
  return signal.reason instanceof PacketFailure ? signal.reason : failureOf("aborted", op, "by its caller");
}

/** Returns what a failure frame says as a failure; a code that is not ours is `internal`. */
export function failureFrom(frame: Extract<Frame, { frame: "failure" }>): PacketFailure {
  return new PacketFailure(isFailureCode(frame.code) ? frame.code : "internal", {
    ...(frame.detail === undefined ? {} : { detail: frame.detail }),
    ...(frame.position === undefined ? {} : { position: frame.position }),
    ...(frame.page === undefined ? {} : { page: frame.page }),
    findings: frame.findings ?? [],
  });
}
