// @ts-check
import { globSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build as bundle } from "esbuild";
import { runQuietly } from "./child-process.mjs";
import { unlessUnchanged } from "./fingerprint.mjs";
import { ROOT } from "./install.mjs";
import { withProgress } from "./progress.mjs";

const STAMPS = join(ROOT, ".build/stamps");
const TESTS = /\.(test|spec|contract)\.tsx?$/;

/** What esbuild bundles: the worker, its child, the seed, and one file per command of `npm run`. */
const ENTRIES = [
  "worker/main.ts",
  "worker/renderer/child.ts",
  "prisma/seed.ts",
  "{worker,scripts,faults,bench}/commands/*.ts",
  "client/examples/*.ts",
];

/** Makes everything that `npm start` runs, as far as its sources changed since the last time. */
export async function buildAll() {
  await generateClient();
  await bundleWorker();
  await buildPages();
}

/** Writes the database client from prisma/schema.prisma. */
export async function generateClient() {
  const step = {
    root: ROOT,
    stamp: join(STAMPS, "client"),
    inputs: ["prisma/schema.prisma", "prisma.config.ts", "package-lock.json"],
    outputs: ["server/db/generated"],
  };
  await unlessUnchanged(step, () =>
    withProgress("Generating the database client…", () =>
      // The schema engine is not needed to generate, and would be downloaded: name any binary that exists.
      runQuietly(["node_modules/prisma/build/index.js", "generate"], {
        PRISMA_SCHEMA_ENGINE_BINARY: "/bin/true",
        PRISMA_HIDE_UPDATE_MESSAGE: "1",
        CHECKPOINT_DISABLE: "1",
      }),
    ),
  );
}

/** Bundles the worker, its child, the seed and the commands into .build. */
export async function bundleWorker() {
  const step = {
    root: ROOT,
    stamp: join(STAMPS, "worker"),
    inputs: [
      "server",
      "worker",
      "client",
      "prisma",
      "scripts",
      "faults",
      "bench",
      "tsconfig.json",
      "package-lock.json",
    ],
    outputs: entries().map((entry) => `.build/${entry.replace(/\.ts$/, ".js")}`),
    except: TESTS,
  };
  await unlessUnchanged(step, () => withProgress("Bundling the worker…", bundleEntries));
}

async function bundleEntries() {
  for (const folder of ["worker", "prisma", "scripts", "faults", "bench", "client", "chunks"]) {
    rmSync(join(ROOT, ".build", folder), { recursive: true, force: true });
  }
  await bundle({
    absWorkingDir: ROOT,
    entryPoints: entries(),
    outbase: ".",
    outdir: ".build",
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    packages: "external",
    jsx: "automatic",
    // Keeps what is imported lazily, such as a kind's template and with it the renderer, out of processes that never use it.
    splitting: true,
    sourcemap: true,
    logLevel: "error",
  });
}

/** Builds the pages for `next start`. */
export async function buildPages() {
  const step = {
    root: ROOT,
    stamp: join(STAMPS, "pages"),
    inputs: [
      "app",
      "server",
      "client",
      "public",
      "prisma/schema.prisma",
      "proxy.ts",
      "instrumentation.ts",
      "next.config.mjs",
      "postcss.config.mjs",
      "tsconfig.json",
      "package-lock.json",
    ],
    outputs: [".next/BUILD_ID"],
    except: TESTS,
  };
  await unlessUnchanged(step, () =>
    withProgress("Building pages…", () =>
      runQuietly(["node_modules/next/dist/bin/next", "build"], {
        NODE_ENV: "production",
        NEXT_TELEMETRY_DISABLED: "1",
      }),
    ),
  );
}

function entries() {
  return globSync(ENTRIES, { cwd: ROOT })
    .filter((entry) => !TESTS.test(entry))
    .sort();
}
