import { randomBytes } from "node:crypto";

import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MemoryArchive } from "@/server/adapters/archive/memory";
import { type ManualClock, manualClock } from "@/server/adapters/clock/manual";
import { type ClaimedJob, isAttemptLive, recordProgress } from "@/server/db/attempts";
import { type Database, openDatabase } from "@/server/db/client";

import type { Publication } from "@/server/domain/artifact";
import { PacketFailure } from "@/server/domain/failure";
import {
  type ArtifactKey,
  artifactKey,
  digestOf,
  type JobId,
  type PreviewKey,
  parseId,
  type RevisionId,
  type SourceKey,
  type TenantId,
} from "@/server/domain/ids";
import { JOB_STATES, type JobState } from "@/server/domain/job";
import { LANE } from "@/server/domain/lane";
import { parseMarker } from "@/server/domain/workspace";
import { addDays } from "@/server/packets/calendar";
import { dayIn } from "@/server/packets/check-payload";
import { redriveDeadLetter } from "@/server/services/operations/redrive-dead-letter";
import { cancelPacket } from "@/server/services/packets/cancel-packet";
import { openArtifact } from "@/server/services/packets/open-artifact";
import { submitPacket } from "@/server/services/packets/submit-packet";
import { addPerson, addTenant, anOperator, type TestContext, withFile } from "@/server/services/test-context";
import { onboardingRequest } from "@/server/services/test-requests";
import { claim } from "@/worker/begin-attempt";
import { type Journal, openJournal, WORKER } from "@/worker/journal";
import { disposeExpired } from "@/worker/maintenance/dispose-expired";
import { eraseExpiredInputs } from "@/worker/maintenance/erase-expired-inputs";
import { sweepWorkspaces } from "@/worker/maintenance/sweep-workspaces";
import { fenceOf, findCommitted, type PublishTools, publish, recordPublication } from "@/worker/publish";
import { type SettleTools, settle } from "@/worker/settle";
import { replacing } from "@/worker/test-worker";
import { createWorkspaceBudget, MARKER_NAME, openWorkspace, type Workspace } from "@/worker/workspace";
import { type Answer, neededOnDay, OUTSTANDING_MAX, type Seen, SWEEP_AGE_MS, type System, stageOf } from "./system";

/** What the sequences of one run share: a database, its web side, and a directory for workspaces. */
export interface PostgresStage {
  readonly context: TestContext;
  readonly db: Database;
  readonly directory: string;
  close(): Promise<void>;
}

/** Opens the worker's side of a database beside `context`, the web's. */
export function openPostgresStage(context: TestContext, directory: string): PostgresStage {
  const db = openDatabase({ url: context.databaseUrl, role: "bindery_worker", connectionsMax: 4 });
  return { context, db, directory, close: () => db.close() };
}

interface Attempt {
  readonly job: ClaimedJob;
  readonly journal: Journal;
  readonly workspace: Workspace | null;
  state: "running" | "published";
}

