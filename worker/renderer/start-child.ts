import { type ChildProcess, spawn } from "node:child_process";
import { type Launcher, launch } from "./launcher";
import type { PoolLimits } from "./limits";

export interface StartSetting {
  readonly name: string;
  readonly childPath: string;
  /** Where the child stands. */
  readonly directory: string;
  readonly limits: PoolLimits;
  readonly launcher: Launcher;
}

/** Starts a child in a session of its own, under its limits, with a channel to us and nothing of our environment. */
export function startChild({ name, childPath, directory, limits, launcher }: StartSetting): ChildProcess {
  const flags = [`--max-old-space-size=${limits.heapMibMax}`, "--disable-warning=ExperimentalWarning"];
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
