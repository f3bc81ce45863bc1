import { spawn } from "node:child_process";
import type { PoolLimits } from "./limits";

/** How children are started on this machine: what the system lets us take from them beyond plain limits. */
export interface Launcher {
  /** Programs that each take something away and then become the next. */
  readonly prefix: readonly string[];
  /** True where a child has a network of its own with nothing in it. Elsewhere only our stubs stand in its way. */
  readonly hasNoNetwork: boolean;
  /** True where the kernel kills a child the moment its parent dies. Elsewhere the child notices by itself. */
  readonly diesWithParent: boolean;
}

/** Limits that the shell sets before it becomes the child. A limit of the machine that is tighter than ours stays. */
const SCRIPT = `umask 077
ulimit -c 0 2>/dev/null
ulimit -d "$1" 2>/dev/null
ulimit -S -t "$2" 2>/dev/null
ulimit -H -t "$3" 2>/dev/null
ulimit -f "$4" 2>/dev/null
ulimit -n "$5" 2>/dev/null
shift 5
exec "$@"`;

let probed: Promise<Launcher> | undefined;

/** Returns what this machine allows. It is tried once for the life of the process. */
export function probeLauncher(): Promise<Launcher> {
  probed ??= probe();
  return probed;
}

/** Returns program and arguments that start `command` under `limits`. */
export function launch(launcher: Launcher, limits: PoolLimits, command: readonly string[]): [string, string[]] {
  const cpuSeconds = Math.ceil((limits.cpuMsMax * 10) / 1000);
  const numbers = [
    Math.ceil(limits.dataBytesMax / 1024),
    cpuSeconds,
    // The soft limit names its cause (SIGXCPU) before the hard one kills.
    cpuSeconds + 5,
    // POSIX counts this one in blocks of 512 bytes.
    Math.ceil(limits.fileBytesMax / 512),
    limits.openFilesMax,
  ];
  return ["/bin/sh", ["-c", SCRIPT, "sh", ...numbers.map(String), ...launcher.prefix, ...command]];
}

async function probe(): Promise<Launcher> {
  const isRoot = process.getuid?.() === 0;
  const network = isRoot ? ["unshare", "--net", "--"] : ["unshare", "--user", "--map-current-user", "--net", "--"];
  // After `unshare`, since a change of credentials would undo the death signal.
  const privileges = ["setpriv", "--pdeathsig", "KILL", "--no-new-privs"];
  const capabilities = isRoot ? ["--bounding-set=-all", "--inh-caps=-all"] : [];

  let prefix: string[] = [];
  async function add(step: readonly string[]): Promise<boolean> {
    const longer = [...prefix, ...step];
    const isPossible = await runs([...longer, "/bin/sh", "-c", ":"]);
    if (isPossible) prefix = longer;
    return isPossible;
  }
  await add(["nice", "-n", "10"]);
  const hasNoNetwork = await add(network);
  const diesWithParent = (await add([...privileges, ...capabilities])) || (await add(privileges));
  return { prefix, hasNoNetwork, diesWithParent };
}

function runs(command: readonly string[]): Promise<boolean> {
  const [program = "", ...rest] = command;
  return new Promise((resolve) => {
    const tried = spawn(program, rest, { stdio: "ignore", timeout: 5_000 });
    tried.on("error", () => resolve(false));
    tried.on("exit", (code) => resolve(code === 0));
  });
}
