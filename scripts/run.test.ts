import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "./free-port.mjs";

let dataFolder: string;
beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), "bindery-run-"));
});
afterEach(() => rmSync(dataFolder, { recursive: true, force: true }));

describe("a start that cannot be", () => {
  it("says in one sentence that the port is taken", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? String(address?.port) : "";
    try {
      expect(await start({ PORT: port })).toEqual(refusal(`Port ${port} is taken`));
    } finally {
      server.close();
    }
  });

  it.each(["abc", "0", "65536", "30.5"])("says in one sentence that %s is no port", async (PORT) => {
    expect(await start({ PORT })).toEqual(refusal("PORT must be a whole number"));
  });

  it("names the folder that it cannot write to", async () => {
    const BINDERY_DATA_DIR = join(dataFolder, "a-file/data");
    writeFileSync(join(dataFolder, "a-file"), "");
    expect(await start({ BINDERY_DATA_DIR })).toEqual(refusal(`cannot write to ${BINDERY_DATA_DIR}`));
  });

  it("names a bad variable and keeps its value to itself", async () => {
    const { code, said } = await start({ BINDERY_SESSION_SECRET: "too short" });
    expect(said).toMatch(/^[^\n]*BINDERY_SESSION_SECRET[^\n]*\n$/);
    expect(said).not.toContain("too short");
    expect(code).toBe(1);
  });

  it("says in one sentence that the database cannot be reached", async () => {
    const DATABASE_URL = `postgresql://nobody:secret@127.0.0.1:${await freePort()}/none`;
    const { code, said } = await start({ DATABASE_URL });
    expect({ code, said }).toEqual(refusal("The database cannot be reached"));
    expect(said).not.toContain("secret");
  });
});

/** One line, no stack, exit code 1. */
function refusal(sentence: string) {
  return { code: 1, said: expect.stringMatching(new RegExp(`^[^\\n]*${sentence}[^\\n]*[.]\\n$`)) };
}

async function start(env: Record<string, string>): Promise<{ code: number | null; said: string }> {
  const variables = { ...process.env, PORT: String(await freePort()), DATABASE_URL: "", BINDERY_DATA_DIR: dataFolder };
  const runner = spawn(process.execPath, ["scripts/run.mjs"], {
    env: { ...variables, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [runner.stdout, runner.stderr]) stream.setEncoding("utf8").on("data", (text) => (said += text));
  const [code] = await once(runner, "close");
  return { code, said };
}
