import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import type { PersonActor, Reach } from "@/server/domain/access";
import type { JobId, TenantId } from "@/server/domain/ids";
import { cancelPacket } from "../packets/cancel-packet";
import { readPacket } from "../packets/read-packet";
import { retryPacket } from "../packets/retry-packet";
import { submitPacket } from "../packets/submit-packet";
import {
  addPerson,
  addPolicy,
  addSource,
  addTenant,
  anOperator,
  openTestContext,
  type TestContext,
} from "../test-context";
import {
  bookRequest,
  deliveriesOf,
  jobRow,
  monthlyRequest,
  newPacket,
  onboardingRequest,
  submitted,
} from "../test-requests";
import { listDeadLetters } from "./list-dead-letters";
import { redriveDeadLetter } from "./redrive-dead-letter";
import { discardDeadLetters, redriveDeadLetters } from "./settle-dead-letters";

const database = testDatabase();
let context: TestContext;
let actor: PersonActor & { tenantId: TenantId; reach: Reach };
const operator = anOperator();
const because = { reason: "outage_over", correlationId: "cor-redrive" } as const;
const closed = { reason: "not_needed", correlationId: "cor-discard" } as const;

beforeAll(async () => {
  context = await openTestContext(database.url);
});
afterAll(() => context.close());
beforeEach(async () => {
  await context.sql("UPDATE jobs SET state = 'cancelled' WHERE state IN ('queued', 'retry_wait')");
  await context.sql("UPDATE jobs SET discarded_at = now() WHERE state = 'dead_letter' AND discarded_at IS NULL");
  actor = await addPerson(context, await addTenant(context));
});

/** Lets a job die as a worker would write it after its last attempt. */
async function die(jobId: JobId, code = "storage_unavailable", stage = "publish"): Promise<JobId> {
  const at = context.clock.now();
  await context.sql(
    `UPDATE jobs SET state = 'dead_letter', attempt = 5, failure_code = $2, first_failure_code = 'renderer_lost',
       failure_stage = $3, settled_at = $4, claimed_at = $4 WHERE id = $1`,
    [jobId, code, stage, at],
  );
  await context.sql(
    `INSERT INTO attempts (job_id, number, worker_id, started_at, ended_at, outcome, failure_code, failure_stage)
     SELECT $1, n, 'wrk_1', $2, $2, 'retry_wait', 'renderer_lost', 'render' FROM generate_series(1, 5) n`,
    [jobId, at],
  );
  return jobId;
}
const deadPacket = async () => die(await submitted(context, actor, newPacket()));
const waiting = async () => (await listDeadLetters(context, operator, { page: 1 })).rows.map((row) => row.jobId);
const auditOf = (jobId: string) =>
  context.sql<{ action: string; actor_id: string; facts: unknown }>(
    "SELECT action, actor_id, facts FROM audit_events WHERE subject_id = $1 ORDER BY id",
    [jobId],
  );

