import { DISK, type FileCalls } from "@/server/adapters/archive/file-calls";

/** The seven calls of a store that can be refused. `write` is the writing into a file that was made, `sync` makes it last. */
export const CALLS = ["mkdir", "open", "write", "fsync", "fsync_directory", "link", "unlink"] as const;
export type CallName = (typeof CALLS)[number];

/** How often one commit of a small file makes the call: each of them can be the one that is refused. */
export const CALLS_OF_A_COMMIT: Readonly<Record<CallName, number>> = {
  mkdir: 4,
  open: 3,
  write: 1,
  fsync: 1,
  fsync_directory: 5,
  link: 1,
  unlink: 1,
};

export const ERRORS = ["EIO", "ENOSPC", "EXDEV", "EMFILE", "EACCES"] as const;
export type ErrorName = (typeof ERRORS)[number];

export interface Refusal {
  readonly call: CallName;
  readonly error: ErrorName;
  /** Which of these calls is refused, from 1; it is refused once, and those after it go through again. */
  readonly nth: number;
  /** True where every call from there on is refused as well. */
  readonly goesOn: boolean;
}

export interface FailingCalls {
  readonly calls: FileCalls;
  /** How many calls were refused. */
  readonly refused: number;
}

/** The real calls, of which one, or all after it, are refused by the operating system. */
export function failingCalls({ call, error, nth, goesOn }: Refusal): FailingCalls {
  let made = 0;
  let refused = 0;
  const pass = (name: CallName): void => {
    if (name !== call) return;
    made += 1;
    if (goesOn ? made < nth : made !== nth) return;
    refused += 1;
    throw Object.assign(new Error("refused"), { code: error });
  };
  const guarded = async <Result>(name: CallName, make: () => Promise<Result>): Promise<Result> => {
    pass(name);
    return make();
  };
  const calls: FileCalls = {
    ...DISK,
    makeDirectory: (path) => guarded("mkdir", () => DISK.makeDirectory(path)),
    openForReading: (path) => guarded("open", () => DISK.openForReading(path)),
    create: (path) =>
      guarded("open", async () => {
        const handle = await DISK.create(path);
        const write = handle.write.bind(handle);
        Object.defineProperty(handle, "write", {
          value: (...given: Parameters<typeof write>) => guarded("write", () => write(...given)),
        });
        return handle;
      }),
    syncFile: (handle) => guarded("fsync", () => DISK.syncFile(handle)),
    syncDirectory: (path) => guarded("fsync_directory", () => DISK.syncDirectory(path)),
    link: (from, to) => guarded("link", () => DISK.link(from, to)),
    remove: (path) => guarded("unlink", () => DISK.remove(path)),
  };
  return {
    calls,
    get refused() {
      return refused;
    },
  };
}
