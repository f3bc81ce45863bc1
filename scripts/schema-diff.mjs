// @ts-check
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./install.mjs";
import { readMigrations } from "./migrate.mjs";
import { PlainError, printFailure } from "./plain-error.mjs";
import { differenceFromSchema } from "./schema-engine.mjs";
import { startTemporaryPostgres } from "./temporary-postgres.mjs";

// `npm run schema:check` fails where the migrations do not make what prisma/schema.prisma says;
// `npm run schema:diff -- name` writes the missing SQL as a new migration, to be read and completed by hand.

const FOLDER = join(ROOT, "prisma/migrations");

try {
  const [task, name] = process.argv.slice(2);
  const migrations = readMigrations(FOLDER);
  const difference = await missingSql(migrations);
  if (task === "check") {
    if (difference !== null) {
      throw new PlainError(
        `The migrations and prisma/schema.prisma differ: run npm run schema:diff -- <name>. Missing:\n${difference.trim()}`,
      );
    }
    console.log(`The migrations (${migrations.length}) agree with prisma/schema.prisma.`);
  } else if (difference === null) {
    console.log("The migrations already make what prisma/schema.prisma says.");
  } else {
    console.log(`Wrote ${writeMigration(migrations.length + 1, name, difference)}: read it before you commit it.`);
  }
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}

/** @param {import("./migrate.mjs").Migration[]} migrations */
async function missingSql(migrations) {
  const postgres = await startTemporaryPostgres();
  try {
    const schema = readFileSync(join(ROOT, "prisma/schema.prisma"), "utf8");
    return await differenceFromSchema({ serverUrl: postgres.url("postgres"), schema, migrations });
  } finally {
    await postgres.stop();
  }
}

/** @param {number} number @param {string | undefined} name @param {string} sql */
function writeMigration(number, name, sql) {
  if (!name || !/^[a-z][a-z0-9_]*$/.test(name))
    throw new PlainError("Name the migration in snake_case: npm run schema:diff -- add_holds");
  const folder = join(FOLDER, `${String(number).padStart(4, "0")}_${name}`);
  mkdirSync(folder);
  const file = join(folder, "migration.sql");
  writeFileSync(file, sql);
  return file.slice(ROOT.length + 1);
}