describe("a redrive", () => {
  it("opens a new job for the same revision, manifest and payload, with attempts from zero and the key's next answer [C408]", async () => {
    const sourceId = await addSource(context, actor.tenantId, { pages: 4 });
    const policy = await addPolicy(context, actor.tenantId, { sourceId });
    const request = onboardingRequest([policy], { ref: "R-1" });
    const dead = await die(await submitted(context, actor, request));
    await context.clock.advance(60_000);
    const jobId = await redriveDeadLetter(context, operator, dead, because);
    const [before, after] = [await jobRow(context, dead), await jobRow(context, jobId)];
    const same = [
      "tenant_id",
      "kind",
      "audience",
      "revision_id",
      "payload_id",
      "business_identity",
      "scope",
      "subject",
    ];
    const frozen = ["idempotency_key", "fingerprint", "manifest_digest", "tables", "erase_by", "lane", "created_by"];
    for (const column of [...same, ...frozen]) expect.soft(after[column], column).toEqual(before[column]);
    expect(after).toMatchObject({ state: "queued", attempt: 0, redrive_of: dead, first_failure_code: null });
    expect(after.accepted_at).toEqual(context.clock.now());
    const parts = (id: string) => context.sql("SELECT position, part FROM manifest_parts WHERE job_id = $1", [id]);
    expect(await parts(jobId)).toEqual(await parts(dead));
    const readers = (id: string) => context.sql("SELECT user_id FROM packet_readers WHERE job_id = $1", [id]);
    expect(await readers(jobId)).toEqual(await readers(dead));
    expect(await readers(jobId)).toHaveLength(1);
    expect(await deliveriesOf(context, jobId)).toHaveLength(1);
    expect(await submitPacket(context, actor, request)).toEqual({ jobId, replayed: true });
    expect(await jobRow(context, dead)).toMatchObject({ state: "dead_letter", attempt: 5 });
    expect(await auditOf(dead)).toContainEqual({
      action: "packet.redriven",
      actor_id: operator.userId,
      facts: { reason: "outage_over", code: "storage_unavailable", newJobId: jobId },
    });
    expect(await waiting()).toEqual([]);
  });

  it("gives a late packet a day, never longer than its input is kept", async () => {
    const dead = await die(
      await submitted(context, actor, monthlyRequest({ school: { ref: "R-2", name: "Ekbacken" } })),
    );
    await context.sql("UPDATE pgboss.job SET state = 'completed' WHERE data ->> 'jobId' = $1", [dead]);
    const { finish_by, erase_by } = await jobRow(context, dead);
    const now = new Date(Number(finish_by) + 60_000);
    expect(now < (erase_by as Date)).toBe(true);
    const later = { ...context, clock: { ...context.clock, now: () => now } };
    const jobId = await redriveDeadLetter(later, operator, dead, because);
    const row = await jobRow(context, jobId);
    expect(Number(row.finish_by)).toBe(Math.min(now.getTime() + 86_400_000, Number(erase_by)));
    expect(row.erase_by).toEqual(erase_by);
  });

  it("by two operators at once, or beside a resubmission, gives one job", async () => {
    const request = newPacket();
    const dead = await die(await submitted(context, actor, request));
    const tries = await Promise.allSettled([
      redriveDeadLetter(context, operator, dead, because),
      redriveDeadLetter(context, anOperator(), dead, because),
      redriveDeadLetter(context, anOperator(), dead, because),
      submitPacket(context, actor, request),
    ]);
    const made = await context.sql("SELECT id FROM jobs WHERE redrive_of = $1", [dead]);
    expect(made).toHaveLength(1);
    for (const { status, ...result } of tries) {
      if (status === "rejected") expect(result).toMatchObject({ reason: { code: "not_dead_letter" } });
    }
    expect(await submitPacket(context, actor, request)).toMatchObject({ jobId: made[0]?.id, replayed: true });
  });

  it("can follow a redrive that died as well, whatever key asked", async () => {
    const request = newPacket();
    const first = await die(await submitted(context, actor, request));
    const second = await die(await redriveDeadLetter(context, operator, first, because));
    const third = await redriveDeadLetter(context, operator, second, because);
    expect(await jobRow(context, third)).toMatchObject({ redrive_of: second, state: "queued" });
    expect(await submitPacket(context, actor, request)).toMatchObject({ jobId: third });
  });

  it("is refused where the input is erased, and where there is no dead letter", async () => {
    const [gone, expired, fileGone] = [
      await deadPacket(),
      await deadPacket(),
      await submitted(context, actor, await book()),
    ];
    await context.sql("DELETE FROM payloads WHERE id = $1", [(await jobRow(context, gone)).payload_id]);
    await expect(redriveDeadLetter(context, operator, gone, because)).rejects.toMatchObject({ code: "source_missing" });
    const { erase_by } = await jobRow(context, expired);
    const later = { ...context, clock: { ...context.clock, now: () => erase_by as Date } };
    await expect(redriveDeadLetter(later, operator, expired, because)).rejects.toMatchObject({
      code: "source_missing",
    });
    await die(fileGone);
    await context.sql("UPDATE sources SET erased_at = now() WHERE tenant_id = $1", [actor.tenantId]);
    await expect(redriveDeadLetter(context, operator, fileGone, because)).rejects.toMatchObject({
      code: "source_missing",
    });
    const alive = await submitted(context, actor, newPacket());
    await expect(redriveDeadLetter(context, operator, alive, because)).rejects.toMatchObject({
      code: "not_dead_letter",
    });
    await cancelPacket(context, actor, alive);
    await expect(redriveDeadLetter(context, operator, alive, because)).rejects.toMatchObject({
      code: "not_dead_letter",
    });
    expect(
      await context.sql("SELECT 1 FROM jobs WHERE redrive_of = ANY($1)", [[gone, expired, fileGone, alive]]),
    ).toEqual([]);
  });

  it("does not make a revision twice that another job has taken over", async () => {
    const request = monthlyRequest({ school: { ref: "R-9", name: "Ekbacken" } });
    const dead = await die(await submitted(context, actor, request));
    const other = await submitPacket(context, actor, { ...request, idempotencyKey: "another key" });
    expect(other.replayed).toBe(false);
    await expect(redriveDeadLetter(context, operator, dead, because)).rejects.toMatchObject({
      code: "not_dead_letter",
    });
    expect(await waiting()).toEqual([]);
  });

  async function book() {
    return bookRequest([await addSource(context, actor.tenantId)]);
  }
});

