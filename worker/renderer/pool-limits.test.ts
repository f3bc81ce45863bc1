import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PacketFailure } from "@/server/domain/failure";
import {
  clockThatIsLate,
  type HostilePools,
  hostilePools,
  inspect,
  processesIn,
  runs,
  stamp,
  tell,
} from "./hostile-pool";
import type { PoolLimits } from "./limits";
import { readUsage } from "./process-group";

const MIB = 1024 * 1024;

let pools: HostilePools;
beforeAll(async () => {
  pools = await hostilePools();
});
afterAll(() => pools.close());

describe("a deadline", () => {
  it("kills the whole process group of a render that hangs, and the next request finds a child [C237,C245]", async () => {
    const directory = await mkdtemp(join(pools.directory, "deadline-"));
    let isLate = false;
    const pool = pools.open({ directory, clock: clockThatIsLate(() => isLate) });
    const forked = Number(await tell(pool, "fork"));
    const pid = await stamp(pool, "nothing");
    const hung = stamp(pool, "hang");
    expect([runs(pid), runs(forked)]).toEqual([true, true]);
    isLate = true;
    await expect(hung).rejects.toMatchObject({ code: "render_deadline" });
    expect([runs(pid), runs(forked)]).toEqual([false, false]);
    isLate = false;
    expect(await stamp(pool, "nothing")).not.toBe(pid);
    expect(pool.stats().ended).toMatchObject({ stalled: 1 });
  });

  it("ends a render that never yields [C237]", async () => {
    const pool = pools.open();
    await expect(stamp(pool, "spin", { deadlineMs: 200 })).rejects.toMatchObject({ code: "render_deadline" });
  });

  it("of a file that takes too long to read is the file's own fault", async () => {
    let pid = 0;
    const isLate = () => pid !== 0 && (readUsage(pid)?.cpuMs ?? 0) >= 600;
    const pool = pools.open({ clock: clockThatIsLate(isLate) });
    pid = await stamp(pool, "nothing");
    await expect(inspect(pool, "spin", { deadlineMs: 400 })).rejects.toMatchObject({
      code: "source_exhausts_limits",
    });
    expect(pool.stats().ended).toMatchObject({ deadline: 1 });
  });

  it("that passes while the machine is too busy to read the file is not the file's fault", async () => {
    let isLate = false;
    const pool = pools.open({ clock: clockThatIsLate(() => isLate) });
    await stamp(pool, "nothing");
    const held = inspect(pool, "hang");
    isLate = true;
    await expect(held).rejects.toMatchObject({ code: "render_deadline" });
  });

  it("counts from when a child takes the request up, not from when it began to wait", async () => {
    let isLate = false;
    const pool = pools.open({ clock: clockThatIsLate(() => isLate) });
    const stop = new AbortController();
    const first = stamp(pool, "hang", { signal: stop.signal, deadlineMs: 2 * 3_600_000 });
    const second = stamp(pool, "nothing", { deadlineMs: 30_000 });
    isLate = true;
    stop.abort();
    await expect(first).rejects.toMatchObject({ code: "renderer_lost" });
    await expect(second).resolves.toBeGreaterThan(0);
  });
});

describe("memory", () => {
  const limits = { residentBytesMax: everyOperation(200 * MIB) };

  it("beyond the limit ends a render, which may be tried again", async () => {
    const pool = pools.open({ limits });
    await expect(stamp(pool, "allocate")).rejects.toMatchObject({ code: "renderer_lost" });
    expect(pool.stats().ended).toMatchObject({ memory: 1 });
  });

  it("beyond the limit refuses the file that asked for it", async () => {
    const pool = pools.open({ limits });
    await expect(inspect(pool, "allocate")).rejects.toMatchObject({ code: "source_exhausts_limits" });
  });

  it("beyond V8's own ceiling ends the child too", async () => {
    const pool = pools.open({ limits: { heapMibMax: 32 } });
    await expect(inspect(pool, "fill the heap")).rejects.toMatchObject({ code: "source_exhausts_limits" });
    expect(pool.stats().ended).toMatchObject({ crashed: 1 });
  });

  it("beyond what the operating system gives refuses the file even where nobody watches", async () => {
    const pool = pools.open({ limits: { dataBytesMax: 900 * MIB } });
    await expect(inspect(pool, "allocate")).rejects.toMatchObject({ code: "source_exhausts_limits" });
    expect(pool.stats().ended.memory).toBeUndefined();
  });

  it("of a process and its descendants is counted together", () => {
    const usage = readUsage(process.pid);
    expect(usage?.residentBytes).toBeGreaterThan(20 * MIB);
    expect(readUsage(2 ** 22 + 1)).toBeNull();
  });
});

describe("processor time and files", () => {
  it("more processor time than allowed ends the request", async () => {
    const pool = pools.open({ limits: { cpuMsMax: 300 } });
    await expect(stamp(pool, "spin")).rejects.toMatchObject({ code: "render_deadline" });
    expect(pool.stats().ended).toMatchObject({ cpu: 1 });
  });

  it("a file larger than allowed cannot be written", async () => {
    const directory = await mkdtemp(join(pools.directory, "files-"));
    const pool = pools.open({ directory, limits: { fileBytesMax: 4 * MIB } });
    expect(await tell(pool, "write too much")).toBe("EFBIG");
  });

  it("files are private whatever our own mask is [C225]", async () => {
    const directory = await mkdtemp(join(pools.directory, "mask-"));
    const before = process.umask(0);
    try {
      expect(await tell(pools.open({ directory }), "mode")).toBe(0o600);
    } finally {
      process.umask(before);
    }
  });
});

