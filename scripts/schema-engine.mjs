// @ts-check
import { randomUUID } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";

/**
 * The driver adapter, mended for what only migrations meet. Pinned versions: `schema-engine.db.test.ts` fails where an
 * upgrade changes what is patched here.
 * - A script goes to the server in one piece; the original splits it at every `;`, function bodies included.
 * - The catalogue's type "char" (oid 18) is read as text; the original cannot read it.
 * - The shadow database is named by fields, never by an address that would override its name, and is dropped only after
 *   its pool has ended.
 */
class MigrationPg extends PrismaPg {
  /** @param {{ host: string, port: number, user: string, database: string, password?: string }} fields */
  constructor(fields) {
    super(fields);
    this.fields = fields;
  }

  /** @override */
  async connect() {
    /** @type {any} the patched methods are not part of the adapter's declared type */
    const adapter = await super.connect();
    const performIO = adapter.performIO.bind(adapter);
    const queryRaw = adapter.queryRaw.bind(adapter);
    /** @type {boolean[]} */
    let chars = [];
    adapter.performIO = async (/** @type {unknown} */ query) => {
      const result = await performIO(query);
      const isChar = (/** @type {{ dataTypeID: number }} */ field) => field.dataTypeID === 18;
      chars = result.fields.map(isChar);
      return {
        ...result,
        fields: result.fields.map((/** @type {any} */ field) => (isChar(field) ? { ...field, dataTypeID: 25 } : field)),
      };
    };
    adapter.queryRaw = async (/** @type {unknown} */ query) => {
      const result = await queryRaw(query);
      return {
        ...result,
        columnTypes: result.columnTypes.map((/** @type {number} */ type, /** @type {number} */ at) =>
          chars[at] ? 6 : type,
        ),
      };
    };
    adapter.executeScript = async (/** @type {string} */ script) => {
      try {
        await adapter.underlyingDriver().query(script);
      } catch (error) {
        adapter.onError(error);
      }
    };
    return adapter;
  }

  /** @override */
  async connectToShadowDb() {
    const admin = await this.connect();
    const database = `shadow_${randomUUID()}`;
    await admin.executeScript(`CREATE DATABASE "${database}"`);
    const shadow = await new MigrationPg({ ...this.fields, database }).connect();
    const dispose = shadow.dispose.bind(shadow);
    shadow.dispose = async () => {
      await dispose();
      await admin.executeScript(`DROP DATABASE IF EXISTS "${database}" WITH (FORCE)`);
      await admin.dispose();
    };
    return shadow;
  }
}

/**
 * Returns the SQL that leads from the migrations to the schema, or null where they agree. Roles, triggers, functions,
 * grants and check constraints, which the schema language cannot say, do not count as a difference.
 * @param {{ serverUrl: string, schema: string, migrations: readonly { name: string, sql: string }[] }} input
 * @returns {Promise<string | null>}
 */
export async function differenceFromSchema({ serverUrl, schema, migrations }) {
  // Without it a panic of the engine reads only "reading 'set_message'".
  /** @type {any} */ (globalThis).PRISMA_WASM_PANIC_REGISTRY ??= {
    set_message: (/** @type {string} */ message) => console.error("schema engine:", message),
  };
  const { SchemaEngine } = await import("@prisma/schema-engine-wasm");
  const address = new URL(serverUrl);
  const factory = new MigrationPg({
    host: address.hostname,
    port: Number(address.port),
    user: decodeURIComponent(address.username),
    password: decodeURIComponent(address.password),
    database: decodeURIComponent(address.pathname.slice(1)),
  });
  const files = [{ path: "schema.prisma", content: schema }];
  const engine = await SchemaEngine.new(
    { datamodels: [["schema.prisma", schema]] },
    () => {},
    bindMigrationAwareSqlAdapterFactory(factory),
  );
  const result = await engine.diff({
    from: {
      tag: "migrations",
      baseDir: "prisma/migrations",
      lockfile: { path: "migration_lock.toml", content: 'provider = "postgresql"\n' },
      shadowDbInitScript: "",
      migrationDirectories: migrations.map(({ name, sql }) => ({
        path: name,
        migrationFile: { path: "migration.sql", content: { tag: "ok", value: sql } },
      })),
    },
    to: { tag: "schemaDatamodel", files },
    script: true,
    exitCode: true,
    filters: { externalTables: [], externalEnums: [] },
  });
  return result.exitCode === 0 ? null : (result.stdout ?? "");
}
