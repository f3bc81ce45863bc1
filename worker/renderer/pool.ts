import { PacketFailure } from "@/server/domain/failure";
import type { TenantId } from "@/server/domain/ids";
import type { Clock } from "@/server/ports/clock";
import { parseAnswer, parseRequest } from "./ask";
import type { RendererChild } from "./child-process";
import type { Launcher } from "./launcher";
import type { PoolLimits } from "./limits";
import { abortFailure, type Ending, failureOf } from "./outcome";
import { CAN_READ_USAGE } from "./process-group";
import type { AnswerOf, Operation, RequestOf } from "./requests";
import { Roster } from "./roster";

export interface PoolSetting {
  /** The pool whose operations its children are asked for; they load what these need before they are lent. */
  readonly name: "render" | "parse";
  /** How many requests are worked on at once. */
  readonly size: number;
  /** The bundled entry of a child. */
  readonly childPath: string;
  /** The directory in which children stand: the root of the workspaces. */
  readonly directory: string;
  readonly limits: PoolLimits;
  readonly clock: Clock;
  /** True where children may reach only their own code, and in `directory` only what a request names. */
  readonly isConfined?: boolean;
}

export interface AskSetting {
  readonly tenantId: TenantId;
  /** Time for the work itself, counted from when a child takes it up. [C237,C245] */
  readonly deadlineMs: number;
  /** Ends the request, and the child if it is at work. Where its reason is a PacketFailure, that is what the request throws. */
  readonly signal: AbortSignal;
  readonly onProgress: () => void;
}

export interface PoolStats {
  readonly busy: number;
  readonly idle: number;
  readonly starting: number;
  readonly waiting: number;
  readonly started: number;
  /** Children that ended, by cause. */
  readonly ended: Readonly<Partial<Record<Ending, number>>>;
  /** What this machine allows; null until it was tried. */
  readonly launcher: Launcher | null;
  /** False where memory cannot be watched and only V8's own ceiling and the limits of the shell hold. */
  readonly watchesMemory: boolean;
}

export interface Pool {
  /**
   * Returns what a child answers. Throws a PacketFailure: the child's own, `renderer_busy` where too many wait, or the code that follows
   * from how the child was lost. By then nothing of a lost child runs any more, and another takes its place.
   */
  ask<Op extends Operation>(op: Op, request: RequestOf<Op>, setting: AskSetting): Promise<AnswerOf<Op>>;
  /** Kills every child and resolves once all are gone. What waits or is at work fails as `renderer_lost`. */
  close(): Promise<void>;
  stats(): PoolStats;
}

interface Waiting {
  readonly op: Operation;
  readonly request: unknown;
  readonly setting: AskSetting;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** Returns a pool of renderer children and starts the first. */
export function createPool(setting: PoolSetting): Pool {
  return new ChildPool(setting);
}

class ChildPool implements Pool {
  readonly #setting: PoolSetting;
  readonly #roster: Roster;
  readonly #waiting: Waiting[] = [];
  #lastId = 0;
  #isClosed = false;

  constructor(setting: PoolSetting) {
    this.#setting = setting;
    this.#roster = new Roster(setting, {
      onChange: () => this.#lend(),
      onFailedStart: (complaint) => {
        const next = this.#waiting.shift();
        next?.reject(failureOf("not_started", next.op, complaint));
      },
    });
  }

  async ask<Op extends Operation>(op: Op, request: RequestOf<Op>, setting: AskSetting): Promise<AnswerOf<Op>> {
    const checked = fitting(`${op}: the request does not fit its schema`, () => parseRequest(op, request));
    if (this.#isClosed) throw failureOf("closed", op, "the pool is closed");
    if (setting.signal.aborted) throw abortFailure(setting.signal, op);
    if (this.#waiting.length >= this.#setting.limits.queueMax) {
      throw new PacketFailure("renderer_busy", { retryAfterSeconds: 30 });
    }
    const answer = await this.#enqueue(op, checked, setting);
    return fitting(`${op}: the answer does not fit its schema`, () => parseAnswer(op, answer));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(failureOf("closed", waiting.op, "it was waiting"));
    await this.#roster.close();
  }

  stats(): PoolStats {
    const roster = this.#roster;
    return {
      busy: roster.count("busy"),
      idle: roster.count("idle"),
      starting: roster.count("starting"),
      waiting: this.#waiting.length,
      started: roster.started,
      ended: roster.ended,
      launcher: roster.launcher,
      watchesMemory: CAN_READ_USAGE,
    };
  }

  async #enqueue(op: Operation, request: unknown, setting: AskSetting): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const waiting: Waiting = { op, request, setting, resolve, reject };
    const { signal } = setting;
    // One that is at work already hears of it from its child.
    const onAbort = () => {
      const place = this.#waiting.indexOf(waiting);
      if (place < 0) return;
      this.#waiting.splice(place, 1);
      reject(abortFailure(signal, op));
    };
    signal.addEventListener("abort", onAbort);
    this.#waiting.push(waiting);
    this.#lend();
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** Gives waiting requests to children, in order, then sees to it that children are there for the next. */
  #lend(): void {
    while (this.#roster.count("busy") < this.#setting.size) {
      const next = this.#waiting[0];
      const child = next && this.#roster.freeFor(next.setting.tenantId);
      if (next === undefined || child === undefined) break;
      this.#waiting.shift();
      child.tenantId = next.setting.tenantId;
      void this.#work(child, next);
    }
    this.#roster.fill(this.#waiting.length);
  }

  async #work(child: RendererChild, waiting: Waiting): Promise<void> {
    const { deadlineMs, signal, onProgress } = waiting.setting;
    this.#lastId += 1;
    const ask = { id: this.#lastId, op: waiting.op, request: waiting.request };
    try {
      waiting.resolve(await child.run({ ask, deadlineMs, signal, onProgress }));
    } catch (error) {
      waiting.reject(error);
    }
    this.#roster.retireIfSpent(child);
    this.#lend();
  }
}

/** Returns what `parse` returns. What a schema says of content stays here. */
function fitting<Value>(detail: string, parse: () => Value): Value {
  try {
    return parse();
  } catch {
    throw new PacketFailure("internal", { detail });
  }
}
