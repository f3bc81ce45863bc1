import { link, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Log, LogFields } from "@/server/telemetry/log";
import { HeldDirectory } from "../held-directory";
import { MARKER_NAME, openWorkspace, type Workspace } from "../workspace";
import { createWorkspaceBudget } from "../workspace-budget";
import { type Swept, sweepWorkspaces } from "./sweep-workspaces";

const JOB = "job_00000000000000000000000000000001";
const HOUR_MS = 3_600_000;
const now = new Date("2026-12-01T12:00:00Z");

let directory: string;
let root: string;
let outside: string;
let lines: LogFields[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "sweep-"));
  root = join(directory, "root");
  outside = join(directory, "outside");
  await mkdir(root, { mode: 0o700 });
  await mkdir(outside);
  await writeFile(join(outside, "kept.txt"), "kept");
  lines = [];
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe("swept", () => {
  it("is what a killed worker left, however it ended, with all that is in it [C296,C298,C299,C316]", async () => {
    const left = await abandoned(2 * HOUR_MS);
    await writeFile(join(await left.directory("part-1-1"), "chunk-1.pdf"), "bytes");
    await touch(left, 2 * HOUR_MS);
    expect(await sweep()).toMatchObject({ swept: 1, failed: 0 });
    expect(await readdir(root)).toEqual([]);
  });

  it("and reported with the lag behind the threshold and whether its deadline had passed [C317]", async () => {
    await abandoned(90 * 60_000);
    await abandoned(3 * HOUR_MS, { eraseBy: new Date("2026-11-30T00:00:00Z") });
    expect(await sweep()).toMatchObject({ swept: 2, lagMsMax: 2 * HOUR_MS, overdue: 1 });
  });

  it("twice over, and by two sweepers at once, is no fault", async () => {
    await Promise.all(Array.from({ length: 20 }, () => abandoned(2 * HOUR_MS)));
    const both = await Promise.all([sweep(), sweep()]);
    expect(both.map(({ failed }) => failed)).toEqual([0, 0]);
    expect(await sweep()).toMatchObject({ swept: 0, failed: 0 });
    expect(await readdir(root)).toEqual([]);
  });

  it("is what nothing was put into yet when its worker was killed: no marker, or one of no bytes; not where anything else is", async () => {
    const old = new Date(now.getTime() - 2 * HOUR_MS);
    for (const [name, files] of Object.entries({
      a: [],
      b: [MARKER_NAME],
      c: [MARKER_NAME, "source-1.pdf"],
      d: ["source-1.pdf"],
    })) {
      const place = join(root, name.repeat(32));
      await mkdir(place, { mode: 0o700 });
      for (const file of files) await writeFile(join(place, file), "");
      for (const path of [...files.map((file) => join(place, file)), place]) await utimes(path, old, old);
    }
    await mkdir(join(root, "e".repeat(32)), { mode: 0o700 });
    await utimes(join(root, "e".repeat(32)), now, now);
    await sweep();
    expect((await readdir(root)).map((name) => name[0]).sort()).toEqual(["c", "d", "e"]);
  });

  it("in such an order that a sweep cut short can be told from what is not ours: the marker goes last", async () => {
    const left = await abandoned(2 * HOUR_MS);
    await mkdir(join(placeOf(left), ...Array.from({ length: 80 }, () => "deep")), { recursive: true });
    await touch(left, 2 * HOUR_MS);
    expect(await sweep()).toMatchObject({ swept: 0, failed: 1 });
    expect(await readdir(placeOf(left))).toContain(MARKER_NAME);
  });

  it("leaves ids in the log, and no path or file name [C304]", async () => {
    const left = await abandoned(2 * HOUR_MS);
    await sweep();
    expect(lines).toEqual([{ event: "workspace_swept", jobId: JOB, attempt: 1, lagMs: HOUR_MS }]);
    expect(JSON.stringify(lines)).not.toContain(basename(placeOf(left)));
  });
});

