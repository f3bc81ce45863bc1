import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "@/server/domain/ids";
import { ADA, BOB, type HostilePools, hostilePools, inspect, processesIn, runs, stamp, tell } from "./hostile-pool";
import { POOL_LIMITS } from "./limits";
import type { Pool } from "./pool";

let pools: HostilePools;
beforeAll(async () => {
  pools = await hostilePools();
});
afterAll(() => pools.close());

describe("lending", () => {
  it("a child serves one tenant again and another tenant never, though both take turns many times", async () => {
    const pool = pools.open();
    const servedBy = new Map<number, Set<string>>();
    for (let turn = 0; turn < 12; turn += 1) {
      const tenantId = turn % 3 === 2 ? BOB : ADA;
      const pid = await stamp(pool, "nothing", { tenantId });
      servedBy.set(pid, (servedBy.get(pid) ?? new Set()).add(tenantId));
    }
    expect([...servedBy.values()].map((tenants) => tenants.size)).toEqual([...servedBy].map(() => 1));
    expect(servedBy.size).toBeLessThan(12);
  });

  it("children of our own templates serve any tenant and stay", async () => {
    const pool = pools.open({ name: "render", limits: POOL_LIMITS.render });
    const first = await stamp(pool, "nothing", { tenantId: ADA });
    expect(await stamp(pool, "nothing", { tenantId: BOB })).toBe(first);
  });

  it("the child of another tenant is ready before it is asked for", async () => {
    const pool = pools.open();
    await stamp(pool, "nothing");
    await until(pool, ({ idle, starting }) => idle === 2 && starting === 0);
    const { started } = pool.stats();
    const answer = stamp(pool, "nothing", { tenantId: BOB });
    expect(pool.stats()).toMatchObject({ busy: 1, waiting: 0, started });
    await answer;
  });

  it("waiting requests are taken up in order", async () => {
    const pool = pools.open();
    const order: number[] = [];
    const asked = [0, 1, 2, 3, 4].map((place) => stamp(pool, "nothing").then(() => order.push(place)));
    await Promise.all(asked);
    expect(order).toEqual([0, 1, 2, 3, 4]);
  });

  it("no more children work at once than the pool is large", async () => {
    const pool = pools.open({ size: 2 });
    const busy: number[] = [];
    const onProgress = () => busy.push(pool.stats().busy);
    await Promise.all([0, 1, 2, 3, 4].map(() => stamp(pool, "progress", { onProgress })));
    expect(Math.max(...busy)).toBe(2);
  });

  it("one request more than may wait is refused at once as busy", async () => {
    const pool = pools.open({ limits: { queueMax: 2 } });
    const stop = new AbortController();
    const held = [1, 2].map(() => stamp(pool, "hang", { signal: stop.signal }));
    await expect(stamp(pool, "nothing")).rejects.toMatchObject({ code: "renderer_busy" });
    stop.abort();
    await Promise.allSettled(held);
  });

  it("a child that has served its share is replaced", async () => {
    const pool = pools.open({ limits: { requestsMax: 2 } });
    const served = [await stamp(pool, "nothing"), await stamp(pool, "nothing"), await stamp(pool, "nothing")];
    expect(served[1]).toBe(served[0]);
    expect(served[2]).not.toBe(served[0]);
  });

  it("a child that holds too much after its work is replaced", async () => {
    const pool = pools.open({ limits: { idleBytesMax: 128 * 1024 * 1024 } });
    const first = await stamp(pool, "grow");
    expect(await stamp(pool, "nothing")).not.toBe(first);
  });
});

describe("answers", () => {
  it("progress of the child reaches the caller before the answer", async () => {
    let seen = 0;
    await stamp(pools.open(), "progress", { onProgress: () => (seen += 1) });
    expect(seen).toBe(2);
  });

  it("a failure of the child keeps its code, position and page", async () => {
    await expect(stamp(pools.open(), "refuse")).rejects.toMatchObject({ code: "missing_glyphs", position: 3, page: 2 });
  });

  it("an unexpected error is internal, and its words stay in the child", async () => {
    const error = await stamp(pools.open(), "throw").catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "internal" });
    expect(JSON.stringify([error, (error as { detail: string }).detail])).not.toMatch(/Ada|Byron/);
  });

  it("a code that is none of ours is internal", async () => {
    await expect(stamp(pools.open(), "refuse in its own words")).rejects.toMatchObject({ code: "internal" });
  });

  it("a full disk is told apart by its cause", async () => {
    await expect(stamp(pools.open(), "disk full")).rejects.toMatchObject({ code: "workspace_full" });
  });

  it("an answer that does not fit its schema is internal", async () => {
    const asked = pools
      .open()
      .ask(
        "verify",
        { op: "verify", path: "none" },
        { tenantId: ADA, deadlineMs: 30_000, signal: new AbortController().signal, onProgress: () => undefined },
      );
    await expect(asked).rejects.toMatchObject({ code: "internal" });
  });

  it("a request that does not fit its schema reaches no child", async () => {
    await expect(inspect(pools.open(), "")).rejects.toMatchObject({ code: "internal" });
  });
});

describe("the end", () => {
  it("closing fails what is at work and what waits, and leaves no process", async () => {
    const directory = await mkdtemp(join(pools.directory, "closing-"));
    const pool = pools.open({ size: 2, directory });
    const pids = [await stamp(pool, "nothing"), await tell(pool, "fork", { tenantId: BOB })];
    const held = [ADA, BOB, newId("tenant")].map((tenantId) => stamp(pool, "hang", { tenantId }));
    await until(pool, ({ busy }) => busy === 2);
    const [outcomes] = await Promise.all([Promise.allSettled(held), pool.close()]);
    expect(outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason.code)).toEqual([
      "renderer_lost",
      "renderer_lost",
      "renderer_lost",
    ]);
    expect(processesIn(directory)).toEqual([]);
    expect(pids.filter((pid) => runs(Number(pid)))).toEqual([]);
    expect(pool.stats()).toMatchObject({ busy: 0, idle: 0, starting: 0, waiting: 0 });
    await expect(stamp(pool, "nothing")).rejects.toMatchObject({ code: "renderer_lost" });
  });

  it("a child that cannot start fails the request that waits for it, and is not started again and again", async () => {
    const pool = pools.open({ childPath: `${pools.directory}/missing.mjs` });
    const error = await stamp(pool, "nothing").catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "renderer_lost", detail: expect.stringContaining("missing.mjs") });
    await expect(stamp(pool, "nothing")).rejects.toMatchObject({ code: "renderer_lost" });
    expect(pool.stats().started).toBeLessThanOrEqual(4);
  });
});

/** Waits for the pool's children to come that far; they tell nobody but the pool. */
async function until(pool: Pool, isSo: (stats: ReturnType<Pool["stats"]>) => boolean): Promise<void> {
  await expect.poll(() => isSo(pool.stats()), { timeout: 20_000, interval: 5 }).toBe(true);
}
