import type { ChildProcess } from "node:child_process";

/** Everything a process wrote, for the search for canaries, and its log lines as they come. */
export interface ProcessOutput {
  text(): string;
  /** Calls `listener` for each JSON line from now on. */
  onLine(listener: (line: Readonly<Record<string, unknown>>) => void): void;
}

/** Reads what the process writes to stdout and stderr. */
export function outputOf(child: ChildProcess): ProcessOutput {
  const chunks: string[] = [];
  const listeners: ((line: Readonly<Record<string, unknown>>) => void)[] = [];
  let rest = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => chunks.push(text));
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    chunks.push(text);
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.filter((candidate) => candidate.startsWith("{"))) {
      const parsed: Record<string, unknown> = Object(parse(line));
      for (const listener of listeners) listener(parsed);
    }
  });
  return { text: () => chunks.join(""), onLine: (listener) => void listeners.push(listener) };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // A line that its process did not live to finish.
    return {};
  }
}
