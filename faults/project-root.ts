import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** Returns the folder of the project, whether this runs from the sources or from a bundle below it. */
export function projectRoot(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "worker/main.ts")) && existsSync(join(folder, "package.json"))) return folder;
    if (folder === dirname(folder)) throw new Error("The project's folder was not found.");
  }
}