type Tools = PublishTools & SettleTools;
const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The product's own services and worker functions on real PostgreSQL, for one sequence: a tenant, a clock and an archive of its own. */
export async function postgresSystem({ context, db, directory }: PostgresStage, start: Date): Promise<System> {
  const clock: ManualClock = manualClock(start);
  const archive = new MemoryArchive<ArtifactKey>();
  const web = { ...context, clock, archive };
  // What an earlier sequence left waiting would close the lane.
  await context.sql("UPDATE jobs SET state = 'cancelled' WHERE state IN ('queued', 'retry_wait')");
  const tenantId = await addTenant(context, { outstandingMax: OUTSTANDING_MAX });
  const actor = await addPerson(context, tenantId);
  const operator = anOperator();
  const root = join(directory, randomBytes(8).toString("hex"));
  await mkdir(root, { mode: 0o700 });
  const attempts = new Map<string, Attempt>();
  const tools: Tools = {
    db,
    clock,
    archive,
    previews: new MemoryArchive<PreviewKey>(),
    records: { write: async () => undefined },
    retention: {},
    previewMsMax: 15 * 60_000,
    rendererBuild: "model",
    enqueue: context.enqueue,
    log: QUIET,
    random: () => 0.5,
  };
  const idOf = (job: string): JobId => {
    const id = parseId("job", job);
    if (id === null) throw new RangeError("Not a job's id.");
    return id;
  };
  const attemptAt = (job: string, attempt: number): Attempt => {
    const found = attempts.get(`${job}#${attempt}`);
    if (found === undefined) throw new RangeError("There was no such attempt.");
    return found;
  };
  const sweep = (thresholdMs: number, isLive: (jobId: string, attempt: number) => Promise<boolean>) =>
    sweepWorkspaces({ root, now: clock.now(), thresholdMs, isLive, log: QUIET });
  const bytesOf = (job: ClaimedJob, variant: number) => `%PDF-1.7 ${job.revisionId} ${variant}`;

  return {
    disposes: true,
    now: () => clock.now().getTime(),
    tick: (ms) => clock.advance(ms),
    submit: (key, content) =>
      answering(async () => {
        const request = requestFor(content, dayIn("UTC", start));
        const { jobId, replayed } = await submitPacket(web, actor, { ...request, idempotencyKey: `key-${key}` });
        return { job: jobId, replayed };
      }),
    cancel: async (job) => (await cancelPacket(web, actor, idOf(job))).cancelled,
    redrive: (job) =>
      answering(() =>
        redriveDeadLetter(web, operator, idOf(job), { reason: "cause_mended", correlationId: "cor-model" }),
      ),
    claim: async (job) => {
      const claimed = await claim({ db, clock, workerId: "wrk_model", lanes: LANE }, idOf(job), "archive");
      if (claimed === null) return null;
      const { attempt } = claimed.job;
      if (attempt > 1) await sweep(0, async (id, number) => id !== job || number >= attempt);
      const journal = openJournal({
        db,
        clock,
        fence: fenceOf(claimed.job),
        leaseMs: LANE.archive.leaseMs,
        durationMsMax: Number.POSITIVE_INFINITY,
        stop: new AbortController().signal,
      });
      let { state } = claimed;
      const committed = state === "running" ? await findCommitted(tools, claimed.job) : null;
      if (committed !== null) {
        await recordPublication(tools, claimed.job, journal, committed);
        state = "published";
      }
      const workspace = state === "running" ? await workspaceFor(claimed.job, root, clock) : null;
      attempts.set(`${job}#${attempt}`, { job: claimed.job, journal, workspace, state });
      return { attempt, state };
    },
    renew: (job, attempt) => {
      const leaseUntil = new Date(clock.now().getTime() + LANE.archive.leaseMs);
      return db.transact(WORKER, (tx) =>
        recordProgress(tx, { jobId: idOf(job), attempt }, { stage: "render", leaseUntil, checkpoints: [] }),
      );
    },
    publish: async (job, attempt, fate) => {
      const held = attemptAt(job, attempt);
      const dying = replacing<MemoryArchive>(archive, {
        commit: async (...commit) => {
          await archive.commit(...commit);
          throw new Died();
        },
      });
      const bytes = bytesOf(held.job, 0);
      const publication = publicationOf(bytes);
      const at = clock.now();
      try {
        held.journal.finish({ stage: "verify", status: "passed", evidence: { publication }, startedAt: at, ms: 0 });
        held.journal.begin("publish");
        await withFile(Buffer.from(bytes), (path) =>
          publish({ ...tools, archive: fate === "lives" ? archive : dying }, held.job, held.journal, {
            path,
            publication,
          }),
        );
        held.state = "published";
        return true;
      } catch (error) {
        if (error instanceof Died) return true;
        if (error instanceof PacketFailure && error.code === "lease_lost") return false;
        throw error;
      }
    },
    commitOther: (job, attempt) =>
      answering(async () => {
        const { job: claimed } = attemptAt(job, attempt);
        const bytes = Buffer.from(bytesOf(claimed, 1));
        const key = artifactKey(tenantId, claimed.revisionId as RevisionId, claimed.audience);
        await withFile(bytes, (path) => archive.commit(key, path, digestOf(bytes)));
        return "committed" as const;
      }),
    settle: async (job, attempt, outcome) => {
      const held = attemptAt(job, attempt);
      const happened =
        outcome === "completed"
          ? ({ outcome } as const)
          : ({ outcome: "failed", error: new PacketFailure(outcome), stage: stageOf(outcome) } as const);
      const from = outcome === "completed" ? "published" : "running";
      const state = await settle(tools, held.job, from, held.journal, happened);
      await held.workspace?.erase();
      return state;
    },
    sweep: async () => {
      await sweep(SWEEP_AGE_MS, (id, attempt) =>
        db.transact(WORKER, (tx) => isAttemptLive(tx, { jobId: idOf(id), attempt }, clock.now())),
      );
    },
    eraseExpired: async () => {
      const sources = new MemoryArchive<SourceKey>();
      await eraseExpiredInputs({ ...tools, sources });
    },
    dispose: async () => {
      await disposeExpired(tools);
    },
    download: (job) =>
      answering(async () => {
        const stored = await openArtifact(web, actor, { jobId: idOf(job), isFirstByte: true });
        const bytes = Buffer.from(await new Response(await archive.open(stored.archiveKey)).arrayBuffer());
        if (digestOf(bytes) !== stored.digest) throw new RangeError("What is served is not what is on record.");
        return "served" as const;
      }),
    look: () => look(context, { tenantId, root, archive }),
  };
}

