import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { unlessUnchanged } from "./fingerprint.mjs";

let root: string;
let runs: number;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "bindery-step-"));
  runs = 0;
  write("in/a.ts", "a");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("a build step", () => {
  it("runs once while its inputs stay what they are", async () => {
    expect([await step(), await step()]).toEqual([true, false]);
  });

  it.each([
    ["changed bytes", () => write("in/a.ts", "b")],
    ["a new file", () => write("in/deep/b.ts", "")],
    ["another name", () => renameSync(join(root, "in/a.ts"), join(root, "in/b.ts"))],
    ["a lost output", () => rmSync(join(root, "out"))],
  ])("runs again after %s", async (_, change) => {
    await step();
    change();
    expect(await step()).toBe(true);
  });

  it("does not run again for a file that does not count", async () => {
    await step();
    write("in/a.test.ts", "");
    expect(await step()).toBe(false);
  });

  it("runs again after a failure", async () => {
    await step();
    write("in/a.ts", "b");
    await expect(step(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(await step()).toBe(true);
  });

  it("that made nothing has failed", async () => {
    await expect(step(() => Promise.resolve())).rejects.toThrow("did not make out");
  });
});

function step(work = make) {
  const stamp = join(root, "stamp");
  return unlessUnchanged({ root, stamp, inputs: ["in", "absent"], outputs: ["out"], except: /\.test\.ts$/ }, work);
}

async function make(): Promise<void> {
  runs += 1;
  write("out", String(runs));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
