import { randomBytes } from "node:crypto";
import type { PersonActor } from "@/server/domain/access";
import { FAILURES, PacketFailure } from "@/server/domain/failure";
import { dayIn } from "@/server/packets/check-payload";
import { submitPacket } from "@/server/services/packets/submit-packet";
import { addPerson, addTenant, openTestContext, type TestContext } from "@/server/services/test-context";
import { newPacket } from "@/server/services/test-requests";
import { type Fault, faultIf } from "./fault";
import { between, type Random, shuffled } from "./random-choice";
import type { FaultScene } from "./scene";

const CLIENTS = 64;

export interface SubmitRound {
  readonly accepted: number;
  readonly conflicts: number;
  readonly faults: readonly Fault[];
}

/** Two web processes on one database. */
export interface TwoWebProcesses {
  readonly contexts: readonly [TestContext, TestContext];
  close(): Promise<void>;
}

/** Opens a second web process beside the scene's own: a pool, a queue and a clock for itself. */
export async function openTwoWebProcesses({ context, databaseUrl, host }: FaultScene): Promise<TwoWebProcesses> {
  const second = await openTestContext(databaseUrl, host.stores, context.clock.now());
  return { contexts: [context, second], close: () => second.close() };
}

/**
 * 64 clients send one key at once, to either process, with the same or with other content. Whoever comes first decides what the key
 * means: all that sent the same get its one job, all others a conflict, and no third thing is written.
 */
export async function submitAtOnce({ contexts }: TwoWebProcesses, random: Random): Promise<SubmitRound> {
  const [first] = contexts;
  const actor = await addPerson(first, await addTenant(first));
  const idempotencyKey = `key-${randomBytes(8).toString("hex")}`;
  const bodies = between(random, 1, 3);
  const requests = Array.from({ length: bodies }, () => newPacket(dayIn("UTC", first.clock.now())));
  const clients = shuffled(
    random,
    Array.from({ length: CLIENTS }, (_, client) => client),
  );
  const answers = await Promise.all(
    clients.map(async (client) => {
      const context = contexts[client % 2 === 0 ? 0 : 1];
      const body = between(random, 0, bodies - 1);
      const request = requests[body];
      if (request === undefined) throw new RangeError("There is no such body.");
      return { body, answer: await answerTo(context, actor, { ...request, idempotencyKey }) };
    }),
  );
  const accepted = answers.filter(({ answer }) => answer !== 409);
  const jobs = new Set(accepted.map(({ answer }) => answer));
  const winners = new Set(accepted.map(({ body }) => body));
  const refusedRepeats = answers.filter(({ body, answer }) => winners.has(body) && answer === 409);
  const faults = [
    ...faultIf(jobs.size !== 1, "duplicated", `${jobs.size} jobs of one key`),
    ...faultIf(winners.size !== 1, "duplicated", `${winners.size} meanings of one key`),
    ...faultIf(refusedRepeats.length > 0, "unexpected", "a repeat was called a conflict"),
    ...(await faultsOfRows(first, actor)),
  ];
  await first.sql("UPDATE jobs SET state = 'cancelled' WHERE tenant_id = $1", [actor.tenantId]);
  return { accepted: accepted.length, conflicts: CLIENTS - accepted.length, faults };
}

/** The job's id, or the status of a conflict; anything else is thrown. */
async function answerTo(
  context: TestContext,
  actor: PersonActor,
  request: Parameters<typeof submitPacket>[2],
): Promise<string | 409> {
  try {
    return (await submitPacket(context, actor, request)).jobId;
  } catch (error) {
    if (error instanceof PacketFailure && FAILURES[error.code].http === 409) return 409;
    throw error;
  }
}

async function faultsOfRows(context: TestContext, { tenantId }: PersonActor): Promise<Fault[]> {
  const counts = `SELECT (SELECT count(*) FROM jobs WHERE tenant_id = $1) AS jobs,
    (SELECT count(*) FROM submissions WHERE tenant_id = $1) AS submissions,
    (SELECT count(*) FROM revisions WHERE tenant_id = $1) AS revisions,
    (SELECT count(*) FROM payloads WHERE tenant_id = $1) AS payloads,
    (SELECT count(*) FROM pgboss.job d JOIN jobs j ON d.data ->> 'jobId' = j.id WHERE j.tenant_id = $1) AS deliveries`;
  const [row] = await context.sql<Record<string, string>>(counts, [tenantId]);
  return Object.entries(row ?? {}).flatMap(([what, count]) =>
    faultIf(count !== "1", "duplicated", `${count} ${what} of one key`),
  );
}
