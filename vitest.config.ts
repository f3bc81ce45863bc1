import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  oxc: { jsx: { runtime: "automatic" } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          environment: "node",
          include: ["{server,worker,scripts,client}/**/*.test.{ts,tsx}"],
          exclude: ["**/*.db.test.ts"],
          testTimeout: 60_000,
        },
      },
    ],
  },
});
