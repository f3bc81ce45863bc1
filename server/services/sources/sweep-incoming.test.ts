import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sweepIncoming } from "./sweep-incoming";

const HOUR_MS = 3_600_000;
const now = new Date("2026-12-01T12:00:00Z");
const name = (digit: string) => digit.repeat(32);
let directory = "";

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "bindery-incoming-"));
});
afterEach(() => rm(directory, { recursive: true }));

async function fileOf(age: number, called: string): Promise<void> {
  await writeFile(join(directory, called), "bytes");
  const at = new Date(now.getTime() - age);
  await utimes(join(directory, called), at, at);
}

describe("uploads that were never finished", () => {
  it("go after an hour; one that may still arrive, a foreign name, a folder and a link stay [C168]", async () => {
    await fileOf(2 * HOUR_MS, name("a"));
    await fileOf(HOUR_MS / 2, name("b"));
    await fileOf(2 * HOUR_MS, "report.pdf");
    await mkdir(join(directory, name("c")));
    await symlink(join(directory, "report.pdf"), join(directory, name("d")));
    expect(await sweepIncoming(directory, new Date(now.getTime() - HOUR_MS))).toBe(1);
    expect((await readdir(directory)).sort()).toEqual([name("b"), name("c"), name("d"), "report.pdf"].sort());
  });

  it("are none where nothing was ever received", async () => {
    expect(await sweepIncoming(join(directory, "absent"), now)).toBe(0);
  });
});
