import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import type { PersonActor, Reach } from "@/server/domain/access";
import { newId, type TenantId } from "@/server/domain/ids";
import { LANE } from "@/server/domain/lane";
import { Manifest, manifestDigest } from "@/server/domain/manifest";
import { canonicalDigest } from "@/server/domain/request";
import {
  addPerson,
  addPolicy,
  addSource,
  addTenant,
  addUser,
  countRows,
  openTestContext,
  type TestContext,
  TODAY,
} from "../test-context";
import {
  bookRequest,
  deliveriesOf,
  depotRequest,
  jobRow,
  monthlyRequest,
  onboardingRequest,
  submitted,
} from "../test-requests";
import { cancelPacket } from "./cancel-packet";
import { type Submission, submitPacket } from "./submit-packet";

const database = testDatabase();
let context: TestContext;
let tenantId: TenantId;
let actor: PersonActor & { tenantId: TenantId; reach: Reach };
let policy: string;

beforeAll(async () => {
  context = await openTestContext(database.url);
});
afterAll(() => context.close());
beforeEach(async () => {
  tenantId = await addTenant(context);
  actor = await addPerson(context, tenantId);
  policy = await addPolicy(context, tenantId, { sourceId: await addSource(context, tenantId) });
});

/** Expects that `work` fails with this and leaves every table, the queue's among them, as it was. */
async function refuses(work: () => Promise<unknown>, failure: object): Promise<void> {
  const before = await countRows(context);
  await expect(work()).rejects.toMatchObject({ name: "PacketFailure", ...failure });
  expect(await countRows(context)).toEqual(before);
}