describe("never swept", () => {
  it("is a directory that a live attempt uses, however old [C307]", async () => {
    await abandoned(200 * HOUR_MS);
    const asked: [string, number][] = [];
    const isLive = async (jobId: string, attempt: number) => {
      asked.push([jobId, attempt]);
      return true;
    };
    expect(await sweep({ isLive })).toMatchObject({ swept: 0, live: 1 });
    expect(asked).toEqual([[JOB, 1]]);
    expect(await readdir(root)).toHaveLength(1);
  });

  it("is a directory whose attempt cannot be asked after", async () => {
    await abandoned(2 * HOUR_MS);
    const isLive = () => Promise.reject(new Error("no database"));
    expect(await sweep({ isLive })).toMatchObject({ swept: 0, failed: 1 });
    expect(await readdir(root)).toHaveLength(1);
  });

  it("is a directory younger than the threshold, by the latest sign of life in it [C302]", async () => {
    const left = await abandoned(2 * HOUR_MS);
    await abandoned(HOUR_MS);
    await utimes(placeOf(left), now, now);
    expect(await sweep()).toMatchObject({ swept: 0, young: 2 });
  });

  it.each<[string, (place: string) => Promise<unknown>]>([
    ["without a marker [C301]", (place) => rm(join(place, MARKER_NAME))],
    ["with a marker copied from another", (place) => forge(place, basename(place).replace(/./g, "0"))],
    ["with a marker that is a link", (place) => exchange(place, (marker) => symlink(join(place, "copy"), marker))],
    ["with a marker that is a directory", (place) => exchange(place, (marker) => mkdir(marker))],
    [
      "with a marker too large to be one",
      (place) => writeFile(join(place, MARKER_NAME), " ".repeat(4096), { flag: "a" }),
    ],
  ])("is a directory %s", async (_, change) => {
    const left = await abandoned(2 * HOUR_MS);
    await change(placeOf(left));
    await touch(left, 2 * HOUR_MS);
    expect(await sweep()).toMatchObject({ swept: 0, notOurs: 1 });
    expect(await readdir(root)).toHaveLength(1);
  });

  it("is anything else that lies beside them: files, other directories, links to directories with a marker [C301,C303]", async () => {
    const left = await abandoned(2 * HOUR_MS);
    const elsewhere = join(outside, basename(placeOf(left)));
    await rename(placeOf(left), elsewhere);
    await symlink(elsewhere, placeOf(left));
    await writeFile(join(root, "0".repeat(32)), "a file");
    await mkdir(join(root, "reports\n\u001b[31m"));
    await symlink("nowhere", join(root, "1".repeat(32)));
    await symlink(".", join(root, "2".repeat(32)));
    expect(await sweep()).toMatchObject({ swept: 0, notOurs: 5 });
    expect(await readdir(root)).toHaveLength(5);
    expect(await readdir(elsewhere)).toContain(MARKER_NAME);
  });
});

describe("a link inside", () => {
  it.each<[string, (path: string) => Promise<unknown>]>([
    ["to a file", (path) => symlink(join(outside, "kept.txt"), path)],
    ["to a directory", (path) => symlink(outside, path)],
    ["to itself", (path) => symlink(path, path)],
    ["to nothing", (path) => symlink("nowhere", path)],
    ["that is a second name of a file", (path) => link(join(outside, "kept.txt"), path)],
  ])("%s goes, and what it leads to stays [C303]", async (_, make) => {
    const left = await abandoned(2 * HOUR_MS);
    await make(left.path("link"));
    await touch(left, 2 * HOUR_MS);
    expect(await sweep()).toMatchObject({ swept: 1, failed: 0 });
    expect(await readFile(join(outside, "kept.txt"), "utf8")).toBe("kept");
  });

  it("put in a directory's place after it was entered leads nobody outside [C303]", async () => {
    await mkdir(join(root, "racing", "inner"), { recursive: true });
    await mkdir(join(outside, "inner"));
    await writeFile(join(outside, "inner", "kept.txt"), "kept");
    const top = await HeldDirectory.open(root);
    const entered = await top.enter("racing");
    await rename(join(root, "racing"), join(root, "moved"));
    await symlink(outside, join(root, "racing"));
    await entered.removeTree("inner", MARKER_NAME);
    await expect(top.enter("racing")).rejects.toMatchObject({ code: "ENOTDIR" });
    await Promise.all([entered.close(), top.close()]);
    expect(await readdir(join(root, "moved"))).toEqual([]);
    expect(await readFile(join(outside, "inner", "kept.txt"), "utf8")).toBe("kept");
  });
});

function sweep(difference: Partial<Parameters<typeof sweepWorkspaces>[0]> = {}): Promise<Swept> {
  const log: Log = {
    info: (line) => lines.push(line),
    warn: (line) => lines.push(line),
    error: (line) => lines.push(line),
  };
  return sweepWorkspaces({ root, now, thresholdMs: HOUR_MS, isLive: async () => false, log, ...difference });
}

/** A workspace with a file in it that nobody has touched for so long. */
async function abandoned(ageMs: number, marker: { eraseBy?: Date } = {}): Promise<Workspace> {
  const workspace = await openWorkspace({
    root,
    marker: { jobId: JOB, attempt: 1, eraseBy: new Date("2026-12-24T00:00:00Z"), ...marker },
    budget: createWorkspaceBudget({ root, bytesMax: 2 ** 30 }),
  });
  await writeFile(workspace.path("source-1.pdf"), "bytes");
  await touch(workspace, ageMs);
  return workspace;
}

async function touch(workspace: Workspace, ageMs: number): Promise<void> {
  const at = new Date(now.getTime() - ageMs);
  await utimes(join(placeOf(workspace), MARKER_NAME), at, at).catch(() => undefined);
  await utimes(placeOf(workspace), at, at);
}

async function forge(place: string, name: string): Promise<void> {
  const path = join(place, MARKER_NAME);
  await writeFile(path, (await readFile(path, "utf8")).replace(basename(place), name));
}

async function exchange(place: string, make: (marker: string) => Promise<unknown>): Promise<void> {
  const marker = join(place, MARKER_NAME);
  await rename(marker, join(place, "copy"));
  await make(marker);
}

function placeOf(workspace: Workspace): string {
  return join(workspace.path("input.json"), "..");
}
