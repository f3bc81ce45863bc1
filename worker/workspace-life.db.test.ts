import { execFile } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { open, readdir, readFile, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { JobId } from "@/server/domain/ids";
import { LANE } from "@/server/domain/lane";
import { parseMarker } from "@/server/domain/workspace";
import { jobRow, newBook, newPacket, submitted } from "@/server/services/test-requests";
import { heldSchedule } from "./maintenance/test-schedule";
import { copyOfJob, pagesOfWidth, uploaded } from "./test-packets";
import { testScene } from "./test-scene";
import { replacing, type WorkerTools } from "./test-worker";
import { MARKER_NAME, openWorkspace } from "./workspace";

const scene = testScene();
const MINUTE_MS = 60_000;

async function book(): Promise<JobId> {
  const source = await uploaded(scene, await pagesOfWidth(301, 2));
  return submitted(scene.context, scene.actor, newBook([source]));
}

/** Tools whose children are asked after `look` was told of the whole request. */
function seeing(look: (request: string, op: string) => Promise<unknown>): Partial<WorkerTools> {
  const { renderers } = scene.worker.tools;
  return {
    renderers: {
      ask: async (op, request, setting) => {
        await look(JSON.stringify(request), op);
        return renderers.ask(op, request, setting);
      },
    },
  };
}

/** Names of the directories of attempts on this host. */
async function directories(): Promise<string[]> {
  return (await scene.host.leftovers()).filter((name) => /^[0-9a-f]{32}$/.test(name));
}

async function jobOf(name: string): Promise<string | undefined> {
  return parseMarker(name, await readFile(join(scene.host.workspaces, name, MARKER_NAME), "utf8"))?.jobId;
}

describe("an attempt's files", () => {
  it("can be read by no other account, and no child of another school is told where they are [C203]", async () => {
    const { context, worker, host } = scene;
    const first = await book();
    const second = await copyOfJob(context, first);
    expect((await jobRow(context, second)).tenant_id).not.toBe((await jobRow(context, first)).tenant_id);
    const told: string[] = [];
    let halfWritten: string | undefined;
    const meanwhile = seeing(async (_, op) => {
      if (op !== "verify") return;
      [halfWritten] = await directories();
      const place = join(host.workspaces, halfWritten ?? "");
      expect((await stat(place)).mode & 0o777).toBe(0o700);
      expect((await stat(join(place, "packet.pdf"))).mode & 0o077).toBe(0);
      await expectClosedToOthers(join(place, "packet.pdf"));
      await worker.deliver(
        second,
        seeing(async (request) => told.push(request)),
      );
    });
    await worker.deliver(first, meanwhile);
    expect((await jobRow(context, first)).state).toBe("completed");
    expect((await jobRow(context, second)).state).toBe("completed");
    expect(told.length).toBeGreaterThan(3);
    expect(halfWritten).toMatch(/^[0-9a-f]{32}$/);
    for (const request of told) {
      expect(request).toContain(host.workspaces);
      expect(request.includes(halfWritten ?? "")).toBe(false);
    }
  });

  it("are there from its claim to its end, and belong to one job only [C226]", async () => {
    const { context, worker, host } = scene;
    const seen = new Map<JobId, Set<string>>();
    for (const jobId of [await book(), await book()]) {
      expect(await host.leftovers()).toEqual([]);
      const names = new Set<string>();
      seen.set(jobId, names);
      await worker.deliver(
        jobId,
        seeing(async (request) => {
          for (const name of await directories()) {
            names.add(name);
            expect(await jobOf(name)).toBe(jobId);
          }
          // Whatever a child is to read or write lies in there and nowhere else.
          for (const [path] of request.matchAll(/\/[^"]+/g)) {
            if (path.startsWith(host.root))
              expect(names.has(path.slice(host.workspaces.length + 1, host.workspaces.length + 33))).toBe(true);
          }
        }),
      );
      expect((await jobRow(context, jobId)).state).toBe("completed");
      expect(await host.leftovers()).toEqual([]);
    }
    const [one, other] = [...seen.values()].map((names) => [...names]);
    expect(one).toHaveLength(1);
    expect(other).toHaveLength(1);
    expect(one).not.toEqual(other);
  });

  it("keep their private names until the packet is published, and are removed after it [C229]", async () => {
    const { context, worker, host } = scene;
    const jobId = await book();
    let atCommit: string[] = [];
    let afterCommit: string[] = [];
    const archive = replacing(host.stores.archive, {
      commit: async (...args) => {
        atCommit = await readdir(join(host.workspaces, (await directories())[0] ?? ""));
        const answer = await host.stores.archive.commit(...args);
        afterCommit = await directories();
        return answer;
      },
    });
    await worker.deliver(jobId, { archive });
    expect(atCommit).toContain("packet.pdf");
    expect(afterCommit).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(await host.leftovers()).toEqual([]);
    // The archive's own copy is unlinked once it has its name there.
    expect(await readdir(join(host.root, "archive", "staging"))).toEqual([]);
    const { published_at, erased_at } = await jobRow(context, jobId);
    expect((erased_at as Date).getTime()).toBeGreaterThanOrEqual((published_at as Date).getTime());
  });

  it("are closed by worker and children before any of them is removed [C230]", async () => {
    const { worker, host } = scene;
    const jobId = await book();
    const openWhile: string[][] = [];
    const probe = seeing(async (_, op) => {
      if (op !== "verify") return;
      // What would be seen, were one left open.
      const handle = await open(join(host.workspaces, (await directories())[0] ?? "", "packet.pdf"));
      openWhile.push(openUnder(host.workspaces));
      await handle.close();
    });
    let before: string[] | undefined;
    let stillThere: string[] = [];
    const onArchived = () => {
      before = openUnder(host.workspaces);
      stillThere = readdirSync(host.workspaces);
    };
    await worker.deliver(jobId, { ...probe, onArchived });
    expect(openWhile.flat().length).toBeGreaterThan(0);
    expect(stillThere.length).toBeGreaterThan(0);
    expect(before).toEqual([]);
  });

  it("are no older than their attempt may be: one that takes too long is ended, and they go with it [C223]", async () => {
    const { context, worker, host } = scene;
    const { durationMsMax } = LANE.archive;
    const jobId = await book();
    const hanging = scene.asking(async ({ op, run }) => {
      if (op === "assemble") context.clock.advance(durationMsMax + 1);
      return run();
    });
    await worker.deliver(jobId, hanging);
    expect((await jobRow(context, jobId)).state).toBe("retry_wait");
    expect(await host.leftovers()).toEqual([]);
    const [attempt] = await context.sql<{ started_at: Date; workspace_erased_at: Date }>(
      "SELECT started_at, workspace_erased_at FROM attempts WHERE job_id = $1",
      [jobId],
    );
    const livedMs = (attempt?.workspace_erased_at.getTime() ?? 0) - (attempt?.started_at.getTime() ?? 0);
    expect(livedMs).toBeLessThanOrEqual(durationMsMax + MINUTE_MS);
  });

  it("that a killed worker left are gone a quarter of an hour after the last sign of life, and a sweep [C223]", async () => {
    const { context, worker, host } = scene;
    const jobId = await submitted(context, scene.actor, newPacket());
    await context.sql("UPDATE jobs SET state = 'cancelled' WHERE id = $1", [jobId]);
    const workspace = await openWorkspace({
      root: host.workspaces,
      marker: { jobId, attempt: 1, eraseBy: new Date("2027-01-01T00:00:00Z") },
      budget: worker.tools.workspaceBudget,
    });
    const lastSign = context.clock.now();
    for (const path of [workspace.path("x").replace(/x$/, MARKER_NAME), workspace.path("x").replace(/x$/, "")]) {
      await utimes(path, lastSign, lastSign);
    }
    const schedule = await heldSchedule(worker.tools);
    expect(schedule.everyMs("sweep")).toBe(MINUTE_MS);
    while ((await directories()).length > 0) {
      context.clock.advance(MINUTE_MS);
      await schedule.run("sweep");
      expect(context.clock.now().getTime() - lastSign.getTime()).toBeLessThanOrEqual(16 * MINUTE_MS);
    }
    expect(context.clock.now().getTime() - lastSign.getTime()).toBeGreaterThan(15 * MINUTE_MS);
  });
});

/** Paths under `root` that this process or one it started holds open. */
function openUnder(root: string): string[] {
  const family = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && isFamily(pid));
  return family.flatMap((pid) => {
    const fds = quietly(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
    const paths = fds.map((fd) => quietly(() => readlinkSync(`/proc/${pid}/fd/${fd}`)) ?? "");
    return paths.filter((path) => /\/[0-9a-f]{32}\//.test(path.slice(root.length)) && path.startsWith(root));
  });
}

/** This process, and those that run the renderer's code of this test's own build. */
function isFamily(pid: string): boolean {
  const command = quietly(() => readFileSync(`/proc/${pid}/cmdline`, "latin1")) ?? "";
  return Number(pid) === process.pid || command.includes(scene.bundle.childPath);
}

function quietly<Value>(look: () => Value): Value | null {
  try {
    return look();
  } catch {
    // It has just ended, or closed it.
    return null;
  }
}

/** Where tests may take on another account, its reading the file is refused. Elsewhere the modes must do. */
async function expectClosedToOthers(path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const reading = promisify(execFile)("/bin/cat", [path], { uid: 65_534, gid: 65_534 });
  await expect(reading).rejects.toMatchObject({ stderr: expect.stringContaining("Permission denied") });
}