describe("an accepted packet", () => {
  it("has its job, manifest, payload, revision, delivery and audit event at once [C1,C9,C10,C15,C19,C84,C145]", async () => {
    const before = await countRows(context);
    const { jobId, replayed } = await submitPacket(context, actor, onboardingRequest([policy]));
    expect(replayed).toBe(false);
    const after = await countRows(context);
    const added = Object.fromEntries(
      Object.entries(after)
        .map(([table, count]) => [table, count - (before[table] ?? 0)])
        .filter(([, count]) => count !== 0),
    );
    expect(added).toEqual({
      "public.jobs": 1,
      "public.manifest_parts": 4,
      "public.payloads": 1,
      "public.revisions": 1,
      "public.submissions": 1,
      "public.packet_readers": 1,
      "public.users": 1,
      "public.memberships": 1,
      "public.audit_events": 1,
      "pgboss.job": 1,
    });
    expect(await deliveriesOf(context, jobId)).toMatchObject([{ queue: "archive", data: { jobId } }]);
  });

  it("is frozen as asked for: revision, tenant, fidelity, key, fingerprint, versions, deadlines [C2,C4,C21,C118,C169]", async () => {
    const request = { ...onboardingRequest([policy]), idempotencyKey: "hr-7" };
    const row = await jobRow(context, await submitted(context, actor, request));
    expect(row).toMatchObject({
      tenant_id: tenantId,
      kind: "onboarding-packet",
      fidelity: "archival",
      audience: "recipient",
      revision_id: expect.stringMatching(/^rev_/),
      idempotency_key: "hr-7",
      fingerprint: expect.stringMatching(/^sha256:/),
      validation_version: 1,
      template_version: 1,
      correlation_id: "cor-onboarding",
      lane: "archive",
      state: "queued",
      attempt: 0,
      accepted_at: context.clock.now(),
      due_at: context.clock.now(),
      finish_by: new Date("2027-01-11T09:00:00Z"),
      erase_by: new Date("2026-12-31T09:00:00Z"),
    });
  });

  it("keeps its ordered parts with the digest of their manifest [C16,C19,C20,C24]", async () => {
    const more = await addSource(context, tenantId, { title: "Travel policy", pages: 3 });
    const jobId = await submitted(context, actor, onboardingRequest([more, policy]));
    const rows = await context.sql<{ position: number; part: { title: string } }>(
      "SELECT position, part FROM manifest_parts WHERE job_id = $1 ORDER BY position",
      [jobId],
    );
    expect(rows.map((row) => row.part.title)).toEqual([
      "Welcome letter",
      "Offer summary",
      "Travel policy",
      "Code of conduct",
      "Acknowledgement",
    ]);
    const manifest = Manifest.parse({ parts: rows.map((row) => row.part), tables: [] });
    expect((await jobRow(context, jobId)).manifest_digest).toBe(manifestDigest(manifest));
  });

  it("keeps the payload as the schema normalised it, with its digest, until its deadline [C119,C310,C311]", async () => {
    const request = onboardingRequest([policy], { email: "  Zoe@Example.ORG ", name: "Zoe\u0308 Kim" });
    const row = await jobRow(context, await submitted(context, actor, request));
    const [payload] = await context.sql("SELECT content, digest, erase_by FROM payloads WHERE id = $1", [
      row.payload_id,
    ]);
    expect(payload).toMatchObject({
      content: { employee: { email: "zoe@example.org", name: "Zoë Kim" } },
      digest: canonicalDigest(payload?.content),
      erase_by: row.erase_by,
    });
  });

  it("keeps its sources at least until its own deletion deadline, and never shortens theirs", async () => {
    const [soon, late] = await Promise.all([
      addSource(context, tenantId, { eraseBy: new Date("2026-12-02T00:00:00Z") }),
      addSource(context, tenantId, { eraseBy: new Date("2199-01-01T00:00:00Z") }),
    ]);
    await submitted(context, actor, onboardingRequest([soon, late]));
    const rows = await context.sql("SELECT erase_by FROM sources WHERE id = ANY($1) ORDER BY erase_by", [[soon, late]]);
    expect(rows).toEqual([
      { erase_by: new Date("2026-12-31T09:00:00Z") },
      { erase_by: new Date("2199-01-01T00:00:00Z") },
    ]);
  });

  it("puts nothing but the job's id into the queue [C145]", async () => {
    const request = onboardingRequest([policy], { name: "Canary Name", email: "canary@example.org" });
    await submitted(context, actor, request);
    const [found] = await context.sql<{ text: string }>("SELECT string_agg(j::text, ' ') AS text FROM pgboss.job j");
    expect(found?.text.toLowerCase()).not.toContain("canary");
    const data = await context.sql<{ data: object }>("SELECT data FROM pgboss.job");
    for (const row of data) expect(Object.keys(row.data)).toEqual(["jobId"]);
  });

  it("ignores an id that the caller invents [C17]", async () => {
    const invented = newId("job");
    const request = { ...monthlyRequest(), jobId: invented, id: invented };
    expect(await submitted(context, actor, request)).not.toBe(invented);
  });

  it("is not there at all where any write of it fails [C9,C145]", async () => {
    const boom = new Error("the queue is away");
    for (const [what, broken] of Object.entries({
      queue: { ...context, enqueueMany: () => Promise.reject(boom) },
      "queue, after it took the delivery": {
        ...context,
        enqueueMany: async (...args: Parameters<TestContext["enqueueMany"]>) => {
          await context.enqueueMany(...args);
          throw boom;
        },
      },
    })) {
      const before = await countRows(context);
      await expect(submitPacket(broken, actor, onboardingRequest([policy])), what).rejects.toBe(boom);
      expect(await countRows(context), what).toEqual(before);
    }
  });

  it("is not there at all where the database refuses the last of its rows [C9,C145]", async () => {
    await context.sql(`CREATE FUNCTION refuse_audit() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'no more room'; END $$`);
    await context.sql(
      "CREATE TRIGGER refuse BEFORE INSERT ON audit_events FOR EACH ROW EXECUTE FUNCTION refuse_audit()",
    );
    const before = await countRows(context);
    try {
      await expect(submitPacket(context, actor, onboardingRequest([policy]))).rejects.toThrow();
      expect(await countRows(context)).toEqual(before);
    } finally {
      await context.sql("DROP TRIGGER refuse ON audit_events");
      await context.sql("DROP FUNCTION refuse_audit");
    }
  });
});

