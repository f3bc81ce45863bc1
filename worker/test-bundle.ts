import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { build, type Plugin } from "esbuild";

export interface TestBundle {
  /** The worker, as `npm start` runs it. */
  readonly mainPath: string;
  readonly childPath: string;
  /** A child that does wrong when asked to. */
  readonly hostileChildPath: string;
  /** One attempt in a process of its own, which can be told where to die. */
  readonly attemptPath: string;
  remove(): Promise<void>;
}

const ENTRIES = ["worker/main.ts", "worker/renderer/child.ts", "worker/renderer/hostile-child.ts"];

/** Crash points that are armed in the one bundle that is told where to die. */
const armedCrashPoints: Plugin = {
  name: "armed-crash-points",
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/crash-point$/ }, ({ resolveDir }) => ({ path: join(resolveDir, "test-crash-point.ts") }));
  },
};

/** Bundles the worker and its children from the sources as they stand, as the build does, into a folder of its own. */
export async function bundleForTests(): Promise<TestBundle> {
  const root = resolve(import.meta.dirname, "..");
  // Within the project, so that packages are found.
  const folder = join(root, ".build", "test", randomBytes(8).toString("hex"));
  const bundle = (entryPoints: string[], plugins: Plugin[]) =>
    build({
      absWorkingDir: root,
      entryPoints,
      plugins,
      outbase: ".",
      outdir: folder,
      chunkNames: "chunks/[name]-[hash]",
      bundle: true,
      platform: "node",
      target: "node24",
      format: "esm",
      packages: "external",
      jsx: "automatic",
      splitting: true,
      logLevel: "silent",
    });
  await bundle(ENTRIES, []);
  await bundle(["worker/test-attempt-process.ts"], [armedCrashPoints]);
  return {
    mainPath: join(folder, "worker/main.js"),
    childPath: join(folder, "worker/renderer/child.js"),
    hostileChildPath: join(folder, "worker/renderer/hostile-child.js"),
    attemptPath: join(folder, "worker/test-attempt-process.js"),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
