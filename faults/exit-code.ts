import { spawn } from "node:child_process";

/** Runs a program of the system and returns its exit code; -1 where there is no such program. */
export function exitCodeOf(program: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: "ignore" });
    child.on("error", () => resolve(-1));
    child.on("exit", (code) => resolve(code ?? -1));
  });
}