describe("a repeated submission", () => {
  it("64 at once with one key lead to one job and 64 equal answers [C11,C27,C30,C31,C36,C38,C457]", async () => {
    const request = { ...onboardingRequest([policy]), idempotencyKey: "hr-2026-11" };
    const answers = await Promise.all(Array.from({ length: 64 }, () => submitPacket(context, actor, request)));
    expect(new Set(answers.map((answer) => answer.jobId)).size).toBe(1);
    expect(answers.filter((answer) => !answer.replayed)).toHaveLength(1);
    const [counts] = await context.sql(
      `SELECT (SELECT count(*)::int FROM jobs WHERE tenant_id = $1) AS jobs,
              (SELECT count(*)::int FROM revisions WHERE tenant_id = $1) AS revisions,
              (SELECT count(*)::int FROM payloads WHERE tenant_id = $1) AS payloads,
              (SELECT count(*)::int FROM audit_events WHERE tenant_id = $1) AS events,
              (SELECT count(*)::int FROM pgboss.job WHERE data ->> 'jobId' = $2) AS deliveries`,
      [tenantId, answers[0]?.jobId],
    );
    expect(counts).toEqual({ jobs: 1, revisions: 1, payloads: 1, events: 1, deliveries: 1 });
  });

  it("of a form, without a key, at once from two processes is one job [C27,C29,C30,C34]", async () => {
    const other = await openTestContext(database.url);
    try {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          submitPacket(index % 2 === 0 ? context : { ...other, sources: context.sources }, actor, {
            ...monthlyRequest(),
            correlationId: `request-${index}`,
          }),
        ),
      );
      expect(new Set(answers.map((answer) => answer.jobId)).size).toBe(1);
    } finally {
      await other.close();
    }
  });

  it("with keys in another order and other white space around text is the same request [C11,C23]", async () => {
    const request = { ...monthlyRequest(), idempotencyKey: "m-1" };
    const first = await submitPacket(context, actor, request);
    const payload = request.payload as Record<string, unknown>;
    const turned = Object.fromEntries(Object.entries(payload).reverse());
    const again = await submitPacket(context, actor, {
      ...request,
      payload: { ...turned, headline: `  ${String(payload.headline)} ` },
    });
    expect(again).toEqual({ jobId: first.jobId, replayed: true });
  });

  it("under a second key leads to the same job, for both keys ever after [C251,C281]", async () => {
    const request = onboardingRequest([policy]);
    const first = await submitPacket(context, actor, { ...request, idempotencyKey: "a" });
    const second = await submitPacket(context, actor, { ...request, idempotencyKey: "b" });
    const third = await submitPacket(context, actor, { ...request, idempotencyKey: "b" });
    expect([second.jobId, third.jobId]).toEqual([first.jobId, first.jobId]);
    expect(await context.sql("SELECT id FROM jobs WHERE tenant_id = $1", [tenantId])).toHaveLength(1);
  });

  it("by another tenant under the same key is that tenant's own job", async () => {
    const elsewhere = await addPerson(context, await addTenant(context));
    const request = { ...monthlyRequest(), idempotencyKey: "same" };
    const [mine, theirs] = [await submitted(context, actor, request), await submitted(context, elsewhere, request)];
    expect(mine).not.toBe(theirs);
  });
});

