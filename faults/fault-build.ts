import { rm } from "node:fs/promises";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { projectRoot } from "./project-root";

/** What runs in place of a module in a fault build; the module itself knows nothing of it. */
const REPLACED = [
  { filter: /\/crash-point$/, original: "worker/crash-point.ts", armed: "faults/armed-crash-point.ts" },
  { filter: /\/file-calls$/, original: "server/adapters/archive/file-calls.ts", armed: "faults/armed-file-calls.ts" },
] as const;

export interface FaultBuild {
  /** The worker as `npm start` runs it, but for its crash points. */
  readonly workerPath: string;
  /** The product's own child. */
  readonly childPath: string;
  remove(): Promise<void>;
}

/** Bundles the worker and its child from the sources as they stand. `name` keeps runs beside each other apart. */
export async function buildWithFaults(name: string): Promise<FaultBuild> {
  const root = projectRoot();
  // Within the project, so that packages are found.
  const folder = join(root, ".build", "test", `faults-${name}`);
  await build({
    absWorkingDir: root,
    entryPoints: ["worker/main.ts", "worker/renderer/child.ts"],
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
    plugins: [armed(root)],
  });
  return {
    workerPath: join(folder, "worker/main.js"),
    childPath: join(folder, "worker/renderer/child.js"),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function armed(root: string): Plugin {
  return {
    name: "armed",
    setup: ({ onResolve }) => {
      for (const { filter, original, armed } of REPLACED) {
        onResolve({ filter }, ({ importer }) =>
          importer === join(root, armed) ? { path: join(root, original) } : { path: join(root, armed) },
        );
      }
    },
  };
}