describe("discarding", () => {
  it("closes a dead letter with a reason, once, and it leaves the list [C408]", async () => {
    const dead = await deadPacket();
    const order = { ...closed, choice: { jobIds: [dead] } };
    expect(await discardDeadLetters(context, operator, order)).toEqual({
      done: [{ jobId: dead, newJobId: null }],
      refused: [],
      left: 0,
    });
    expect(await jobRow(context, dead)).toMatchObject({
      state: "dead_letter",
      discarded_at: context.clock.now(),
      discarded_by: operator.userId,
    });
    expect((await auditOf(dead)).at(-1)).toEqual({
      action: "packet.discarded",
      actor_id: operator.userId,
      facts: { reason: "not_needed", code: "storage_unavailable" },
    });
    expect(await waiting()).toEqual([]);
    const again = await discardDeadLetters(context, operator, order);
    expect(again.refused).toEqual([{ jobId: dead, code: "not_dead_letter" }]);
    await expect(redriveDeadLetter(context, operator, dead, because)).rejects.toMatchObject({
      code: "not_dead_letter",
    });
  });
});

describe("many at once", () => {
  it("are those that match code, kind, stage and tenant, each with an audit event, and the rest is left alone [C408]", async () => {
    const [one, two] = [await deadPacket(), await deadPacket()];
    const [otherCode, otherStage] = [await deadPacket(), await deadPacket()];
    await context.sql("UPDATE jobs SET failure_code = 'renderer_lost' WHERE id = $1", [otherCode]);
    await context.sql("UPDATE jobs SET failure_stage = 'render' WHERE id = $1", [otherStage]);
    const neighbour = await addPerson(context, await addTenant(context));
    const foreign = await die(await submitted(context, neighbour, newPacket()));
    const report = await die(
      await submitted(context, actor, monthlyRequest({ school: { ref: "M-1", name: "Ekbacken" } })),
    );
    const { total, choices } = await listDeadLetters(context, operator, { page: 1 });
    expect(total).toBe(6);
    expect(choices.code).toEqual([
      { value: "storage_unavailable", count: 5 },
      { value: "renderer_lost", count: 1 },
    ]);
    const filter = {
      ...{ code: "storage_unavailable", kind: "onboarding-packet", stage: "publish", tenantId: actor.tenantId },
    };
    expect((await listDeadLetters(context, operator, { ...filter, page: 1 })).total).toBe(2);
    const { done, refused, left } = await redriveDeadLetters(context, operator, { ...because, choice: { filter } });
    expect(done.map(({ jobId }) => jobId).sort()).toEqual([one, two].sort());
    expect({ refused, left }).toEqual({ refused: [], left: 0 });
    for (const { jobId, newJobId } of done) {
      expect((await auditOf(jobId)).filter(({ action }) => action === "packet.redriven")).toHaveLength(1);
      expect(await deliveriesOf(context, String(newJobId))).toHaveLength(1);
    }
    expect((await waiting()).sort()).toEqual([otherCode, otherStage, foreign, report].sort());
  });

  it("are bounded in one call, which says how many are left; one that cannot be redriven keeps no other from it [C437]", async () => {
    const source = await deadPacket();
    await copies(source, 501);
    const gone = await deadPacket();
    await context.sql("UPDATE jobs SET settled_at = settled_at + interval '1 hour' WHERE id = $1", [gone]);
    await context.sql("DELETE FROM payloads WHERE id = $1", [(await jobRow(context, gone)).payload_id]);
    const filter = { tenantId: actor.tenantId };
    const first = await discardDeadLetters(context, operator, { ...closed, choice: { filter } });
    expect([first.done.length, first.refused.length, first.left]).toEqual([500, 0, 3]);
    const second = await redriveDeadLetters(context, operator, { ...because, choice: { filter } });
    expect([second.done.length, second.refused.length, second.left]).toEqual([2, 0, 0]);
    expect(await waiting()).toEqual([gone]);
  });

  it("end with what was refused where no more work is admitted", async () => {
    const dead = await deadPacket();
    const other = await deadPacket();
    await context.sql("UPDATE tenants SET outstanding_max = 1 WHERE id = $1", [actor.tenantId]);
    const { done, refused } = await redriveDeadLetters(context, operator, {
      ...because,
      choice: { jobIds: [dead, other] },
    });
    expect(done.map(({ jobId }) => jobId)).toEqual([dead]);
    expect(refused).toEqual([{ jobId: other, code: "too_many_outstanding" }]);
    expect(await waiting()).toEqual([other]);
  });

  /** Adds dead letters like this one, each for a revision of its own. */
  async function copies(jobId: JobId, count: number): Promise<void> {
    const id = (prefix: string) => `'${prefix}_' || md5('copy' || n)`;
    await context.sql(
      `INSERT INTO revisions SELECT (jsonb_populate_record(r, jsonb_build_object('id', ${id("rev")}, 'business_identity', 'c' || n))).*
       FROM revisions r JOIN jobs j ON j.revision_id = r.id, generate_series(1, $2::int) n WHERE j.id = $1`,
      [jobId, count],
    );
    await context.sql(
      `INSERT INTO jobs SELECT (jsonb_populate_record(j, jsonb_build_object('id', ${id("job")}, 'revision_id', ${id("rev")},
         'business_identity', 'c' || n, 'idempotency_key', 'c' || n, 'settled_at', j.settled_at + n * interval '1 ms'))).*
       FROM jobs j, generate_series(1, $2::int) n WHERE j.id = $1`,
      [jobId, count],
    );
    await context.sql(
      `INSERT INTO manifest_parts SELECT ${id("job")}, position, part FROM manifest_parts, generate_series(1, $2::int) n WHERE job_id = $1`,
      [jobId, count],
    );
  }
});

