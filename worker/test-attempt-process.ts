import { setTimeout } from "node:timers/promises";
import { manualClock } from "@/server/adapters/clock/manual";
import type { JobId } from "@/server/domain/ids";
import { dieAt, pass } from "./test-crash-point";
import { openTestHost, openTestWorker, type WorkerTools } from "./test-worker";

/** What a test asks of this process: one attempt at a job, and where to die in it. */
export interface Errand {
  readonly databaseUrl: string;
  readonly hostRoot: string;
  /** Where attempts of this host work. */
  readonly workspaces: string;
  readonly childPath: string;
  readonly jobId: JobId;
  readonly now: string;
  readonly stageMsMin: number;
  /** The crash point, such as `after commit` or `during render`. */
  readonly dieAt: string;
}

/** Long enough for a child to have begun, too short for it to have finished. */
const SOON_MS = 8;

const errand: Errand = JSON.parse(process.argv[2] ?? "");
const worker = await openTestWorker({
  databaseUrl: errand.databaseUrl,
  host: await openTestHost(errand.hostRoot, { workspaces: errand.workspaces }),
  childPath: errand.childPath,
  clock: manualClock(new Date(errand.now)),
  workerId: "wrk_doomed",
});
dieAt(errand.dieAt);
await worker.deliver(errand.jobId, { stageMsMin: errand.stageMsMin, renderers: mortal(worker.tools) });
await worker.close();

/** Returns renderers as they are, except that the process may die while a child is at work. */
function mortal({ renderers }: WorkerTools): WorkerTools["renderers"] {
  return {
    ask: async (op, request, setting) => {
      const asked = renderers.ask(op, request, setting);
      if (errand.dieAt === `during ${op}`) {
        await setTimeout(SOON_MS);
        await pass(`during ${op}`);
      }
      return asked;
    },
  };
}
