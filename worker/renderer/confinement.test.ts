import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HostilePools, hostilePools, tell } from "./hostile-pool";

const TOLD = "0123456789abcdef0123456789abcdef";
const ANOTHERS = "fedcba9876543210fedcba9876543210";

let pools: HostilePools;
let root: string;
beforeAll(async () => {
  pools = await hostilePools();
  root = await mkdtemp(join(tmpdir(), "confined-"));
  for (const name of [TOLD, ANOTHERS]) await mkdir(join(root, name), { mode: 0o700 });
  await writeFile(join(root, TOLD, "told.txt"), "its own");
  await writeFile(join(root, ANOTHERS, "packet.pdf"), "half written, of another school");
});
afterAll(async () => {
  await pools.close();
  await rm(root, { recursive: true, force: true });
});

describe("a child among the directories of attempts", () => {
  it("works with what it is told the name of", async () => {
    const pool = pools.open({ directory: root, isConfined: true });
    expect(await tell(pool, "what it was told of")).toEqual({ names: ["told.txt"], text: "its own", written: "done" });
    expect(await readFile(join(root, TOLD, "made.txt"), "utf8")).toBe("made");
  });

  it("finds no other: it lists none, follows nothing there, runs nothing that could, and writes nothing beside them [C203]", async () => {
    const pool = pools.open({ directory: root, isConfined: true });
    const found = await tell(pool, "look around");
    expect(Object.keys(Object(found))).toHaveLength(10);
    for (const [how, outcome] of Object.entries(Object(found))) expect(outcome, how).toBe("ERR_ACCESS_DENIED");
    expect((await readdir(root)).sort()).toEqual([TOLD, ANOTHERS].sort());
  });

  it("would find them all, were it not for that", async () => {
    const pool = pools.open({ directory: root });
    expect(await tell(pool, "look around")).toMatchObject({ here: "done", above: "done", "through a link": "done" });
  });
});
