import type { TenantId } from "@/server/domain/ids";
import { type ChildSetting, RendererChild } from "./child-process";
import { type Launcher, probeLauncher } from "./launcher";
import type { Ending } from "./outcome";

export interface RosterSetting extends Omit<ChildSetting, "launcher"> {
  /** How many of its children may work at once. */
  readonly size: number;
}

/** What a roster tells its pool. */
export interface RosterNews {
  /** A child is free, or gone: somebody who waits may be helped. */
  readonly onChange: () => void;
  /** A child ended before its first word: whoever waits must not wait for ever. */
  readonly onFailedStart: (complaint: string) => void;
}

/** The children of one pool: who is there, who may be lent to whom, and when another is started or one thrown away. */
export class Roster {
  readonly #setting: RosterSetting;
  readonly #news: RosterNews;
  readonly #children = new Set<RendererChild>();
  readonly #ended: Partial<Record<Ending, number>> = {};
  #launcher: Launcher | null = null;
  #started = 0;
  #isClosed = false;
  /** True after a child that never spoke: nothing is started ahead of need until one does. */
  #isStartDoubtful = false;

  constructor(setting: RosterSetting, news: RosterNews) {
    this.#setting = setting;
    this.#news = news;
    void probeLauncher().then((launcher) => {
      this.#launcher = launcher;
      news.onChange();
    });
  }

  /** What this machine allows; null until it was tried. */
  get launcher(): Launcher | null {
    return this.#launcher;
  }

  get started(): number {
    return this.#started;
  }

  /** Children that ended, by cause. */
  get ended(): Readonly<Partial<Record<Ending, number>>> {
    return { ...this.#ended };
  }

  count(state: RendererChild["state"]): number {
    let count = 0;
    for (const child of this.#children) if (child.state === state) count += 1;
    return count;
  }

  /** A free child that served this tenant before, else one that served nobody. */
  freeFor(tenantId: TenantId): RendererChild | undefined {
    const idle = this.#idle();
    if (!this.#setting.limits.isPerTenant) return idle[0];
    return idle.find((child) => child.tenantId === tenantId) ?? idle.find((child) => child.tenantId === null);
  }

  /** Starts children for `waiting` requests and the spares, as far as there is room; makes room where another tenant's child is idle. */
  fill(waiting: number): void {
    if (this.#isClosed || this.#launcher === null) return;
    const { limits, size } = this.#setting;
    const capacity = size + (limits.isPerTenant ? limits.spares : 0);
    const free = this.#idle().filter((child) => this.#isForAnyone(child)).length;
    let lacking = waiting + (this.#isStartDoubtful ? 0 : limits.spares) - free - this.count("starting");
    for (; lacking > 0 && this.#children.size < capacity; lacking -= 1) this.#start(this.#launcher);
    if (lacking > 0 && this.count("ending") === 0) void this.#longestIdle()?.stop("retired");
  }

  /** Throws the child away where it has done its share, has grown, or has little processor time left in its life. */
  retireIfSpent(child: RendererChild): void {
    if (child.state !== "idle") return;
    const { limits } = this.#setting;
    const usage = child.usage();
    const hasGrown = usage !== null && usage.residentBytes > limits.idleBytesMax;
    const isTired = usage !== null && usage.cpuMs > limits.cpuMsMax * 8;
    if (child.served >= limits.requestsMax || hasGrown || isTired) void child.stop("retired");
  }

  /** Kills every child and resolves once all are gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#children].map((child) => child.stop("closed")));
  }

  #idle(): RendererChild[] {
    return [...this.#children].filter((child) => child.state === "idle");
  }

  #isForAnyone(child: RendererChild): boolean {
    return !this.#setting.limits.isPerTenant || child.tenantId === null;
  }

  /** Of the children that only their tenant may have, the one that has waited longest for it. */
  #longestIdle(): RendererChild | undefined {
    const bound = this.#idle().filter((child) => !this.#isForAnyone(child));
    return bound.sort((a, b) => a.lastUsedMs - b.lastUsedMs)[0];
  }

  #start(launcher: Launcher): void {
    const child = new RendererChild({ ...this.#setting, launcher });
    this.#started += 1;
    this.#children.add(child);
    void child.ready.then((isReady) => {
      this.#isStartDoubtful = !isReady;
      if (isReady) this.#news.onChange();
    });
    void child.ended.then((ending) => {
      this.#children.delete(child);
      this.#ended[ending] = (this.#ended[ending] ?? 0) + 1;
      if (ending === "not_started") this.#news.onFailedStart(child.complaint);
      this.#news.onChange();
    });
  }
}
