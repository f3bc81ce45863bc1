import { afterAll, beforeAll, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import {
  type CheckpointRow,
  claimJob,
  markPublished,
  recordErasure,
  recordProgress,
  settleJob,
} from "@/server/db/attempts";
import { type Database, openDatabase, type Transaction } from "@/server/db/client";
import { type Actor, idOfActor } from "@/server/domain/access";
import type { JobId } from "@/server/domain/ids";
import { submitBatch } from "../packets/submit-batch";
import { addPerson, addTenant, anOperator, openTestContext, type TestContext } from "../test-context";
import { newPacket } from "../test-requests";
import { readJob } from "./read-job";
import { readTimers } from "./read-timers";

const database = testDatabase();
const WORKER: Actor = { type: "system", name: "worker" };
let context: TestContext;
let worker: Database;

beforeAll(async () => {
  context = await openTestContext(database.url);
  worker = openDatabase({ url: database.url, role: "bindery_worker", connectionsMax: 2 });
});
afterAll(async () => {
  await worker.close();
  await context.close();
});

interface Seen {
  readonly jobId: JobId;
  readonly acceptedAt: number;
  readonly claimedAt: number;
  readonly settledAt: number;
}

const SLOTS = 3;
const STAGES = ["validate", "fetch", "render", "watermark", "assemble", "verify"] as const;
const at = (ms: number) => new Date(ms);

it("a Monday's import of 600 jobs is reconstructed from the instants on their rows alone [C476]", async () => {
  const accepted = await importInBursts();
  const seen: Seen[] = [];
  const slots = Array.from({ length: SLOTS }, () => context.clock.now().getTime());
  for (let from = 0; from < accepted.length; from += 50) {
    await worker.transact(WORKER, async (tx) => {
      for (const [offset, job] of accepted.slice(from, from + 50).entries()) {
        const index = from + offset;
        const slot = slots.indexOf(Math.min(...slots));
        const claimedAt = Math.max(slots[slot] ?? 0, job.acceptedAt);
        // Some take long, and every twentieth fails for good.
        const stageMs = 20 + ((index * 37) % 130);
        const settledAt = await work(tx, job.jobId, { claimedAt, stageMs, fails: index % 20 === 7 });
        slots[slot] = settledAt;
        seen.push({ ...job, claimedAt, settledAt });
      }
    });
  }
  const end = Math.max(...seen.map(({ settledAt }) => settledAt));
  context.clock.advance(end - context.clock.now().getTime());

  const { flow } = await readTimers(context, anOperator(), "hour");
  expect(Math.max(...flow.map(({ waiting }) => waiting))).toBeGreaterThan(0);
  for (const { at: instant, ...counts } of flow) {
    const until = (of: "acceptedAt" | "claimedAt" | "settledAt") => seen.filter((job) => job[of] <= +instant).length;
    expect(counts, instant.toISOString()).toEqual({
      waiting: until("acceptedAt") - until("claimedAt"),
      working: until("claimedAt") - until("settledAt"),
      over: until("settledAt"),
    });
  }
  expect(flow.at(-1)).toMatchObject({ waiting: 0, working: 0, over: 600 });

  for (const job of seen.filter((_, index) => index % 97 === 0)) {
    const { phases } = await readJob(context, anOperator(), job.jobId);
    const instants = phases.flatMap(({ at: instant }) => instant?.getTime() ?? []);
    expect(instants).toEqual(instants.toSorted((a, b) => a - b));
    expect(phases[0]?.at).toEqual(at(job.acceptedAt));
    expect(phases[1]?.at).toEqual(at(job.claimedAt));
    expect(phases.find(({ name }) => name === "settled")?.at).toEqual(at(job.settledAt));
    expect(phases.filter(({ at: instant }) => instant === null).map(({ name }) => name)).toEqual([]);
  }
});

/** Submits six hundred packets in six calls, ten seconds apart. */
async function importInBursts(): Promise<{ jobId: JobId; acceptedAt: number }[]> {
  const actor = await addPerson(context, await addTenant(context));
  const jobs: { jobId: JobId; acceptedAt: number }[] = [];
  for (let burst = 0; burst < 6; burst += 1) {
    const items = Array.from({ length: 100 }, () => newPacket());
    const results = await submitBatch(context, actor, { items, correlationId: `cor-${idOfActor(actor)}` });
    for (const result of results) {
      if (result.status === "refused") throw result.failure;
      jobs.push({ jobId: result.jobId, acceptedAt: context.clock.now().getTime() });
    }
    context.clock.advance(10_000);
  }
  return jobs;
}

/** Does with a job what a worker writes of it, and returns when it was over. */
async function work(
  tx: Transaction,
  jobId: JobId,
  { claimedAt, stageMs, fails }: { claimedAt: number; stageMs: number; fails: boolean },
): Promise<number> {
  const leaseUntil = at(claimedAt + 120_000);
  const claimed = await claimJob(tx, { jobId, workerId: "wrk_1", now: at(claimedAt), leaseUntil });
  const fence = { jobId, attempt: claimed?.attempt ?? 0 };
  const checkpoints = STAGES.map(
    (stage, index): CheckpointRow => ({
      ...{ stage, status: "passed", evidence: {} },
      startedAt: at(claimedAt + index * stageMs),
      ms: stageMs,
    }),
  );
  const madeAt = claimedAt + STAGES.length * stageMs;
  const settledAt = madeAt + 2 * stageMs;
  const ended = { at: at(settledAt), dueAt: null, checkpoints: [] };
  if (fails) {
    await recordProgress(tx, fence, { stage: "verify", leaseUntil, checkpoints });
    const failure = { code: "acceptance_failed", stage: "verify", position: null, page: null, fields: [] } as const;
    await settleJob(tx, fence, { ...ended, from: "running", to: "validation_failed", failure });
  } else {
    await markPublished(tx, fence, { at: at(madeAt + stageMs), rendererBuild: "build", checkpoints });
    await settleJob(tx, fence, { ...ended, from: "published", to: "completed", failure: null });
  }
  await recordErasure(tx, fence, at(settledAt), 1);
  return settledAt;
}