describe("isolation", () => {
  it("a child sees nothing of our environment [C279]", async () => {
    process.env.BINDERY_SESSION_SECRET = "correct horse battery staple";
    try {
      const seen = await tell(pools.open(), "environment");
      expect(JSON.stringify(seen)).not.toContain("correct horse");
      expect(Object.keys(Object(seen)).filter((name) => name.startsWith("BINDERY"))).toEqual([]);
    } finally {
      delete process.env.BINDERY_SESSION_SECRET;
    }
  });

  it("a child has no network: neither fetch nor a socket nor names [C279]", async () => {
    const pool = pools.open();
    expect(await tell(pool, "fetch")).toBe("undefined");
    expect(await tell(pool, "connect")).toBe("Error: A renderer has no network.");
    expect(await tell(pool, "lookup")).toBe("Error: A renderer has no network.");
    if (pool.stats().launcher?.hasNoNetwork) expect(await tell(pool, "interfaces")).toEqual({});
  });

  it("a child stands in the workspaces' directory, behind everything else that wants the processor", async () => {
    const directory = await mkdtemp(join(pools.directory, "place-"));
    const pool = pools.open({ directory });
    expect(await tell(pool, "place")).toMatchObject({ cwd: directory, priority: 10 });
  });
});

describe("death", () => {
  it("a pool survives twenty deaths of every sort and answers after each", async () => {
    const directory = await mkdtemp(join(pools.directory, "deaths-"));
    const pool = pools.open({ directory });
    const deeds = ["exit", "abort", "throw later", "babble", "disconnect"];
    for (let death = 0; death < 20; death += 1) {
      const deed = deeds[death % deeds.length] ?? "exit";
      const isBabble = deed === "babble";
      await expect(stamp(pool, deed)).rejects.toMatchObject({ code: isBabble ? "internal" : "renderer_lost" });
      expect(await stamp(pool, "nothing")).toBeGreaterThan(0);
    }
    expect(pool.stats().ended).toMatchObject({ crashed: 16, protocol: 4 });
    await pool.close();
    expect(processesIn(directory)).toEqual([]);
  });

  it("a crash over somebody's file refuses the file", async () => {
    await expect(inspect(pools.open(), "abort")).rejects.toMatchObject({ code: "source_exhausts_limits" });
  });

  it("a child that was killed from outside is nobody's fault", async () => {
    const pool = pools.open();
    const pid = await stamp(pool, "nothing");
    const held = inspect(pool, "hang");
    process.kill(pid, "SIGKILL");
    await expect(held).rejects.toMatchObject({ code: "renderer_lost" });
  });

  it("a request that its caller takes back throws the caller's reason, and its child is gone", async () => {
    const pool = pools.open();
    const pid = await stamp(pool, "nothing");
    const stop = new AbortController();
    const held = stamp(pool, "spin", { signal: stop.signal });
    const waiting = stamp(pool, "nothing", { signal: stop.signal });
    stop.abort(new PacketFailure("lease_lost"));
    await expect(waiting).rejects.toMatchObject({ code: "lease_lost" });
    await expect(held).rejects.toMatchObject({ code: "lease_lost" });
    expect(runs(pid)).toBe(false);
    await expect(stamp(pool, "nothing", { signal: stop.signal })).rejects.toMatchObject({ code: "lease_lost" });
  });

  it("children die with a parent that is killed, even while they are busy", async () => {
    const directory = await mkdtemp(join(pools.directory, "orphans-"));
    const parent = await startParent(directory);
    expect(processesIn(directory).length).toBeGreaterThanOrEqual(2);
    parent.kill("SIGKILL");
    await expect.poll(() => processesIn(directory).filter(runs), { timeout: 10_000, interval: 10 }).toEqual([]);
  });
});

/** A process of its own with a pool in it, one of whose children never yields. */
async function startParent(directory: string) {
  const entry = join(directory, "parent.ts");
  const bundle = join(directory, "parent.mjs");
  const here = (name: string) => JSON.stringify(join(import.meta.dirname, name));
  await writeFile(
    entry,
    `import { createPool } from ${here("pool.ts")};
     import { POOL_LIMITS } from ${here("limits.ts")};
     const clock = { now: () => new Date(), monotonicMs: () => performance.now() };
     const pool = createPool({ name: "parse", size: 1, childPath: ${JSON.stringify(pools.childPath)},
       directory: ${JSON.stringify(directory)}, limits: POOL_LIMITS.parse, clock });
     const setting = { tenantId: "ten_0", deadlineMs: 60000, signal: new AbortController().signal, onProgress: () => process.send("busy") };
     void pool.ask("stamp", { op: "stamp", text: "progress and spin", outputPath: "none" }, setting);`,
  );
  const alias = { "@": join(import.meta.dirname, "../..") };
  await build({
    entryPoints: [entry],
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "esm",
    alias,
    logLevel: "silent",
  });
  const parent = spawn(process.execPath, [bundle], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
  await once(parent, "message");
  return parent;
}

function everyOperation(bytes: number): PoolLimits["residentBytesMax"] {
  return {
    render: bytes,
    inspect: bytes,
    prepare: bytes,
    "inspect-table": bytes,
    stamp: bytes,
    assemble: bytes,
    verify: bytes,
  };
}
