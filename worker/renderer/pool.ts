import { PacketFailure } from "@/server/domain/failure";
import type { TenantId } from "@/server/domain/ids";
import type { Clock } from "@/server/ports/clock";
import { parseAnswer, parseRequest } from "./ask";
import { RendererChild } from "./child-process";
import { type Launcher, probeLauncher } from "./launcher";
import type { PoolLimits } from "./limits";
import { abortFailure, type Ending, failureOf } from "./outcome";
import { CAN_READ_USAGE } from "./process-group";
import type { AnswerOf, Operation, RequestOf } from "./requests";

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
  readonly #children = new Set<RendererChild>();
  readonly #waiting: Waiting[] = [];
  readonly #ended: Partial<Record<Ending, number>> = {};
  #launcher: Launcher | null = null;
  #started = 0;
  #lastId = 0;
  #isClosed = false;
  /** True after a child that never spoke: nothing is started ahead of need until one does. */
  #isStartDoubtful = false;

  constructor(setting: PoolSetting) {
    this.#setting = setting;
    void probeLauncher().then((launcher) => {
      this.#launcher = launcher;
      this.#lend();
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
    await Promise.all([...this.#children].map((child) => child.stop("closed")));
  }

  stats(): PoolStats {
    return {
      busy: this.#count("busy"),
      idle: this.#count("idle"),
      starting: this.#count("starting"),
      waiting: this.#waiting.length,
      started: this.#started,
      ended: { ...this.#ended },
      launcher: this.#launcher,
      watchesMemory: CAN_READ_USAGE,
    };
  }

  #enqueue(op: Operation, request: unknown, setting: AskSetting): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { signal } = setting;
      const onAbort = () => {
        const place = this.#waiting.indexOf(waiting);
        if (place >= 0) this.#waiting.splice(place, 1)[0]?.reject(abortFailure(signal, op));
      };
      const waiting: Waiting = {
        op,
        request,
        setting,
        resolve: (answer) => {
          signal.removeEventListener("abort", onAbort);
          resolve(answer);
        },
        reject: (reason) => {
          signal.removeEventListener("abort", onAbort);
          reject(reason);
        },
      };
      signal.addEventListener("abort", onAbort);
      this.#waiting.push(waiting);
      this.#lend();
    });
  }

  /** Gives waiting requests to children, in order, then sees to it that children are there for the next. */
  #lend(): void {
    while (this.#count("busy") < this.#setting.size) {
      const next = this.#waiting[0];
      const child = next && this.#childFor(next.setting.tenantId);
      if (next === undefined || child === undefined) break;
      this.#waiting.shift();
      child.tenantId = next.setting.tenantId;
      void this.#work(child, next);
    }
    this.#keepSpares();
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
    if (child.state === "idle" && this.#isSpent(child)) void child.stop("retired");
    this.#lend();
  }

  /** One that served this tenant before, else one that served nobody. */
  #childFor(tenantId: TenantId): RendererChild | undefined {
    const idle = [...this.#children].filter((child) => child.state === "idle");
    if (!this.#setting.limits.isPerTenant) return idle[0];
    return idle.find((child) => child.tenantId === tenantId) ?? idle.find((child) => child.tenantId === null);
  }

  #keepSpares(): void {
    if (this.#isClosed || this.#launcher === null) return;
    const { limits, size } = this.#setting;
    const capacity = size + (limits.isPerTenant ? limits.spares : 0);
    const free = [...this.#children].filter((child) => child.state === "idle" && this.#isForAnyone(child));
    const lacking = this.#waiting.length + (this.#isStartDoubtful ? 0 : limits.spares) - free.length;
    let toStart = lacking - this.#count("starting");
    while (toStart > 0 && this.#children.size < capacity) {
      this.#start(this.#launcher);
      toStart -= 1;
    }
    if (toStart > 0 && this.#count("ending") === 0) void this.#longestIdle()?.stop("retired");
  }

  #isForAnyone(child: RendererChild): boolean {
    return !this.#setting.limits.isPerTenant || child.tenantId === null;
  }

  /** Of the children that only their tenant may have, the one that has waited longest for it. */
  #longestIdle(): RendererChild | undefined {
    const idle = [...this.#children].filter((child) => child.state === "idle" && !this.#isForAnyone(child));
    return idle.sort((a, b) => a.lastUsedMs - b.lastUsedMs)[0];
  }

  #start(launcher: Launcher): void {
    const child = new RendererChild({ ...this.#setting, launcher });
    this.#started += 1;
    this.#children.add(child);
    void child.ready.then((isReady) => {
      this.#isStartDoubtful = !isReady;
      if (isReady) this.#lend();
    });
    void child.ended.then((ending) => {
      this.#children.delete(child);
      this.#ended[ending] = (this.#ended[ending] ?? 0) + 1;
      // Whoever waits must not wait for ever for a child that cannot start.
      if (ending === "not_started") this.#refuseNext(child.complaint);
      this.#lend();
    });
  }

  #refuseNext(complaint: string): void {
    const next = this.#waiting.shift();
    next?.reject(failureOf("not_started", next.op, complaint));
  }

  /** True for a child that has done its share, has grown, or has little processor time left in its life. */
  #isSpent(child: RendererChild): boolean {
    const { limits } = this.#setting;
    if (child.served >= limits.requestsMax) return true;
    const usage = child.usage();
    return usage !== null && (usage.residentBytes > limits.idleBytesMax || usage.cpuMs > limits.cpuMsMax * 8);
  }

  #count(state: RendererChild["state"]): number {
    let count = 0;
    for (const child of this.#children) if (child.state === state) count += 1;
    return count;
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
