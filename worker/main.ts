import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { lanesWith } from "@/server/domain/lane";
import { retentionPolicy } from "@/server/domain/retention";
import { readEnv } from "@/server/env";
import { KINDS } from "@/server/packets/registry";
import { openWorker } from "./worker";

// Whatever this process or its children write is theirs alone.
process.umask(0o077);

const env = orEnd(readEnv);
orEnd(() => lanesWith(env.laneChanges));
orEnd(() =>
  retentionPolicy(
    env.retention,
    KINDS.map(({ name }) => name),
  ),
);
await mkdir(env.workspaceDirectory, { recursive: true, mode: 0o700 });
const worker = await openWorker(env, {
  workerId: `wrk_${randomUUID().replaceAll("-", "")}`,
  onArchived: (kind, pages) => process.send?.({ type: "archived", kind, pages }),
});

/** Returns what a setting leads to. One that cannot be used ends the process, in the plain words of its error. */
function orEnd<Result>(settle: () => Result): Result {
  try {
    return settle();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : "The settings cannot be used."}\n`);
    process.exit(1);
  }
}

let isStopping = false;
const stop = () => {
  if (isStopping) return;
  isStopping = true;
  void worker.drain().finally(() => process.exit(0));
};
process.on("SIGTERM", stop);
process.on("SIGINT", stop);
process.send?.({ type: "ready" });
