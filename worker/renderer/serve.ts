import { PacketFailure } from "@/server/domain/failure";
import { Ask, parseRequest } from "./ask";
import { READS_A_SOURCE } from "./outcome";
import type { AnswerOf, Frame, Operation, RequestOf } from "./requests";

/** What a child can do. `onProgress` is called as often as something is done. */
export type Operations = {
  readonly [Op in Operation]: (request: RequestOf<Op>, onProgress: () => void) => Promise<AnswerOf<Op>>;
};

/** The lease needs a sign of life every few seconds; more frames than this tell nothing new. */
const PROGRESS_MS = 100;

/** Errors of the operating system that mean something else than a fault of ours. */
const ERRNO: Partial<Record<string, "workspace_full" | "packet_too_large">> = {
  ENOSPC: "workspace_full",
  EDQUOT: "workspace_full",
  EFBIG: "packet_too_large",
};

/**
 * Answers requests of the parent, one at a time, until the parent is gone. `warm` loads what the first request will need; the parent
 * is told once it is done.
 */
export function serve(operations: Operations, warm: () => Promise<unknown>): void {
  let isBusy = false;
  // Nobody is left to answer, and nobody is left to end us.
  process.once("disconnect", () => process.exit(0));
  process.on("message", async (message) => {
    const ask = Ask.safeParse(message);
    if (!ask.success || isBusy) process.exit(1);
    isBusy = true;
    const frame = await answer(operations, ask.data);
    isBusy = false;
    send(frame);
  });
  // What cannot be loaded now is reported by the request that needs it.
  void warm()
    .catch(() => undefined)
    .then(() => send({ frame: "ready" }));
}

async function answer(operations: Operations, ask: Ask): Promise<Frame> {
  let lastMs = Number.NEGATIVE_INFINITY;
  function onProgress(): void {
    const nowMs = performance.now();
    if (nowMs - lastMs < PROGRESS_MS) return;
    lastMs = nowMs;
    send({ frame: "progress", id: ask.id });
  }
  try {
    return { frame: "answer", id: ask.id, answer: await run(operations, ask.op, ask.request, onProgress) };
  } catch (error) {
    return failureFrame(ask, error);
  }
}

function run<Op extends Operation>(operations: Operations, op: Op, request: unknown, onProgress: () => void) {
  return operations[op](parseRequest(op, request), onProgress);
}

function failureFrame({ id, op }: Ask, error: unknown): Frame {
  if (error instanceof PacketFailure) {
    return {
      frame: "failure",
      id,
      code: error.code,
      detail: error.detail,
      position: error.position,
      page: error.page,
      findings: error.findings.map((finding) => ({ ...finding, path: [...finding.path] })),
    };
  }
  // No more memory to be had, or nested deeper than the stack: over somebody's file it is the file that asks for it.
  if (error instanceof RangeError && READS_A_SOURCE[op]) {
    return { frame: "failure", id, code: "source_exhausts_limits", detail: whereFrom(error) };
  }
  const errno = error instanceof Error && "code" in error ? String(error.code) : "";
  return { frame: "failure", id, code: ERRNO[errno] ?? "internal", detail: whereFrom(error) };
}

/** The class of the error and where it arose. Its message may quote a document, so it stays here. */
function whereFrom(error: unknown): string {
  if (!(error instanceof Error)) return "something that is no error was thrown";
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return [error.constructor.name, ...frames.slice(0, 8)].join("\n");
}

function send(frame: Frame): void {
  process.send?.(frame);
}