describe("a key that was used for other content", () => {
  it("is a conflict and changes not one byte of the job that exists [C12,C22]", async () => {
    const request = { ...onboardingRequest([policy]), idempotencyKey: "hr-1" };
    const jobId = await submitted(context, actor, request);
    const image = () =>
      context.sql(
        "SELECT md5(j::text || (SELECT string_agg(p::text, '') FROM manifest_parts p WHERE job_id = j.id)) FROM jobs j WHERE id = $1",
        [jobId],
      );
    const before = await image();
    const changed = { ...onboardingRequest([policy], { role: "Ferry captain" }), idempotencyKey: "hr-1" };
    await refuses(() => submitPacket(context, actor, changed), { code: "idempotency_conflict" });
    expect(await image()).toEqual(before);
  });

  it("conflicts for 32 equal and 32 other requests at once: one job, 32 conflicts [C12]", async () => {
    const requests = Array.from({ length: 64 }, (_, index) => ({
      ...onboardingRequest([policy], index % 2 === 0 ? {} : { role: "Ferry captain" }),
      idempotencyKey: "hr-2",
    }));
    const answers = await Promise.allSettled(requests.map((request) => submitPacket(context, actor, request)));
    const accepted = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value.jobId] : []));
    const codes = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason.code] : []));
    expect(new Set(accepted).size).toBe(1);
    expect(accepted).toHaveLength(32);
    expect(new Set(codes)).toEqual(new Set(["idempotency_conflict"]));
    expect(await context.sql("SELECT id FROM revisions WHERE tenant_id = $1", [tenantId])).toHaveLength(1);
  });
});

describe("changed content about the same thing", () => {
  it("is the next revision of it, and its earlier content again is a third [C2]", async () => {
    const original = onboardingRequest([policy]);
    const changed = onboardingRequest([policy], { role: "Ferry captain" });
    for (const request of [original, changed, original]) await submitted(context, actor, request);
    const rows = await context.sql(
      "SELECT number, payload_digest FROM revisions WHERE tenant_id = $1 ORDER BY number",
      [tenantId],
    );
    expect(rows.map((row) => row.number)).toEqual([1, 2, 3]);
    expect(rows[0]?.payload_digest).toBe(rows[2]?.payload_digest);
    expect(await context.sql("SELECT id FROM jobs WHERE tenant_id = $1", [tenantId])).toHaveLength(3);
  });

  it("sent 16 times at once with 16 contents is numbered without gaps or twins", async () => {
    const requests = Array.from({ length: 16 }, (_, index) => onboardingRequest([policy], { role: `Role ${index}` }));
    await Promise.all(requests.map((request) => submitPacket(context, actor, request)));
    const rows = await context.sql("SELECT number FROM revisions WHERE tenant_id = $1 ORDER BY number", [tenantId]);
    expect(rows.map((row) => row.number)).toEqual(Array.from({ length: 16 }, (_, index) => index + 1));
  });

  it("for another audience is a job of its own on the same revision", async () => {
    const request = bookRequest([await addSource(context, tenantId)]);
    const board = await jobRow(context, await submitted(context, actor, { ...request, audience: "board" }));
    const open = await jobRow(context, await submitted(context, actor, { ...request, audience: "public" }));
    expect(open.id).not.toBe(board.id);
    expect(open.revision_id).toBe(board.revision_id);
  });
});

describe("a packet submitted again after it ended without a result", () => {
  it("opens a new job of the same revision and key, linked to the cancelled one", async () => {
    const request = { ...onboardingRequest([policy]), idempotencyKey: "hr-3" };
    const first = await submitted(context, actor, request);
    await cancelPacket(context, actor, first);
    const second = await submitPacket(context, actor, request);
    expect(second.replayed).toBe(false);
    const [before, after] = [await jobRow(context, first), await jobRow(context, second.jobId)];
    expect(after).toMatchObject({ redrive_of: first, revision_id: before.revision_id, idempotency_key: "hr-3" });
    expect(before.state).toBe("cancelled");
    expect(await submitPacket(context, actor, request)).toEqual({ jobId: second.jobId, replayed: true });
  });

  it("is still the failed job where its content was at fault", async () => {
    const jobId = await submitted(context, actor, monthlyRequest());
    await context.sql("UPDATE jobs SET state = 'validation_failed' WHERE id = $1", [jobId]);
    expect(await submitPacket(context, actor, monthlyRequest())).toEqual({ jobId, replayed: true });
  });
});

