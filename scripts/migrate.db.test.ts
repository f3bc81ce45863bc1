import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrate } from "./migrate.mjs";
import { testDatabase } from "./test-database";

const database = testDatabase();
let folder: string;
let client: pg.Client;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "bindery-migrations-"));
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  // The template was migrated with the real migrations: start each case from an empty ledger and schema.
  await client.query("DELETE FROM public._prisma_migrations");
  await client.query("DROP SCHEMA IF EXISTS fixture CASCADE; CREATE SCHEMA fixture");
});

afterEach(async () => {
  await client.end();
  rmSync(folder, { recursive: true, force: true });
});

const TRIGGER = `
CREATE TABLE fixture.notes (id int PRIMARY KEY, body text NOT NULL DEFAULT 'a; b');
CREATE FUNCTION fixture.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'notes are append-only';
END; $$;
CREATE TRIGGER refuse BEFORE UPDATE ON fixture.notes FOR EACH ROW EXECUTE FUNCTION fixture.refuse();
DO $$ BEGIN PERFORM 1; END; $$;
`;

describe("migrations", () => {
  it("are applied in the order of their names, once, functions and triggers included", async () => {
    write("002_more", "INSERT INTO fixture.notes (id) VALUES (1);");
    write("001_notes", TRIGGER);
    expect(await run()).toEqual(["001_notes", "002_more"]);
    expect(await run()).toEqual([]);
    expect((await client.query("SELECT body FROM fixture.notes")).rows).toEqual([{ body: "a; b" }]);
    await expect(client.query("UPDATE fixture.notes SET body = ''")).rejects.toThrow("append-only");
  });

  it("are recorded as Prisma records them", async () => {
    write("001_notes", TRIGGER);
    await run();
    const { rows } = await client.query("SELECT * FROM public._prisma_migrations");
    expect(rows).toMatchObject([
      { migration_name: "001_notes", applied_steps_count: 1, rolled_back_at: null, logs: null },
    ]);
    expect(rows[0].checksum).toMatch(/^[0-9a-f]{64}$/);
    expect(rows[0].finished_at >= rows[0].started_at).toBe(true);
  });

  it("that fail leave nothing of their file behind, and keep the files before", async () => {
    write("001_notes", TRIGGER);
    write("002_broken", "CREATE TABLE fixture.half (id int); SELECT 1 / 0;");
    await expect(run()).rejects.toThrow("002_broken failed and was taken back: division by zero");
    expect(await exists("fixture.notes")).toBe(true);
    expect(await exists("fixture.half")).toBe(false);
    write("002_broken", "CREATE TABLE fixture.half (id int);");
    expect(await run()).toEqual(["002_broken"]);
  });

  it("that commit by themselves are refused", async () => {
    write("001_commit", "COMMIT;");
    await expect(run()).rejects.toThrow("ends the transaction");
  });

  it("that changed after they were applied are refused by name", async () => {
    write("001_notes", TRIGGER);
    await run();
    write("001_notes", `${TRIGGER} SELECT 1;`);
    await expect(run()).rejects.toThrow("001_notes was changed after it was applied");
  });

  it("that this copy does not know are refused by name", async () => {
    write("001_notes", TRIGGER);
    write("002_more", "SELECT 1;");
    await run();
    rmSync(join(folder, "002_more"), { recursive: true });
    await expect(run()).rejects.toThrow("002_more, which is not in this copy");
  });

  it("started twice at once are applied once", async () => {
    write("001_notes", TRIGGER);
    write("002_slow", "SELECT pg_sleep(0.2);");
    const applied = await Promise.all([run(), run(), run()]);
    expect(applied.flat().sort()).toEqual(["001_notes", "002_slow"]);
  });

  it("that change role or search path for themselves do not change it for the next", async () => {
    write("001_role", "SET search_path = fixture; CREATE TABLE mine (id int);");
    write("002_next", "CREATE TABLE fixture.yours AS SELECT current_setting('search_path') AS path;");
    await run();
    expect(await exists("fixture.mine")).toBe(true);
    const { rows } = await client.query("SELECT path FROM fixture.yours");
    expect(rows[0].path).not.toBe("fixture");
  });
});

function write(name: string, sql: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, "migration.sql"), sql);
}

function run(): Promise<string[]> {
  return migrate({ url: database.url, folder });
}

async function exists(table: string): Promise<boolean> {
  const { rows } = await client.query("SELECT to_regclass($1) IS NOT NULL AS found", [table]);
  return rows[0].found;
}
