import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PacketFailure } from "@/server/domain/failure";
import { MARKER_NAME, openWorkspace, type Workspace } from "./workspace";
import { createWorkspaceBudget } from "./workspace-budget";

const marker = { jobId: "job_00000000000000000000000000000001", attempt: 1, eraseBy: new Date("2026-12-24T00:00:00Z") };

let directory: string;
let root: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "workspace-"));
  root = join(directory, "root");
  await mkdir(root, { mode: 0o700 });
});
afterEach(() => rm(directory, { recursive: true, force: true }));

function open(options: Partial<Parameters<typeof openWorkspace>[0]> = {}): Promise<Workspace> {
  return openWorkspace({ root, marker, budget: createWorkspaceBudget({ root, bytesMax: 2 ** 30 }), ...options });
}

function placeOf(workspace: Workspace): string {
  return join(workspace.path("input.json"), "..");
}

describe("a workspace", () => {
  it("is readable by its owner only, whatever the umask, and so are the marker and directories inside [C205,C210,C221,C225]", async () => {
    const before = process.umask(0);
    try {
      const workspace = await open();
      const inner = await workspace.directory("part-1-1");
      const modes = [placeOf(workspace), inner, join(placeOf(workspace), MARKER_NAME)].map(modeOf);
      expect(await Promise.all(modes)).toEqual([0o700, 0o700, 0o600]);
    } finally {
      process.umask(before);
    }
  });

  it("has the same mode under a umask that takes everything", async () => {
    const before = process.umask(0o777);
    try {
      expect(await modeOf(placeOf(await open()))).toBe(0o700);
    } finally {
      process.umask(before);
    }
  });

  it("has a name of 128 random bits, another for every attempt [C201,C206,C207]", async () => {
    const names = await Promise.all(Array.from({ length: 50 }, async () => basename(placeOf(await open()))));
    expect(names.filter((name) => !/^[0-9a-f]{32}$/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(50);
  });

  it("of a second attempt holds nothing of the first [C204]", async () => {
    const first = await open();
    await writeFile(first.path("source-1.pdf"), "residue");
    const second = await open({ marker: { ...marker, attempt: 2 } });
    expect(await readdir(placeOf(second))).toEqual([MARKER_NAME]);
  });

  it("says in its marker whose it is, and nothing else", async () => {
    const workspace = await open();
    const text = await readFile(join(placeOf(workspace), MARKER_NAME), "utf8");
    expect(Object.keys(JSON.parse(text)).sort()).toEqual(["attempt", "eraseBy", "jobId", "service", "workspace"]);
  });

  it.each([
    "../escape.pdf",
    "/etc/passwd",
    "..",
    "",
    "Ada Lovelace.pdf",
    "a/b.pdf",
    "a\0b.pdf",
    "a\nb",
    ".bindery-workspace",
    "https://example.org/x.pdf",
    "été.pdf",
    `${"a".repeat(80)}.pdf`,
  ])("takes no name that is not its own: %j [C212,C213,C215,C216,C217,C218,C219,C224]", async (name) => {
    const workspace = await open();
    expect(() => workspace.path(name)).toThrow(RangeError);
    await expect(workspace.directory(name)).rejects.toThrow(RangeError);
  });

  it("is gone with all that is in it after erase, and erasing again is no fault [C209,C211,C227]", async () => {
    const workspace = await open();
    const inner = await workspace.directory("part-1-1");
    await writeFile(join(inner, "chunk-1.pdf"), "bytes");
    await writeFile(workspace.path("packet.pdf"), "bytes");
    await workspace.erase();
    await workspace.erase();
    expect(await readdir(root)).toEqual([]);
  });

  it("erases a link in it and not what the link leads to [C303]", async () => {
    const outside = join(directory, "outside");
    await mkdir(outside);
    await writeFile(join(outside, "kept.txt"), "kept");
    const workspace = await open();
    await symlink(outside, workspace.path("out"));
    await symlink(join(outside, "kept.txt"), workspace.path("file.txt"));
    await symlink("nowhere", workspace.path("dangling"));
    await symlink(".", workspace.path("loop"));
    await workspace.erase();
    expect(await readdir(root)).toEqual([]);
    expect(await readFile(join(outside, "kept.txt"), "utf8")).toBe("kept");
  });
});

describe("no workspace", () => {
  it("where the root is missing: a code of its own, which may be tried again [C231]", async () => {
    const budget = createWorkspaceBudget({ root, bytesMax: 2 ** 30 });
    await expect(open({ root: join(root, "missing"), budget })).rejects.toMatchObject({ code: "workspace_failed" });
  });

  it("where the root is a file", async () => {
    const file = join(directory, "file");
    await writeFile(file, "");
    await expect(open({ root: file })).rejects.toMatchObject({ code: "workspace_failed" });
  });

  it.skipIf(process.getuid?.() === 0)("where the root may not be written", async () => {
    await chmod(root, 0o500);
    await expect(open()).rejects.toMatchObject({ code: "workspace_failed" });
  });

  it("where the budget refuses, and then nothing was made [C67]", async () => {
    const budget = {
      bytesUsed: () => 0,
      hasRoom: async () => true,
      admit: () => Promise.reject(new PacketFailure("workspace_full")),
    };
    await expect(open({ budget })).rejects.toMatchObject({ code: "workspace_full" });
    expect(await readdir(root)).toEqual([]);
  });
});

describe("the budget", () => {
  const MIB = 1024 * 1024;

  it("counts what all workspaces hold, and refuses while there would still be room to finish [C67,C69]", async () => {
    const budget = createWorkspaceBudget({ root, bytesMax: 65 * MIB });
    const workspace = await open({ budget });
    const inner = await workspace.directory("part-1-1");
    await writeFile(join(inner, "chunk-1.pdf"), Buffer.alloc(2 * MIB));
    await expect(open({ budget })).rejects.toMatchObject({ code: "workspace_full", retryAfterSeconds: 10 });
    expect(budget.bytesUsed()).toBeGreaterThanOrEqual(2 * MIB);
    await workspace.erase();
    await expect(open({ budget })).resolves.toBeDefined();
  });

  it("says whether there is room for another attempt, measured afresh each time [C67]", async () => {
    const budget = createWorkspaceBudget({ root, bytesMax: 65 * MIB });
    expect(await budget.hasRoom()).toBe(true);
    const workspace = await open({ budget });
    await writeFile(workspace.path("packet.pdf"), Buffer.alloc(2 * MIB));
    expect(await budget.hasRoom()).toBe(false);
    await workspace.erase();
    expect(await budget.hasRoom()).toBe(true);
    expect(budget.bytesUsed()).toBe(0);
  });

  it("does not count what a link leads to", async () => {
    await writeFile(join(directory, "large"), Buffer.alloc(2 * MIB));
    await symlink(join(directory, "large"), join(root, "link"));
    await symlink(directory, join(root, "links"));
    const budget = createWorkspaceBudget({ root, bytesMax: 2 ** 30 });
    await budget.admit();
    expect(budget.bytesUsed()).toBe(0);
  });
});

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}
