import { setTimeout as wait } from "node:timers/promises";
import type { PersonActor, Reach } from "@/server/domain/access";
import { newId, type TenantId } from "@/server/domain/ids";
import { dayIn } from "@/server/packets/check-payload";
import { onboardingPacket } from "@/server/packets/onboarding-packet";
import type { PacketRequest } from "@/server/services/packets/accept-request";
import { type ItemResult, submitBatch } from "@/server/services/packets/submit-batch";
import { submitPacket } from "@/server/services/packets/submit-packet";
import { completePackets, count, queueWaits, unfinished } from "./counts";
import { type Built, type Installation, openInstallation } from "./installation";
import { latencies, timed } from "./latencies";

type Submitter = PersonActor & { tenantId: TenantId; reach: Reach };

/** DECISIONS: p99 of one admission at most so many times that of a bare create and send on the same database in the same run. */
const RATIO_MAX = 3;
/** The whole import as one call. */
const BATCH_MS_MAX = 3_000;
/** Callers at once: as many as a web process has connections would only measure the pool. */
const CALLERS = 4;
const WARM_PACKETS = 20;
const DRAIN_MS_MAX = 20 * 60_000;

/**
 * Measures admission while a worker renders on every core: an import as one batch, the same import sent twice more, and single submissions
 * between bare create-and-send transactions. Then waits until everything is made, and counts what there is.
 */
export async function benchAdmission({
  packets,
  built,
  say,
}: {
  packets: number;
  built: Built;
  say(line: string): void;
}) {
  const installation = await openInstallation(built);
  try {
    const { web, sql, newTenant } = installation;
    await submitBatch(web, await newTenant(), { items: newPackets(WARM_PACKETS), correlationId: "warm" });
    await until(async () => (await count(installation, "artifacts")) > 0);

    const importer = await newTenant();
    const items = newPackets(packets);
    const batches = [];
    let refused = 0;
    for (let time = 0; time < 3; time += 1) {
      let results: ItemResult[] = [];
      batches.push(
        Math.round(
          await timed(async () => {
            results = await submitBatch(web, importer, { items, correlationId: `import-${time}` });
          }),
        ),
      );
      refused += results.filter(({ status }) => status === "refused").length;
    }
    say(`A batch of ${packets}: ${batches[0]} ms; sent again: ${batches[1]} ms and ${batches[2]} ms.`);

    const single = await newTenant();
    const measured = await measureSingles(installation, single, newPackets(packets));
    const ratio = measured.admission.p99 / measured.bare.p99;
    say(table("bare create and send", measured.bare));
    say(table("admission", measured.admission));
    say(table("admission, sent again", measured.again));
    say(`p99 ratio ${ratio.toFixed(2)} (at most ${RATIO_MAX})`);

    const from = performance.now();
    const madeBefore = await completePackets(installation);
    const wanted = WARM_PACKETS + 2 * packets;
    const isDrained = await until(async () => (await unfinished(installation)) === 0);
    const artifacts = await count(installation, "artifacts");
    const perSecond = ((await completePackets(installation)) - madeBefore) / ((performance.now() - from) / 1_000);
    const jobs = await count(installation, "jobs");
    const [wrong] = await sql<{ n: number }>("SELECT count(*)::int AS n FROM jobs WHERE state <> 'completed'");
    const waits = await queueWaits(installation, importer);
    say(`${jobs} jobs, ${artifacts} artifacts, ${refused} refused; ${perSecond.toFixed(1)} complete packets a second.`);
    say(`The first tenth of the import waited ${waits.first} s, the last tenth ${waits.last} s.`);
    const { earlier, later } = measured;
    say(
      `Meanwhile p50 of admission was ${earlier.p50} ms in the first half of the singles, ${later.p50} ms in the second.`,
    );
    const isWhole = isDrained && jobs === wanted && artifacts === wanted && refused === 0 && wrong?.n === 0;
    return {
      packets,
      batchMs: batches,
      ...measured,
      ratio: Number(ratio.toFixed(2)),
      jobs,
      artifacts,
      refused,
      packetsPerSecond: Number(perSecond.toFixed(2)),
      queueWaitSeconds: waits,
      passed: isWhole && ratio <= RATIO_MAX && (batches[0] ?? 0) <= BATCH_MS_MAX,
    };
  } finally {
    await installation.close();
  }
}

/** Single submissions and bare transactions turn about, by a few callers at once; then every submission twice more. */
async function measureSingles({ web }: Installation, actor: Submitter, items: readonly PacketRequest[]) {
  const [bare, admission, again] = [latencies(), latencies(), latencies()];
  const [earlier, later] = [latencies(), latencies()];
  let begun = 0;
  await inTurns(items, async (item) => {
    begun += 1;
    const half = begun <= items.length / 2 ? earlier : later;
    bare.record(await timed(() => bareCreateAndSend(web, actor, item)));
    const ms = await timed(() => submitPacket(web, actor, { ...item, correlationId: "single" }));
    admission.record(ms);
    half.record(ms);
  });
  for (const correlationId of ["again-1", "again-2"])
    await inTurns(items, async (item) => {
      again.record(await timed(() => submitPacket(web, actor, { ...item, correlationId })));
    });
  return {
    bare: bare.summary(),
    admission: admission.summary(),
    again: again.summary(),
    earlier: earlier.summary(),
    later: later.summary(),
  };
}

/** What any accepted thing costs at least: one row of the same content and one delivery, in one transaction. */
async function bareCreateAndSend(
  { db, enqueue, clock }: Installation["web"],
  actor: Submitter,
  item: PacketRequest,
): Promise<void> {
  const now = clock.now();
  await db.transact(actor, async (tx) => {
    const id = newId("payload");
    const content = item.payload as object;
    await tx.payload.create({
      data: { id, tenantId: actor.tenantId, content, digest: id, createdAt: now, eraseBy: now },
    });
    await enqueue(tx, "oversize", { jobId: newId("job") }, { dueAt: null, outstanding: 0 });
  });
}

async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const caller = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

let made = 0;

function newPackets(count: number): PacketRequest[] {
  const { payload } = onboardingPacket.samples.typicalOn(dayIn("UTC", new Date(Date.now())));
  return Array.from({ length: count }, () => {
    made += 1;
    const employee = { ...payload.employee, ref: `E-${made}`, email: `person-${made}@example.org` };
    return {
      kind: "onboarding-packet",
      payload: { ...payload, employee, policies: [] },
      idempotencyKey: `import-${made}`,
    };
  });
}

async function until(isSo: () => Promise<boolean>): Promise<boolean> {
  for (const from = performance.now(); performance.now() - from < DRAIN_MS_MAX; await wait(500)) {
    if (await isSo()) return true;
  }
  return false;
}

function table(name: string, { p50, p95, p99, max }: { p50: number; p95: number; p99: number; max: number }): string {
  const figures = [p50, p95, p99, max].map((ms) => `${ms.toFixed(1)} ms`.padStart(11));
  return `${name.padEnd(24)}${["p50", "p95", "p99", "max"].map((label, index) => `${label}${figures[index]}`).join("  ")}`;
}
