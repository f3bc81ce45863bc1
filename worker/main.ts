import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { readEnv } from "@/server/env";
import { openWorker } from "./worker";

// Whatever this process or its children write is theirs alone.
process.umask(0o077);

const env = readEnv();
await mkdir(env.workspaceDirectory, { recursive: true, mode: 0o700 });
const worker = await openWorker(env, {
  workerId: `wrk_${randomUUID().replaceAll("-", "")}`,
  onArchived: (kind, pages) => process.send?.({ type: "archived", kind, pages }),
});

let isStopping = false;
const stop = () => {
  if (isStopping) return;
  isStopping = true;
  void worker.drain().finally(() => process.exit(0));
};
process.on("SIGTERM", stop);
process.on("SIGINT", stop);
process.send?.({ type: "ready" });
