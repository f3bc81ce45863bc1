// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { bundleWorker, generateClient } from "./build.mjs";
import { ROOT } from "./install.mjs";
import { PlainError, printFailure } from "./plain-error.mjs";
import { showProgressOn } from "./progress.mjs";

// Runs <folder>/commands/<name>.ts of worker, scripts, faults or bench, or an example of the client, bundled as the worker is, in the caller's folder, so
// that file names on the command line mean what they mean there.

showProgressOn(process.stderr);
try {
  const [name = "", ...args] = process.argv.slice(2);
  await generateClient();
  await bundleWorker();
  const command = ["worker/commands", "scripts/commands", "faults/commands", "bench/commands", "client/examples"]
    .map((folder) => join(ROOT, ".build", folder, `${name}.js`))
    .find((file) => existsSync(file));
  if (!command) throw new PlainError(`There is no command ${name}.`);
  const child = spawn(
    process.execPath,
    [
      "--disable-warning=DeprecationWarning",
      "--disable-warning=ExperimentalWarning",
      "--enable-source-maps",
      command,
      ...args,
    ],
    {
      cwd: process.env.INIT_CWD ?? process.cwd(),
      env: {
        BINDERY_CHILD_PATH: join(ROOT, ".build/worker/renderer/child.js"),
        NODE_ENV: "production",
        ...process.env,
      },
      stdio: "inherit",
    },
  );
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  process.on("SIGINT", () => {});
  const [code] = await once(child, "exit");
  process.exitCode = code ?? 1;
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
