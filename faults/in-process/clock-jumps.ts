import { manualClock } from "@/server/adapters/clock/manual";
import type { JobId } from "@/server/domain/ids";
import { dayIn } from "@/server/packets/check-payload";
import type { Clock } from "@/server/ports/clock";
import { submitPacket } from "@/server/services/packets/submit-packet";
import { addPerson, addTenant } from "@/server/services/test-context";
import { jobRow, newPacket } from "@/server/services/test-requests";
import { eraseExpiredInputs } from "@/worker/maintenance/erase-expired-inputs";
import type { WorkerTools } from "@/worker/test-worker";
import { type Fault, faultIf } from "./fault";
import { pick, type Random } from "./random-choice";
import type { FaultScene } from "./scene";

const HOUR_MS = 3_600_000;

/** Days on which clocks are changed, or that only some years have; all of them past, so that nothing else on the database is due. */
const DAYS = [
  { at: "2025-03-30T00:59:30Z", zone: "Europe/Oslo" },
  { at: "2025-10-26T00:59:30Z", zone: "Europe/Oslo" },
  { at: "2025-03-09T06:59:30Z", zone: "America/New_York" },
  { at: "2025-11-02T05:59:30Z", zone: "America/New_York" },
  { at: "2024-02-28T23:59:30Z", zone: "UTC" },
  { at: "2024-02-29T23:59:30Z", zone: "Asia/Kolkata" },
  { at: "2024-12-31T23:59:30Z", zone: "Pacific/Kiritimati" },
  { at: "2025-06-11T12:00:00Z", zone: "UTC" },
] as const;

/** What happens to the clocks while a packet is made. */
const TROUBLES = ["jump ahead", "jump back", "two skewed workers", "ever backwards", "none"] as const;
export type ClockTrouble = (typeof TROUBLES)[number];

export interface ClockJump {
  readonly trouble: ClockTrouble;
  readonly day: string;
  readonly faults: readonly Fault[];
  readonly attempts: number;
}

/** A clock that can be put forward and back. What only counts up goes on counting. */
interface JumpingClock extends Clock {
  advance(ms: number): void;
  jump(ms: number): void;
}

/**
 * Makes one packet while clocks jump or disagree: its deadlines stay what they were at acceptance, it ends in one artifact, and its input
 * is there until its deadline by the clock of whoever erases, and gone at the next sweep after it.
 */
export async function jumpClock(scene: FaultScene, random: Random, turn: number): Promise<ClockJump> {
  const trouble = TROUBLES[turn % TROUBLES.length] ?? "none";
  const { at, zone } = pick(random, DAYS);
  const clock = jumpingClock(new Date(at));
  const { jobId, payloadId } = await submittedAt(scene, clock, zone);
  const before = await deadlinesOf(scene, jobId);
  await MAKING[trouble](scene, jobId, clock, random);
  const isMoved = JSON.stringify(await deadlinesOf(scene, jobId)) !== JSON.stringify(before);
  const faults = [
    ...(await scene.faultsOf(jobId)),
    ...faultIf(isMoved, "clockExtended", `a deadline of ${jobId}`),
    ...(await faultsOfErasure(scene, payloadId, clock, before.eraseBy)),
  ];
  const { attempt } = await jobRow(scene.context, jobId);
  return { trouble, day: at.slice(0, 10), faults, attempts: attempt };
}

const MAKING: Record<
  ClockTrouble,
  (scene: FaultScene, jobId: JobId, clock: JumpingClock, random: Random) => Promise<unknown>
> = {
  none: (scene, jobId, clock) => drainBy(scene, jobId, clock),
  "jump ahead": async (scene, jobId, clock) => {
    await scene.worker.deliver(jobId, { clock, ...jumpingAt(scene, clock, "assemble", HOUR_MS) });
    await drainBy(scene, jobId, clock);
  },
  "jump back": async (scene, jobId, clock) => {
    await scene.worker.deliver(jobId, { clock, ...jumpingAt(scene, clock, "assemble", -HOUR_MS) });
    await drainBy(scene, jobId, clock);
  },
  "ever backwards": async (scene, jobId, clock) => {
    const back = { ...jumpingAt(scene, clock, "render", -60_000) };
    await scene.worker.deliver(jobId, { clock, ...back });
    await drainBy(scene, jobId, clock);
  },
  "two skewed workers": async (scene, jobId, clock, random) => {
    const skews = pick(random, [
      [HOUR_MS, -HOUR_MS],
      [-HOUR_MS, HOUR_MS],
      [0, HOUR_MS],
      [-HOUR_MS, 0],
    ] as const);
    // Whoever is behind thinks that the packet is not due yet; an hour on, both of them work at it.
    clock.advance(HOUR_MS);
    const [first, second] = skews.map((skew, index) => ({
      clock: skewed(clock, skew),
      workerId: `wrk_skewed_${index}`,
    }));
    let other: Promise<unknown> = Promise.resolve();
    const meanwhile: Partial<WorkerTools> = {
      renderers: {
        ask: async (op, request, setting) => {
          if (op === "assemble") other = scene.worker.deliver(jobId, second ?? {});
          const answer = await scene.worker.tools.renderers.ask(op, request, setting);
          if (random() < 0.5) await other;
          return answer;
        },
      },
    };
    await scene.worker.deliver(jobId, { ...first, ...meanwhile });
    await other;
    await drainBy(scene, jobId, clock);
  },
};

