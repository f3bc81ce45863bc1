import "./no-network";
import { spawn } from "node:child_process";
import { lookup } from "node:dns";
import {
  chmodSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { connect } from "node:net";
import { getPriority, networkInterfaces } from "node:os";
import { PacketFailure } from "@/server/domain/failure";
import type { InspectAnswer } from "./requests";
import { type Operations, serve } from "./serve";

/**
 * A child for tests: its requests name what it does wrong. `stamp` stands for our own work, `inspect` for somebody's file; what it wants
 * to tell comes back in the answer of `prepare`.
 */
const kept: Uint8Array[] = [];

const DEEDS: Record<string, (onProgress: () => void) => unknown> = {
  nothing: () => null,
  hang: () => new Promise(() => setInterval(() => undefined, 1_000)),
  spin: () => {
    for (;;);
  },
  allocate: () => {
    for (;;) kept.push(new Uint8Array(16 * 1024 * 1024).fill(1));
  },
  "fill the heap": () => {
    const grown: unknown[] = [];
    for (;;) grown.push({ value: [grown.length] });
  },
  grow: () => kept.push(new Uint8Array(96 * 1024 * 1024).fill(1)),
  exit: () => process.exit(7),
  abort: () => process.abort(),
  throw: () => {
    throw new Error("Ada Lovelace, 12 Byron Street");
  },
  "throw later": () => {
    setTimeout(() => {
      throw new Error("Ada Lovelace, 12 Byron Street");
    });
    return new Promise(() => undefined);
  },
  refuse: () => {
    throw new PacketFailure("missing_glyphs", { position: 3, page: 2, detail: "U+10FFFF" });
  },
  "refuse in its own words": () => {
    throw Object.assign(new PacketFailure("internal"), { code: "no_such_code" });
  },
  "disk full": () => {
    throw Object.assign(new Error("write"), { code: "ENOSPC" });
  },
  disconnect: () => {
    process.removeAllListeners("disconnect");
    process.disconnect();
    return new Promise(() => setInterval(() => undefined, 1_000));
  },
  babble: () => process.send?.({ frame: "answer", id: -1, answer: null }),
  "progress and spin": (onProgress) => {
    onProgress();
    for (;;);
  },
  progress: async (onProgress) => {
    onProgress();
    await new Promise((resolve) => setTimeout(resolve, 120));
    onProgress();
  },
};

/** What the child can find out about itself, for the test to judge. */
const TALES: Record<string, () => Promise<unknown> | unknown> = {
  environment: () => process.env,
  place: () => ({ pid: process.pid, cwd: process.cwd(), priority: getPriority() }),
  fork: () => spawn("/bin/sleep", ["600"], { stdio: "ignore" }).pid,
  fetch: () => typeof fetch,
  connect: () => reachedBy(() => connect(9, "192.0.2.1")),
  lookup: () => {
    try {
      lookup("example.invalid", () => undefined);
      return "looked up";
    } catch (error) {
      return String(error);
    }
  },
  interfaces: () => networkInterfaces(),
  "write too much": () => {
    const file = openSync("large", "w");
    try {
      for (let written = 0; written < 64; written += 1) writeSync(file, new Uint8Array(1024 * 1024));
      return "written";
    } catch (error) {
      return error instanceof Error && "code" in error ? error.code : "other";
    } finally {
      closeSync(file);
    }
  },
  "look around": () => ({
    here: triedTo(() => readdirSync(".")),
    above: triedTo(() => readdirSync("..")),
    roundabout: triedTo(() => readdirSync(`${TOLD}/..`)),
    "as bytes": triedTo(() => readdirSync(Buffer.from(`${TOLD}/../.`))),
    "by another process": triedTo(() => readdirSync("/proc/self/fd")),
    "through a link": triedTo(() => {
      symlinkSync("..", `${TOLD}/link`);
      return readdirSync(`${TOLD}/link`);
    }),
    "by a program": triedTo(() => spawn("/bin/ls")),
    mode: triedTo(() => chmodSync(".", 0o777)),
    elsewhere: triedTo(() => readFileSync("/etc/passwd")),
    beside: triedTo(() => writeFileSync("mine.txt", "")),
  }),
  "what it was told of": () => ({
    names: readdirSync(TOLD),
    text: readFileSync(`${TOLD}/told.txt`, "utf8"),
    written: triedTo(() => writeFileSync(`${TOLD}/made.txt`, "made")),
  }),
  mode: () => {
    writeFileSync("made", "");
    return statSync("made").mode & 0o777;
  },
};

/** The name of a directory of an attempt, as a request would tell it. */
const TOLD = "0123456789abcdef0123456789abcdef";

/** `done`, or the code of what stood in the way. */
function triedTo(deed: () => unknown): string {
  try {
    deed();
    return "done";
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : "other";
  }
}

function reachedBy(attempt: () => { once(event: string, listener: (error?: Error) => void): unknown }) {
  return new Promise((resolve) => {
    try {
      const socket = attempt();
      socket.once("connect", () => resolve("connected"));
      socket.once("error", (error) => resolve(String(error)));
    } catch (error) {
      resolve(String(error));
    }
  });
}

async function doWrong(deed: string, onProgress: () => void): Promise<void> {
  await DEEDS[deed]?.(onProgress);
}

const OPERATIONS: Operations = {
  stamp: async (request, onProgress) => {
    await doWrong(request.text, onProgress);
    return { bytes: process.pid };
  },
  inspect: async (request, onProgress): Promise<InspectAnswer> => {
    await doWrong(request.path, onProgress);
    return { result: "accept", type: "application/pdf", pages: process.pid, sizes: [], disclosures: [] };
  },
  prepare: async (request) => {
    return { result: "reject", code: JSON.stringify(await TALES[request.path]?.()) };
  },
  render: () => Promise.reject(new Error("not here")),
  "inspect-table": () => Promise.reject(new Error("not here")),
  assemble: () => Promise.reject(new Error("not here")),
  verify: async () => JSON.parse('{ "pages": "none" }'),
};

serve(OPERATIONS, async () => undefined);
