import { type ChildProcess, spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Launcher, launch } from "./launcher";
import type { PoolLimits } from "./limits";

export interface StartSetting {
  readonly name: string;
  readonly childPath: string;
  /** Where the child stands. */
  readonly directory: string;
  readonly limits: PoolLimits;
  readonly launcher: Launcher;
  /** True where a child may reach only its own code, and in `directory` only what it is told the random name of. */
  readonly isConfined?: boolean;
}

/** Starts a child in a session of its own, under its limits, with a channel to us and nothing of our environment. */
export function startChild(setting: StartSetting): ChildProcess {
  const { name, childPath, directory, limits, launcher } = setting;
  const flags = [
    `--max-old-space-size=${limits.heapMibMax}`,
    "--disable-warning=ExperimentalWarning",
    ...(setting.isConfined === true ? confinement(childPath, directory) : []),
  ];
  const [program, args] = launch(launcher, limits, [process.execPath, ...flags, childPath]);
  return spawn(program, args, {
    cwd: directory,
    detached: true,
    serialization: "json",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    env: {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      // No place for caches and temporary files: what a library put there nobody would erase. It stays in memory, which is watched.
      HOME: "/nonexistent",
      TMPDIR: "/nonexistent",
      VIPS_DISC_THRESHOLD: "4g",
      LANG: "C.UTF-8",
      TZ: "UTC",
      NODE_ENV: "production",
      // Fewer arenas: what one request freed is there for the next.
      MALLOC_ARENA_MAX: "2",
      RENDERER_POOL: name,
    },
  });
}

/**
 * Node's own permissions, beside what the system takes away: no other program, and no file but the child's code and what lies under a random
 * name in `directory`. The names themselves cannot be listed there, so another attempt's are not found. It stops code that was led astray,
 * not native code that was taken over. [C203]
 */
function confinement(childPath: string, directory: string): string[] {
  const readable = bothNames(dirname(childPath)).flatMap((code) => [
    join(code, "*"),
    join(code, "../../chunks/*"),
    ...packagesOf(code),
  ]);
  // One rule per first letter: a rule for all of them would cover the directory itself.
  const attempts = bothNames(directory).flatMap((root) =>
    [..."0123456789abcdef"].map((digit) => join(root, `${digit}*`)),
  );
  return [
    "--permission",
    "--allow-addons",
    "--disable-warning=SecurityWarning",
    ...[...readable, ...attempts].map((path) => `--allow-fs-read=${path}`),
    ...attempts.map((path) => `--allow-fs-write=${path}`),
  ];
}

/** A directory as it is called and as it is: rules go by the name that is used. */
function bothNames(directory: string): string[] {
  return [...new Set([directory, realpathSync(directory)])];
}

/** Where packages are looked for from `folder` upwards, and what says which package each folder belongs to. */
function packagesOf(folder: string): string[] {
  const above = dirname(folder);
  const here = [join(folder, "node_modules", "*"), join(folder, "package.json")];
  return above === folder ? here : [...here, ...packagesOf(above)];
}
