import type { ChildProcess } from "node:child_process";
import type { TenantId } from "@/server/domain/ids";
import type { Clock } from "@/server/ports/clock";
import type { Ask } from "./ask";
import { abortFailure, type Ending, failureFrom, failureOf } from "./outcome";
import { groupEnds, killGroup, readUsage } from "./process-group";
import { Frame } from "./requests";
import { type StartSetting, startChild } from "./start-child";

export interface ChildSetting extends StartSetting {
  readonly clock: Clock;
}

export interface Errand {
  readonly ask: Ask;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  readonly onProgress: () => void;
}

interface Current extends Errand {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: unknown) => void;
  readonly startedMs: number;
  readonly cpuMsBefore: number;
}

const WATCH_MS = 50;
const STDERR_MAX = 2_000;
/** Of its deadline a child must have had at least this much of a processor for the work itself to be too long. */
const RUNNING_SHARE = 0.25;
/** How long a child that has closed its channel may take to end before it is ended. */
const LAST_WORDS_MS = 500;

/** One renderer process and the group it leads, from its start until nothing of it runs. */
export class RendererChild {
  /** The only tenant it works for, once it has one. */
  tenantId: TenantId | null = null;
  served = 0;
  lastUsedMs: number;
  /** True once it spoke; false where it ended before. */
  readonly ready: Promise<boolean>;
  /** Resolves with the cause once its whole group is gone. Never rejects. */
  readonly ended: Promise<Ending>;

  readonly #setting: ChildSetting;
  readonly #process: ChildProcess;
  #state: "starting" | "idle" | "busy" | "ending" = "starting";
  #current: Current | null = null;
  #cause: Ending | null = null;
  #isReady = false;
  #stderr = "";
  #spoke: (isReady: boolean) => void = () => undefined;

  constructor(setting: ChildSetting) {
    this.#setting = setting;
    this.lastUsedMs = setting.clock.monotonicMs();
    this.#process = startChild(setting);
    const startTimer = setTimeout(() => this.#kill("not_started"), setting.limits.startMsMax);
    this.ready = new Promise((resolve) => {
      this.#spoke = resolve;
    });
    void this.ready.then(() => clearTimeout(startTimer));
    // Until it is given content, what it complains about holds none and may help an operator.
    this.#process.stderr?.on("data", (text: Buffer) => {
      if (this.served === 0 && this.#current === null) this.#stderr = (this.#stderr + text).slice(-STDERR_MAX);
    });
    this.#process.on("message", (message) => this.#receive(message));
    this.#process.once("disconnect", () => this.#expectEnd());
    this.ended = this.#untilGone();
  }

  get state(): "starting" | "idle" | "busy" | "ending" {
    return this.#state;
  }

  /** What it wrote to its standard error before its first request. */
  get complaint(): string {
    return this.#stderr;
  }

  /**
   * Returns the child's answer. Where the child is lost or exceeds a limit it is gone with all its processes before this throws, with
   * a code that follows from the cause.
   */
  run(errand: Errand): Promise<unknown> {
    this.#state = "busy";
    return new Promise<unknown>((resolve, reject) => {
      const cpuMsBefore = this.usage()?.cpuMs ?? 0;
      const startedMs = this.#setting.clock.monotonicMs();
      this.#current = { ...errand, resolve, reject, startedMs, cpuMsBefore };
      const watch = setInterval(() => this.#watch(), WATCH_MS);
      const onAbort = () => this.#kill("aborted");
      errand.signal.addEventListener("abort", onAbort, { once: true });
      this.#stopWatching = () => {
        clearInterval(watch);
        errand.signal.removeEventListener("abort", onAbort);
      };
      this.#process.send(errand.ask, (error) => {
        if (error !== null) this.#expectEnd();
      });
    });
  }

  /** Kills the group and resolves once it is gone. */
  stop(cause: "retired" | "closed"): Promise<Ending> {
    this.#kill(cause);
    return this.ended;
  }

  /** What it uses now, or null where that cannot be read. */
  usage(): ReturnType<typeof readUsage> {
    return this.#process.pid === undefined ? null : readUsage(this.#process.pid);
  }

  #stopWatching: () => void = () => undefined;

  #receive(message: unknown): void {
    const frame = Frame.safeParse(message);
    if (frame.success && frame.data.frame === "ready") this.#begin();
    else if (this.#state === "ending") return;
    else if (!frame.success || frame.data.frame === "ready" || frame.data.id !== this.#current?.ask.id) {
      this.#kill("protocol");
    } else if (frame.data.frame === "progress") this.#current.onProgress();
    else this.#finish(this.#current, frame.data);
  }

  #begin(): void {
    this.#isReady = true;
    if (this.#state === "starting") this.#state = "idle";
    this.#spoke(true);
  }

  #finish(current: Current, frame: Extract<Frame, { frame: "answer" | "failure" }>): void {
    this.#stopWatching();
    this.#current = null;
    this.#state = "idle";
    this.served += 1;
    this.lastUsedMs = this.#setting.clock.monotonicMs();
    if (frame.frame === "answer") current.resolve(frame.answer);
    else current.reject(failureFrom(frame));
  }

  #watch(): void {
    const excess = this.#current === null ? null : this.#excessOf(this.#current);
    if (excess !== null) this.#kill(excess);
  }

  #excessOf(current: Current): Ending | null {
    const { limits, clock } = this.#setting;
    const usage = this.usage();
    const cpuMs = usage === null ? null : usage.cpuMs - current.cpuMsBefore;
    if (clock.monotonicMs() - current.startedMs >= current.deadlineMs) {
      return cpuMs === null || cpuMs >= current.deadlineMs * RUNNING_SHARE ? "deadline" : "stalled";
    }
    if (usage === null || cpuMs === null) return null;
    if (usage.residentBytes > limits.residentBytesMax[current.ask.op]) return "memory";
    return cpuMs > limits.cpuMsMax ? "cpu" : null;
  }

  /** It does not hear us any more. Mostly it is ending by itself, and then how it ends tells the cause. */
  #expectEnd(): void {
    this.#state = "ending";
    const grace = setTimeout(() => this.#kill(this.#isReady ? "crashed" : "not_started"), LAST_WORDS_MS);
    void this.ended.then(() => clearTimeout(grace));
  }

  #kill(cause: Ending): void {
    this.#cause ??= cause;
    this.#state = "ending";
    if (this.#process.pid !== undefined) killGroup(this.#process.pid);
  }

  async #untilGone(): Promise<Ending> {
    const how = await new Promise<string>((resolve) => {
      this.#process.once("error", () => resolve("could not be started"));
      this.#process.once("exit", (code, signal) => resolve(signal ?? `exit ${code}`));
    });
    const cause = this.#cause ?? (this.#isReady ? causeOf(how) : "not_started");
    this.#cause = cause;
    this.#state = "ending";
    const { pid } = this.#process;
    if (pid !== undefined) {
      killGroup(pid);
      await groupEnds(pid);
    }
    this.#stopWatching();
    this.#spoke(false);
    const current = this.#current;
    this.#current = null;
    if (current !== null) {
      const { ask, signal } = current;
      current.reject(cause === "aborted" ? abortFailure(signal, ask.op) : failureOf(cause, ask.op, how));
    }
    return cause;
  }
}

function causeOf(how: string): Ending {
  if (how === "SIGKILL") return "killed";
  return how === "SIGXCPU" ? "cpu" : "crashed";
}
