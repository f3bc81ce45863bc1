import type { PersonActor } from "@/server/domain/access";
import {
  type ArtifactId,
  artifactKey,
  digestOf,
  type JobId,
  newId,
  type RevisionId,
  type TenantId,
} from "@/server/domain/ids";
import { boardBook } from "@/server/packets/board-book";
import type { BoardBook } from "@/server/packets/board-book/schema";
import { depotReport } from "@/server/packets/depot-report";
import type { DepotReport } from "@/server/packets/depot-report/schema";
import { monthlyReport } from "@/server/packets/monthly-report";
import type { MonthlyReport } from "@/server/packets/monthly-report/schema";
import { onboardingPacket } from "@/server/packets/onboarding-packet";
import type { OnboardingPacket } from "@/server/packets/onboarding-packet/schema";
import { type Submission, submitPacket } from "./packets/submit-packet";
import { type TestContext, TODAY, withFile } from "./test-context";

/** Returns what a school submits for its month: the kind without files. */
export function monthlyRequest(changes: Partial<MonthlyReport> = {}, today = TODAY): Submission {
  const { payload } = monthlyReport.samples.typicalOn(today);
  return { kind: "monthly-report", payload: { ...payload, ...changes }, correlationId: "cor-monthly" };
}

/** Returns what a coordinator submits for a new colleague, with these policies. */
export function onboardingRequest(
  policies: readonly string[],
  employee: Partial<OnboardingPacket["employee"]> = {},
): Submission {
  const { payload } = onboardingPacket.samples.typicalOn(TODAY);
  return {
    kind: "onboarding-packet",
    payload: { ...payload, policies: [...policies], employee: { ...payload.employee, ...employee } },
    correlationId: "cor-onboarding",
  };
}

/** Returns a book of these files in one section. */
export function bookRequest(sources: readonly string[], changes: Partial<BoardBook> = {}): Submission {
  const { payload } = boardBook.samples.typicalOn(TODAY);
  const entries = sources.map((source, index) => ({ source, title: `Paper ${index + 1}`, closed: false }));
  return {
    kind: "board-book",
    payload: { ...payload, sections: [{ title: "Papers", sources: entries }], ...changes },
    correlationId: "cor-book",
  };
}

/** Returns a depot's month whose shipments are in this table. */
export function depotRequest(table: string, changes: Partial<DepotReport> = {}): Submission {
  const { payload } = depotReport.samples.typicalOn(TODAY);
  return {
    kind: "depot-report",
    payload: { ...payload, shipments: { table }, ...changes },
    correlationId: "cor-depot",
  };
}

let made = 0;

/** Returns a small packet about somebody no other packet is about. */
export function newPacket(today = TODAY): Submission {
  made += 1;
  const { startDate } = onboardingPacket.samples.typicalOn(today).payload.employee;
  return onboardingRequest([], { ref: `E-${made}`, email: `person-${made}@example.org`, startDate });
}

/** Returns a book of these files for a meeting no other book is for. */
export function newBook(sources: readonly string[], changes: Partial<BoardBook> = {}, today = TODAY): Submission {
  made += 1;
  const { meeting } = boardBook.samples.typicalOn(today).payload;
  return bookRequest(sources, { meeting: { ...meeting, ref: `B-${made}` }, ...changes });
}

/** Submits and returns the job's id. */
export async function submitted(context: TestContext, actor: PersonActor, request: Submission): Promise<JobId> {
  return (await submitPacket(context, actor, request)).jobId;
}

export interface JobRow {
  readonly id: JobId;
  readonly tenant_id: TenantId;
  readonly state: string;
  readonly stage: string | null;
  readonly attempt: number;
  readonly revision_id: string;
  readonly payload_id: string;
  readonly failure_code: string | null;
  readonly first_failure_code: string | null;
  readonly failure_stage: string | null;
  readonly failure_position: number | null;
  readonly due_at: Date;
  readonly lease_until: Date | null;
  readonly erased_at: Date | null;
  readonly [column: string]: unknown;
}

/** Returns a job's row as the database holds it. */
export async function jobRow(context: TestContext, jobId: string): Promise<JobRow> {
  const [row] = await context.sql<JobRow>("SELECT * FROM jobs WHERE id = $1", [jobId]);
  if (row === undefined) throw new RangeError("There is no such job.");
  return row;
}

/** Returns the deliveries that the queue holds for a job, oldest first. */
export async function deliveriesOf(
  context: TestContext,
  jobId: string,
): Promise<{ queue: string; data: unknown; priority: number; start_after: Date; state: string }[]> {
  return context.sql(
    `SELECT name AS queue, data, priority, start_after, state::text FROM pgboss.job
     WHERE data ->> 'jobId' = $1 ORDER BY created_on, start_after`,
    [jobId],
  );
}

/** Submits a packet and writes the rows that a worker would have written for it; its bytes are in the archive. */
export async function archived(
  context: TestContext,
  actor: PersonActor,
  request: Submission,
): Promise<{ jobId: JobId; artifactId: ArtifactId; bytes: Buffer }> {
  const jobId = await submitted(context, actor, request);
  const job = await jobRow(context, jobId);
  const artifactId = newId("artifact");
  const bytes = Buffer.from(`%PDF-1.7 ${artifactId}`);
  const key = artifactKey(job.tenant_id, job.revision_id as RevisionId, String(job.audience));
  await withFile(bytes, (path) => context.archive.commit(key, path, digestOf(bytes)));
  const at = context.clock.now();
  await context.sql(
    `INSERT INTO artifacts (id, tenant_id, job_id, revision_id, audience, kind, business_identity, scope, period, subject, archive_key,
       media_type, bytes, digest, pages, page_map, manifest_digest, template_version, renderer_build, validation, attempt,
       committed_at, retain_until)
     SELECT $2, tenant_id, id, revision_id, audience, kind, business_identity, scope, period, subject, $3, 'application/pdf', $4, $5,
       1, '[]', manifest_digest, template_version, 'build',
       '[{"name":"signature","passed":true,"found":"yes"}]', 1, $6, $6::timestamptz + interval '7 years'
     FROM jobs WHERE id = $1`,
    [jobId, artifactId, key, bytes.length, digestOf(bytes), at],
  );
  await context.sql(
    "UPDATE jobs SET state = 'completed', attempt = 1, claimed_at = $2, published_at = $2, settled_at = $2 WHERE id = $1",
    [jobId, at],
  );
  return { jobId, artifactId, bytes };
}
