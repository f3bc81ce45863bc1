import pg from "pg";
import { describe, expect, inject, it } from "vitest";
import { differenceFromSchema } from "./schema-engine.mjs";
import { createTestDatabase } from "./test-database";

const SCHEMA = `
datasource db {
  provider = "postgresql"
}

model Note {
  id   String @id
  body String

  @@map("notes")
}
`;

const MIGRATION = `
CREATE TABLE "notes" ("id" TEXT NOT NULL, "body" TEXT NOT NULL, CONSTRAINT "notes_pkey" PRIMARY KEY ("id"));
`;

/** What the schema language cannot say, written as a migration may write it. */
const BEYOND_THE_SCHEMA = `
ALTER TABLE "notes" ADD CONSTRAINT "not_empty" CHECK ("body" <> ';');
CREATE UNIQUE INDEX "one_open" ON "notes" ("body") WHERE "id" > 'm';
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'append-only; really';
END; $$;
CREATE TRIGGER refuse BEFORE UPDATE ON "notes" FOR EACH ROW EXECUTE FUNCTION refuse();
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'fixture_reader') THEN CREATE ROLE fixture_reader NOLOGIN; END IF;
END $$;
GRANT SELECT ON "notes" TO fixture_reader;
`;

describe("the check of migrations against the schema", () => {
  it("finds no difference where functions, triggers, roles, grants and constraints come on top", async () => {
    expect(await difference([MIGRATION, BEYOND_THE_SCHEMA], SCHEMA)).toBeNull();
  });

  it("answers with the SQL that is missing", async () => {
    const wanted = SCHEMA.replace("body String", "body String\n  at DateTime?");
    expect(await difference([MIGRATION, BEYOND_THE_SCHEMA], wanted)).toContain('ADD COLUMN     "at"');
  });

  it("leaves no shadow database behind", async () => {
    await difference([MIGRATION], SCHEMA);
    const client = new pg.Client({ connectionString: inject("databaseTemplate").serverUrl });
    await client.connect();
    const { rows } = await client.query("SELECT datname FROM pg_database WHERE datname LIKE 'shadow_%'");
    await client.end();
    expect(rows).toEqual([]);
  });

  it("works on a database of its own, never on the one it was pointed at", async () => {
    const database = await createTestDatabase();
    try {
      await difference([`CREATE TABLE "strays" ("id" TEXT PRIMARY KEY);`], SCHEMA, database.url);
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      const { rows } = await client.query("SELECT to_regclass('strays') AS found");
      await client.end();
      expect(rows[0].found).toBeNull();
    } finally {
      await database.drop();
    }
  });
});

function difference(sqls: readonly string[], schema: string, serverUrl = inject("databaseTemplate").serverUrl) {
  const migrations = sqls.map((sql, index) => ({ name: `000${index + 1}_fixture`, sql }));
  return differenceFromSchema({ serverUrl, schema, migrations });
}
