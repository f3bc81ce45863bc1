import type { JobId } from "@/server/domain/ids";
import { LANE } from "@/server/domain/lane";
import { replacing, type WorkerTools } from "@/worker/test-worker";
import { type Fault, faultIf } from "./fault";
import { pick, type Random } from "./random-choice";
import type { FaultScene } from "./scene";
import { SMALL_KINDS } from "./small-packets";

/** How the three deliveries of one message arrive. `overtaking`: the lease lapses under the first, which goes on all the same. */
const ORDERS = ["one after another", "all at once", "after completion", "overtaking"] as const;
export type DeliveryOrder = (typeof ORDERS)[number];

export interface Duplicates {
  readonly order: DeliveryOrder;
  readonly faults: readonly Fault[];
  /** Attempts that found, when they came to write, that another had taken over. */
  readonly fenced: number;
}

/** Delivers one packet three times, by two workers: one artifact, one object committed, one completed attempt. */
export async function deliverThrice(scene: FaultScene, random: Random, turn: number): Promise<Duplicates> {
  const order = ORDERS[turn % ORDERS.length] ?? ORDERS[0];
  const jobId = await scene.packets.next(pick(random, SMALL_KINDS));
  let committed = 0;
  const counting: Partial<WorkerTools> = {
    archive: replacing(scene.worker.tools.archive, {
      commit: async (...commit) => {
        const answer = await scene.worker.tools.archive.commit(...commit);
        if (answer === "committed") committed += 1;
        return answer;
      },
    }),
  };
  scene.worker.lines.length = 0;
  const deliver = (workerId: string, changes: Partial<WorkerTools> = {}) =>
    scene.worker.deliver(jobId, { ...counting, workerId, ...changes });
  await DELIVERIES[order](scene, deliver);
  await scene.drain(jobId, counting);

  const faults = [
    ...(await scene.faultsOf(jobId)),
    ...faultIf(committed !== 1, "duplicated", `${committed} objects were committed for ${jobId}`),
    ...(await faultsOfAttempts(scene, jobId)),
  ];
  const fenced = scene.worker.lines.filter(({ event }) => event === "attempt_fenced").length;
  return { order, faults, fenced };
}

type Deliver = (workerId: string, changes?: Partial<WorkerTools>) => Promise<void>;

const DELIVERIES: Record<DeliveryOrder, (scene: FaultScene, deliver: Deliver) => Promise<unknown>> = {
  "one after another": async (_, deliver) => {
    for (const workerId of ["wrk_1", "wrk_2", "wrk_1"]) await deliver(workerId);
  },
  "all at once": (_, deliver) => Promise.all(["wrk_1", "wrk_2", "wrk_3"].map((workerId) => deliver(workerId))),
  "after completion": async (_, deliver) => {
    await deliver("wrk_1");
    await Promise.all([deliver("wrk_2"), deliver("wrk_1")]);
  },
  overtaking: async (scene, deliver) => {
    const { tools } = scene.worker;
    let others: Promise<unknown> = Promise.resolve();
    let isFirst = true;
    await deliver("wrk_1", {
      renderers: {
        ask: async (op, request, setting) => {
          const answer = await tools.renderers.ask(op, request, setting);
          if (!isFirst) return answer;
          isFirst = false;
          scene.context.clock.advance(LANE.archive.leaseMs + 1);
          others = Promise.all([deliver("wrk_2"), deliver("wrk_3")]);
          if (op !== "render") await others;
          return answer;
        },
      },
    });
    await others;
  },
};

/** Attempts only rise, and exactly one of them completed. */
async function faultsOfAttempts({ context }: FaultScene, jobId: JobId): Promise<Fault[]> {
  const rows = await context.sql<{ number: number; outcome: string | null }>(
    "SELECT number, outcome FROM attempts WHERE job_id = $1 ORDER BY number",
    [jobId],
  );
  const completed = rows.filter(({ outcome }) => outcome === "completed").length;
  return [
    ...faultIf(completed !== 1, "duplicated", `${completed} attempts completed ${jobId}`),
    ...faultIf(
      rows.some(({ number }, index) => number !== index + 1),
      "lost",
      `an attempt at ${jobId} is not on record`,
    ),
  ];
}
