import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** Another process that exchanges a directory for a link and back as fast as it can. */
export interface SwappingProcess {
  /** Swaps the directory at `path` for a link to `target` until `stop`. */
  race(path: string, target: string): void;
  /** Puts the directory back and returns how often it was exchanged. */
  stop(): Promise<number>;
  close(): Promise<void>;
}

/** A program of its own, because within one process nothing happens between two calls that are not awaited. */
const PROGRAM = `
const fs = require("node:fs");
let job = null, swaps = 0;
const attempt = (act) => { try { act(); return true; } catch { return false; } };
const once = () => {
  const away = job.path + "-away";
  if (!attempt(() => fs.renameSync(job.path, away))) return;
  if (attempt(() => fs.symlinkSync(job.target, job.path))) { swaps += 1; attempt(() => fs.unlinkSync(job.path)); }
  attempt(() => fs.renameSync(away, job.path));
};
const loop = () => { if (job === null) return; for (let turn = 0; turn < 50; turn += 1) once(); setImmediate(loop); };
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const told = JSON.parse(line);
  if (told.path) { job = told; swaps = 0; setImmediate(loop); process.stdout.write("0\\n"); }
  else { job = null; process.stdout.write(swaps + "\\n"); }
}).on("close", () => process.exit(0));
`;

/** Starts the process. `race` is answered by `stop` only: what happens in between is anybody's guess, which is the point. */
export async function startSwapping(): Promise<SwappingProcess> {
  const child = spawn(process.execPath, ["-e", PROGRAM], { stdio: ["pipe", "pipe", "inherit"] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const told = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  return {
    race: (path, target) => void told({ path, target }),
    stop: async () => {
      told({});
      await answers.next();
      return Number((await answers.next()).value ?? 0);
    },
    close: async () => {
      const exit = once(child, "exit");
      child.stdin.end();
      await exit;
    },
  };
}