describe("an invalid request", () => {
  it.each([
    ["a field is missing", { note: 7 }, ["note"]],
    ["a date does not exist", { employee: { startDate: "2027-02-30" } }, ["employee", "startDate"]],
    ["a date has passed", { employee: { startDate: "2026-11-30" } }, ["employee", "startDate"]],
    ["a field is unknown", { surprise: true }, []],
    ["a reference looks like a path", { policies: ["../../etc/passwd"] }, ["policies", 0], "source_unversioned"],
  ])(
    "where %s is refused at its field and leaves nothing [C89,C115,C123]",
    async (_, change, path, code = "payload_invalid") => {
      const request = onboardingRequest([policy]);
      const payload = merged(request.payload as Record<string, unknown>, change);
      await refuses(() => submitPacket(context, actor, { ...request, payload }), {
        code,
        findings: [expect.objectContaining({ path })],
      });
    },
  );

  it.each([[null], [7], ["text"], [[]], [{}]])("that is %j instead of a payload is refused [C89]", async (payload) => {
    await refuses(() => submitPacket(context, actor, { ...monthlyRequest(), payload }), { code: "payload_invalid" });
  });

  it("of an unknown kind, or of one the tenant has not, is refused", async () => {
    await refuses(() => submitPacket(context, actor, { ...monthlyRequest(), kind: "tax-return" }), {
      code: "unknown_kind",
    });
    const narrow = await addPerson(context, await addTenant(context, { kinds: ["board-book"] }));
    await refuses(() => submitPacket(context, narrow, monthlyRequest()), { code: "unknown_kind" });
  });

  it("for an unknown audience is refused at its field", async () => {
    await refuses(() => submitPacket(context, actor, { ...monthlyRequest(), audience: "everybody" }), {
      code: "payload_invalid",
      findings: [{ path: ["audience"], code: "unknown_audience", message: "Choose one of the audiences." }],
    });
  });

  it("without sections is refused as empty [C100]", async () => {
    const request = bookRequest([]);
    await refuses(() => submitPacket(context, actor, request), { code: "payload_invalid" });
    const closed = bookRequest([]);
    const source = await addSource(context, tenantId);
    const sections = [{ title: "Closed", sources: [{ source, title: "Staff", closed: true }] }];
    const onlyClosed = { ...closed, payload: { ...Object(closed.payload), sections }, audience: "public" };
    await refuses(() => submitPacket(context, actor, onlyClosed), { code: "manifest_empty" });
  });

  it("too late for the day it is needed by is refused", async () => {
    const late = bookRequest([await addSource(context, tenantId)], {
      meeting: { ref: "B-1", title: "Meeting", date: TODAY, place: "Room 4" },
    });
    await refuses(() => submitPacket(context, actor, late), { code: "finish_by_passed" });
  });

  it.each([
    ["NUL", "An\u0000na"],
    ["a lone surrogate", "An\ud800na"],
    ["a right-to-left override", "An\u202ena"],
  ])("with %s in a text is refused at its field, never an internal error", async (_, name) => {
    await refuses(() => submitPacket(context, actor, onboardingRequest([policy], { name })), {
      code: "payload_invalid",
      findings: [expect.objectContaining({ path: ["employee", "name"] })],
    });
  });

  it.each([
    ["no character", ""],
    ["NUL", "a\u0000b"],
    ["a lone surrogate", "a\ud800b"],
    ["a line break", "new\nline"],
    ["256 characters", "k".repeat(256)],
  ])("with %s in its key is refused, never an internal error", async (_, idempotencyKey) => {
    await refuses(() => submitPacket(context, actor, { ...monthlyRequest(), idempotencyKey }), {
      code: "invalid_request",
    });
  });
});