describe("the tenant's own people", () => {
  it("see that it can be tried again, and do so without an operator, once [C408]", async () => {
    const dead = await deadPacket();
    expect(await readPacket(context, actor, dead)).toMatchObject({ state: "failed", mayRetry: true, followedBy: null });
    const viewer = await addPerson(context, actor.tenantId, { role: "viewer" });
    const neighbour = await addPerson(context, await addTenant(context));
    for (const other of [viewer, neighbour])
      await expect(retryPacket(context, other, dead, "cor-retry")).rejects.toMatchObject({ code: "not_found" });
    expect((await readPacket(context, viewer, dead)).mayRetry).toBe(false);
    const { jobId } = await retryPacket(context, actor, dead, "cor-retry");
    expect(await jobRow(context, jobId)).toMatchObject({
      state: "queued",
      redrive_of: dead,
      correlation_id: "cor-retry",
    });
    expect(await readPacket(context, actor, dead)).toMatchObject({ mayRetry: false, followedBy: jobId });
    await expect(retryPacket(context, actor, dead, "cor-retry")).rejects.toMatchObject({ code: "not_dead_letter" });
    expect((await auditOf(dead)).at(-1)).toMatchObject({ action: "packet.redriven", actor_id: actor.userId });
  });
});

describe("somebody who is no operator", () => {
  it("redrives and discards nothing, an admin of the tenant included", async () => {
    const dead = await deadPacket();
    const admin = await addPerson(context, actor.tenantId, { role: "admin" });
    const choice = { jobIds: [dead] };
    await expect(redriveDeadLetters(context, admin, { ...because, choice })).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(discardDeadLetters(context, admin, { ...closed, choice })).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(redriveDeadLetter(context, admin, dead, because)).rejects.toMatchObject({ code: "not_found" });
    expect(await waiting()).toEqual([dead]);
  });
});