class Died extends Error {}

async function answering<Value>(ask: () => Promise<Value>): Promise<Answer<Value>> {
  try {
    return { ok: await ask() };
  } catch (error) {
    if (error instanceof PacketFailure) return { refused: error.code };
    throw error;
  }
}

function requestFor(content: number, firstDay: string) {
  const startDate = addDays(firstDay, neededOnDay(content));
  return onboardingRequest([], { ref: `E-${content}`, email: `person-${content}@example.org`, startDate });
}

function publicationOf(text: string) {
  const digest = digestOf(text);
  const checks = [{ name: "signature", passed: true, found: "yes" }] as const;
  return { digest, bytes: text.length, pages: 1, pageMap: [], checks, archivalLevel: null } satisfies Publication;
}

/** A directory whose instants are those of the model's clock, where the file system would have given it its own. */
async function workspaceFor(
  { id, attempt, eraseBy }: ClaimedJob,
  root: string,
  clock: ManualClock,
): Promise<Workspace> {
  const budget = createWorkspaceBudget({ root, bytesMax: 2 ** 30 });
  const workspace = await openWorkspace({ root, marker: { jobId: id, attempt, eraseBy }, budget });
  await writeFile(workspace.path("input.json"), "{}");
  const place = join(workspace.path("input.json"), "..");
  for (const path of [join(place, MARKER_NAME), place]) await utimes(path, clock.now(), clock.now());
  return workspace;
}

interface Row {
  readonly id: string;
  readonly state: string;
  readonly attempt: number;
  readonly due_at: Date;
  readonly lease_until: Date | null;
  readonly finish_by: Date;
  readonly erase_by: Date;
  readonly has_input: boolean;
  readonly artifacts: string;
  readonly archive_key: ArtifactKey | null;
  readonly digest: string | null;
  readonly is_disposed: boolean;
}

async function look(
  context: TestContext,
  { tenantId, root, archive }: { tenantId: TenantId; root: string; archive: MemoryArchive },
): Promise<Seen> {
  const rows = await context.sql<Row>(
    `SELECT j.id, j.state, j.attempt, j.due_at, j.lease_until, j.finish_by, j.erase_by,
       EXISTS (SELECT 1 FROM payloads p WHERE p.id = j.payload_id) AS has_input,
       (SELECT count(*) FROM artifacts b WHERE b.job_id = j.id) AS artifacts, a.archive_key, a.digest,
       a.erased_at IS NOT NULL AS is_disposed
     FROM jobs j LEFT JOIN artifacts a ON a.job_id = j.id WHERE j.tenant_id = $1 ORDER BY j.accepted_at, j.id`,
    [tenantId],
  );
  const directories: string[] = [];
  for (const name of await readdir(root)) {
    const marker = parseMarker(name, await readFile(join(root, name, MARKER_NAME), "utf8"));
    directories.push(`${marker?.jobId}#${marker?.attempt}`);
  }
  const jobs = rows.map(async (row) => ({
    id: row.id,
    state: stateOf(row.state),
    attempt: row.attempt,
    dueAt: row.due_at.getTime(),
    leaseUntil: row.lease_until?.getTime() ?? null,
    finishBy: row.finish_by.getTime(),
    eraseBy: row.erase_by.getTime(),
    hasInput: row.has_input,
    artifacts: Number(row.artifacts),
    // What was disposed of is whole where nothing of it is left.
    isWhole:
      row.archive_key === null || (await archive.digestOf(row.archive_key)) === (row.is_disposed ? null : row.digest),
    isDisposed: row.is_disposed,
  }));
  return { jobs: await Promise.all(jobs), directories: directories.sort() };
}

function stateOf(text: string): JobState {
  const state = JOB_STATES.find((name) => name === text);
  if (state === undefined) throw new RangeError(`There is no state ${text}.`);
  return state;
}