describe("a source that cannot be used", () => {
  async function refusedAt(sources: readonly string[], index: number, code: string, whole = "payload_invalid") {
    await refuses(() => submitPacket(context, actor, bookRequest(sources)), {
      code: whole,
      findings: [expect.objectContaining({ path: ["sections", 0, "sources", index, "source"], code })],
    });
  }

  it("because it is another tenant's is missing, and refuses the whole manifest [C8,C60,C99]", async () => {
    const own = await addSource(context, tenantId);
    const foreign = await addSource(context, await addTenant(context));
    await refusedAt([own, foreign], 1, "source_missing");
  });

  it("because nobody uploaded it is missing, like another tenant's [C60,C103]", async () => {
    await refusedAt([await addSource(context, tenantId), newId("source")], 1, "source_missing");
    await refusedAt(["anything"], 0, "source_unversioned", "source_unversioned");
  });

  it("because it was erased is missing", async () => {
    const gone = await addSource(context, tenantId);
    await context.sql("UPDATE sources SET erased_at = now() WHERE id = $1", [gone]);
    await refusedAt([gone], 0, "source_missing");
  });

  it("because it is still being inspected, or was refused, says so [C99]", async () => {
    await refusedAt([await addSource(context, tenantId, { state: "inspecting" })], 0, "source_inspecting");
    await refusedAt([await addSource(context, tenantId, { state: "refused" })], 0, "source_refused");
  });

  it("because it is a table where pages are wanted, or pages where a table is wanted, says so", async () => {
    const table = await addSource(context, tenantId, { purpose: "depot-report/shipments" });
    await refusedAt([table], 0, "source_unsupported_type");
    const pages = await addSource(context, tenantId);
    await refuses(() => submitPacket(context, actor, depotRequest(pages)), {
      code: "payload_invalid",
      findings: [expect.objectContaining({ path: ["shipments", "table"], code: "source_unsupported_type" })],
    });
  });

  it("because it is a table of another kind says so", async () => {
    const table = await addSource(context, tenantId, { purpose: "another-kind/rows" });
    await refuses(() => submitPacket(context, actor, depotRequest(table)), { code: "payload_invalid" });
  });

  it("because its policy was retired, or stands in another tenant's library, is missing [C60]", async () => {
    const sourceId = await addSource(context, tenantId);
    const retired = await addPolicy(context, tenantId, { sourceId, retiredAt: context.clock.now() });
    const elsewhere = await addTenant(context);
    const foreign = await addPolicy(context, elsewhere, { sourceId: await addSource(context, elsewhere) });
    for (const id of [retired, foreign]) {
      await refuses(() => submitPacket(context, actor, onboardingRequest([policy, id])), {
        code: "payload_invalid",
        findings: [expect.objectContaining({ path: ["policies", 1], code: "source_missing" })],
      });
    }
  });
});

describe("somebody who may not submit", () => {
  it.each([
    ["a viewer", { role: "viewer" }],
    ["a recipient", { role: "recipient" }],
    ["a member for other kinds", { kinds: ["board-book"] }],
    ["a member for another school", { scopes: ["S-999"] }],
  ] as const)("%s finds nothing there", async (_, reach) => {
    const member = await addPerson(context, tenantId, reach);
    await refuses(() => submitPacket(context, member, monthlyRequest()), { code: "not_found" });
  });

  it("an actor who claims a tenant that is not there finds nothing", async () => {
    const nowhere = { ...actor, tenantId: newId("tenant") };
    await refuses(() => submitPacket(context, nowhere, monthlyRequest()), { code: "not_found" });
  });

  it("a member for this school and kind may", async () => {
    const member = await addPerson(context, tenantId, { kinds: ["monthly-report"], scopes: ["S-014"] });
    expect(await submitPacket(context, member, monthlyRequest())).toMatchObject({ replayed: false });
  });
});

describe("a tenant over its limit", () => {
  const numbered = (index: number): Submission => monthlyRequest({ school: { ref: `S-${index}`, name: "Östra Park" } });

  it("is told so and when to ask again; another tenant is not affected [C53,C55]", async () => {
    const full = await addPerson(context, await addTenant(context, { outstandingMax: 2 }));
    const first = await submitted(context, full, numbered(1));
    await submitted(context, full, numbered(2));
    const third = () => submitPacket(context, full, numbered(3));
    await refuses(third, { code: "too_many_outstanding", retryAfterSeconds: 20 });
    expect(await submitPacket(context, actor, numbered(3))).toMatchObject({ replayed: false });
    await cancelPacket(context, full, first);
    expect(await third()).toMatchObject({ replayed: false });
  });

  it("still gets the jobs it has when it asks again [C36]", async () => {
    const full = await addPerson(context, await addTenant(context, { outstandingMax: 1 }));
    const jobId = await submitted(context, full, numbered(1));
    expect(await submitPacket(context, full, numbered(1))).toEqual({ jobId, replayed: true });
  });

  it("never gets past it, however many it sends at once [C53]", async () => {
    const full = await addPerson(context, await addTenant(context, { outstandingMax: 3 }));
    const answers = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) => submitPacket(context, full, numbered(index))),
    );
    expect(answers.filter((answer) => answer.status === "fulfilled")).toHaveLength(3);
    expect(await context.sql("SELECT id FROM jobs WHERE tenant_id = $1", [full.tenantId])).toHaveLength(3);
  });
});

