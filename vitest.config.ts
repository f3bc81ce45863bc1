import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  oxc: { jsx: { runtime: "automatic" } },
  test: {
    // Files wait for children and for the database more than they compute.
    maxWorkers: 2,
    // Prisma asks for several relations of a row at once on one connection, which the driver will refuse one day; the schema engine is
    // a WebAssembly module. Neither is ours to change, and the suite is quiet.
    execArgv: ["--disable-warning=DeprecationWarning", "--disable-warning=ExperimentalWarning"],
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          environment: "node",
          include: ["{app,server,worker,scripts,client,faults,bench}/**/*.test.{ts,tsx}"],
          exclude: ["**/*.db.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "db",
          environment: "node",
          include: ["{app,server,worker,scripts,client,prisma,faults,bench}/**/*.db.test.ts"],
          globalSetup: ["scripts/test-database-server.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
