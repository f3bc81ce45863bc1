import { setTimeout } from "node:timers/promises";
import { manualClock } from "@/server/adapters/clock/manual";
import type { JobId } from "@/server/domain/ids";
import { openTestHost, openTestWorker, replacing, type WorkerTools } from "./test-worker";

/** What a test asks of this process: one attempt at a job, and where to die in it. */
export interface Errand {
  readonly databaseUrl: string;
  readonly hostRoot: string;
  readonly childPath: string;
  readonly jobId: JobId;
  readonly now: string;
  /** The crash point, such as `after commit` or `during render`; none for an attempt that lives. */
  readonly dieAt: string | null;
}

/** Long enough for a child to have begun, too short for it to have finished. */
const SOON_MS = 8;

const errand: Errand = JSON.parse(process.argv[2] ?? "");
const worker = await openTestWorker({
  databaseUrl: errand.databaseUrl,
  host: await openTestHost(errand.hostRoot),
  childPath: errand.childPath,
  clock: manualClock(new Date(errand.now)),
  workerId: "wrk_doomed",
});
await worker.deliver(errand.jobId, mortal(worker.tools));
await worker.close();

/** Returns the tools as they are, except that the process is gone once the attempt comes to the crash point. */
function mortal(tools: WorkerTools): Partial<WorkerTools> {
  return {
    workspaceBudget: {
      ...tools.workspaceBudget,
      admit: async () => {
        await pass("after claim");
        return tools.workspaceBudget.admit();
      },
    },
    renderers: {
      ask: async (op, request, setting) => {
        await pass(`before ${op}`);
        const asked = tools.renderers.ask(op, request, setting);
        await pass(`during ${op}`, SOON_MS);
        const answer = await asked;
        await pass(`after ${op}`);
        return answer;
      },
    },
    archive: replacing(tools.archive, {
      commit: async (...args) => {
        await pass("before commit");
        const answer = await tools.archive.commit(...args);
        await pass("after commit");
        return answer;
      },
    }),
    previews: replacing(tools.previews, {
      commit: async (...args) => {
        const answer = await tools.previews.commit(...args);
        await pass("after preview");
        return answer;
      },
    }),
    records: {
      write: async (key, record) => {
        await pass("before record");
        await tools.records.write(key, record);
        await pass("after record");
      },
    },
    onArchived: () => void pass("after settle"),
  };
}

/** Goes on, or, at the crash point, ends the process as a power cut would: nothing runs after it, no handler, no flush. */
async function pass(point: string, afterMs = 0): Promise<void> {
  if (point !== errand.dieAt) return;
  if (afterMs > 0) await setTimeout(afterMs);
  process.kill(process.pid, "SIGKILL");
  await new Promise(() => undefined);
}