describe("a lane whose oldest job waits too long", () => {
  it("takes nothing new, says when to ask again, and opens once it has drained [C54,C55]", async () => {
    const own = await openTestContext(database.url);
    try {
      const busy = await addPerson(own, await addTenant(own));
      const waiting = await submitted(own, busy, monthlyRequest());
      await own.sql("UPDATE jobs SET state = 'cancelled' WHERE state = 'queued' AND id <> $1", [waiting]);
      own.clock.advance(LANE.archive.ageMsMax);
      const next = monthlyRequest({ school: { ref: "S-2", name: "Väst" } });
      expect(await submitPacket(own, busy, next)).toMatchObject({ replayed: false });
      own.clock.advance(1);
      const other = monthlyRequest({ school: { ref: "S-3", name: "Nord" } });
      await expect(submitPacket(own, busy, other)).rejects.toMatchObject({
        code: "lane_closed",
        retryAfterSeconds: 181,
      });
      await own.sql("UPDATE jobs SET state = 'cancelled' WHERE id = $1", [waiting]);
      expect(await submitPacket(own, busy, other)).toMatchObject({ replayed: false });
    } finally {
      await own.sql("UPDATE jobs SET state = 'cancelled' WHERE state = 'queued'");
      await own.close();
    }
  });
});

describe("the reader of an addressed packet", () => {
  it("is one person however their address is written, in all tenants", async () => {
    const userId = await addUser(context, "mixed.case@example.org");
    for (const email of ["Mixed.Case@Example.org", "mixed.case@example.org ", "MIXED.CASE@EXAMPLE.ORG"]) {
      const somewhere = await addPerson(context, await addTenant(context));
      const sourceId = await addSource(context, somewhere.tenantId);
      const jobId = await submitted(context, somewhere, onboardingRequest([sourceId], { email }));
      expect(await context.sql("SELECT user_id FROM packet_readers WHERE job_id = $1", [jobId])).toEqual([
        { user_id: userId },
      ]);
    }
  });

  it("keeps the role and name they have in the tenant", async () => {
    const admin = await addPerson(context, tenantId, { role: "admin", email: "boss@example.org", name: "Ada Boss" });
    await submitted(context, actor, onboardingRequest([policy], { email: "Boss@example.org", name: "Someone Else" }));
    const rows = await context.sql(
      "SELECT name, role FROM users JOIN memberships ON user_id = id WHERE id = $1 AND tenant_id = $2",
      [admin.userId, tenantId],
    );
    expect(rows).toEqual([{ name: "Ada Boss", role: "admin" }]);
  });

  it("is added once where two packets for the same new person come at once", async () => {
    const email = "new.person@example.org";
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        submitPacket(context, actor, onboardingRequest([policy], { email, ref: `E-${index}` })),
      ),
    );
    expect(await context.sql("SELECT id FROM users WHERE email = $1", [email])).toHaveLength(1);
  });
});

function merged(target: Record<string, unknown>, change: Record<string, unknown>): Record<string, unknown> {
  const result = { ...target };
  for (const [name, value] of Object.entries(change)) {
    const old = result[name];
    const isNested = [old, value].every(
      (entry) => typeof entry === "object" && entry !== null && !Array.isArray(entry),
    );
    result[name] = isNested ? merged(Object(old), Object(value)) : value;
  }
  return result;
}
