import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ensureDatabase, startPostgres } from "./postgres.mjs";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-supervisor-"));
  chmodSync(folder, 0o711);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the embedded database", () => {
  it("keeps its data from one start to the next", async () => {
    const first = await start();
    await ensureDatabase(first, "kept");
    await ask(first.url("kept"), "CREATE TABLE notes AS SELECT 7 AS number");
    await first.stop();
    const second = await start();
    await ensureDatabase(second, "kept");
    expect(await ask(second.url("kept"), "SELECT number FROM notes")).toEqual([{ number: 7 }]);
    await second.stop();
  });

  it("listens on the loopback interface only, and logs neither statements nor their details", async () => {
    const postgres = await start();
    const settings = await ask(
      postgres.url("postgres"),
      "SELECT current_setting('listen_addresses') AS addresses, current_setting('log_error_verbosity') AS details, current_setting('log_min_error_statement') AS statements",
    );
    await postgres.stop();
    expect(settings).toEqual([{ addresses: "127.0.0.1", details: "terse", statements: "panic" }]);
  });

  it("ends when the process that started it is killed", async () => {
    const script = `import { startPostgres } from "./scripts/postgres.mjs";
      const postgres = await startPostgres({ dataFolder: ${JSON.stringify(join(folder, "data"))}, durable: false });
      process.stdout.write(postgres.url("postgres"));
      setInterval(() => {}, 1000);`;
    const owner = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [url] = await once(owner.stdout, "data");
    expect(await ask(String(url), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    owner.kill("SIGKILL");
    await once(owner, "exit");
    expect(await untilRefused(String(url))).toBe("ECONNREFUSED");
  });

  it("starts beside a lock that a crash left behind, whose process number is somebody else's now", async () => {
    await (await start()).stop();
    writeFileSync(join(folder, "data/postmaster.pid"), `${process.pid}\n`);
    const postgres = await start();
    expect(await ask(postgres.url("postgres"), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await postgres.stop();
  });

  it("is not started twice on one folder, and says who holds it", async () => {
    const first = await start();
    await expect(start()).rejects.toThrow(/already runs from this folder \(process \d+\)/);
    expect(await ask(first.url("postgres"), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await first.stop();
  });
});

function start() {
  return startPostgres({ dataFolder: join(folder, "data"), durable: false });
}

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Asks until nothing answers any more, for as long as a clean shutdown may take. */
async function untilRefused(url: string): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const code = await ask(url, "SELECT 1").then(
      () => "answers",
      (error: NodeJS.ErrnoException) => error.code ?? "",
    );
    if (code === "ECONNREFUSED") return code;
    await wait(100);
  }
  return "still answers";
}