/** Tools under which the clock jumps while a child is asked for `op`. */
function jumpingAt({ worker }: FaultScene, clock: JumpingClock, op: string, ms: number): Partial<WorkerTools> {
  return {
    renderers: {
      ask: async (asked, request, setting) => {
        if (asked === op) clock.jump(ms);
        return worker.tools.renderers.ask(asked, request, setting);
      },
    },
  };
}

/** Delivers until the job is over; what it waits for is waited out on this clock. */
async function drainBy(scene: FaultScene, jobId: JobId, clock: JumpingClock): Promise<void> {
  for (let delivery = 1; delivery <= 8; delivery += 1) {
    const job = await jobRow(scene.context, jobId);
    if (!["queued", "running", "retry_wait", "published"].includes(job.state)) return;
    const until = Math.max(job.due_at.getTime(), (job.lease_until?.getTime() ?? 0) + 1);
    clock.advance(Math.max(0, until - clock.now().getTime()));
    await scene.worker.deliver(jobId, { clock });
  }
}

async function submittedAt(
  scene: FaultScene,
  clock: Clock,
  zone: string,
): Promise<{ jobId: JobId; payloadId: string }> {
  const context = { ...scene.context, clock };
  const tenantId = await addTenant(scene.context);
  await scene.context.sql("UPDATE tenants SET time_zone = $2 WHERE id = $1", [tenantId, zone]);
  const actor = await addPerson(scene.context, tenantId);
  const { jobId } = await submitPacket(context, actor, newPacket(dayIn(zone, clock.now())));
  return { jobId, payloadId: (await jobRow(scene.context, jobId)).payload_id };
}

async function deadlinesOf(
  scene: FaultScene,
  jobId: JobId,
): Promise<{ finishBy: unknown; eraseBy: Date; payload: unknown }> {
  const [row] = await scene.context.sql<{ finish_by: Date; erase_by: Date; payload: Date }>(
    "SELECT j.finish_by, j.erase_by, p.erase_by AS payload FROM jobs j JOIN payloads p ON p.id = j.payload_id WHERE j.id = $1",
    [jobId],
  );
  if (row === undefined) throw new RangeError("The job or its payload is gone.");
  return { finishBy: row.finish_by, eraseBy: row.erase_by, payload: row.payload };
}

/** Sweeps now, a moment before the deadline, and at it, by the clock of whoever sweeps. */
async function faultsOfErasure(
  { context, worker }: FaultScene,
  payloadId: string,
  clock: JumpingClock,
  eraseBy: Date,
): Promise<Fault[]> {
  const sweepAt = async (at: number): Promise<boolean> => {
    await eraseExpiredInputs({ ...worker.tools, clock: manualClock(new Date(at)) });
    return (await context.sql("SELECT 1 FROM payloads WHERE id = $1", [payloadId])).length === 0;
  };
  const isEarly = (await sweepAt(clock.now().getTime())) || (await sweepAt(eraseBy.getTime() - 1));
  return [
    ...faultIf(isEarly, "lost", `${payloadId} before its deadline`),
    ...faultIf(!(await sweepAt(eraseBy.getTime())), "overdue", payloadId),
  ];
}

function jumpingClock(start: Date): JumpingClock {
  const steady = manualClock(start);
  let jumped = 0;
  return {
    now: () => new Date(steady.now().getTime() + jumped),
    monotonicMs: () => steady.monotonicMs(),
    advance: (ms) => steady.advance(ms),
    jump: (ms) => {
      jumped += ms;
    },
  };
}

function skewed(clock: Clock, ms: number): Clock {
  return { now: () => new Date(clock.now().getTime() + ms), monotonicMs: () => clock.monotonicMs() };
}
