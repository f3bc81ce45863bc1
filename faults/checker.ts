import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { canariesIn } from "./canaries";
import { checkErasure, sweepRoots } from "./check-erasure";
import { checkObjects } from "./check-objects";
import type { ProcessScene } from "./process-scene";

export interface Judging {
  /** How long everything acknowledged may take to come to an end. */
  readonly drainMsMax?: number;
  /** Artifacts that were looked at before: their bytes are read again, their pages are not. */
  readonly seen: Set<string>;
}

/**
 * Judges everything that was acknowledged, over database, stores, directories and whatever was written (after Jepsen's total-queue
 * checker): waits until it has come to an end, sweeps as a worker would, and reports what must not be. [C463,C464,C465]
 */
export async function judge(scene: ProcessScene, { drainMsMax = 60_000, seen }: Judging): Promise<void> {
  const isDrained = await scene.drained(drainMsMax);
  // An attempt settles its job first and removes its directory then.
  await wait(isDrained ? 50 : 0);
  await checkJobs(scene);
  await checkStages(scene);
  await checkObjects(scene, seen);
  await sweepRoots(scene);
  await checkLeaks(scene);
}

/** Judges the end of a run: as `judge`, and everything goes at its deadline. [C465] */
export async function judgeAtTheEnd(scene: ProcessScene, judging: Judging): Promise<void> {
  await judge(scene, judging);
  await checkErasure(scene);
}

interface JobRow {
  readonly id: string;
  readonly state: string;
  readonly attempt: number;
  readonly attempts_max: number;
  readonly failure_code: string | null;
  readonly idempotency_key: string;
  readonly finish_by: Date;
  readonly erase_by: Date;
}

async function checkJobs({ acknowledged, run, sql }: ProcessScene): Promise<void> {
  const rows = await sql<JobRow>(
    "SELECT id, state, attempt, attempts_max, failure_code, idempotency_key, finish_by, erase_by FROM jobs WHERE fidelity = 'archival'",
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const { jobId, finishBy, eraseBy } of acknowledged) {
    const row = byId.get(jobId);
    if (row === undefined) run.violation("lost", `${jobId}: there is no row any more`);
    else if (["queued", "retry_wait", "running", "published"].includes(row.state)) {
      run.violation("lost", `${jobId}: still ${row.state} in attempt ${row.attempt}`);
    } else if (row.state === "dead_letter" && row.attempt > 1) {
      // Its workers died, or its disk was full, until its attempts were used up: given up in the open, as it must.
      run.sometimes(`given up before an operator: ${row.failure_code}`);
    } else if (row.state !== "completed") {
      run.violation("unexpected", `${jobId}: ${row.state} with ${row.failure_code}`);
    }
    const isLater = row !== undefined && (row.finish_by > finishBy || row.erase_by > eraseBy);
    if (isLater) run.violation("clockExtended", `${jobId}: its deadlines moved`);
  }
  for (const [key, count] of counted(rows.map((row) => row.idempotency_key))) {
    if (count > 1) run.violation("duplicated", `${count} jobs of one key (${key})`);
  }
  const moved = await sql<{ job_id: string }>(
    `SELECT s.job_id FROM staged_files s JOIN jobs j ON j.id = s.job_id WHERE s.erase_by > j.erase_by
     UNION SELECT j.id FROM jobs j JOIN payloads p ON p.id = j.payload_id WHERE p.erase_by > j.erase_by`,
  );
  for (const { job_id } of moved) run.violation("clockExtended", `${job_id}: what is derived from it lives longer`);
}

/** What an attempt had finished, and had left for the next, never runs again. */
async function checkStages({ run, sql }: ProcessScene): Promise<void> {
  const again = await sql<{ job_id: string; stage: string; runs: string }>(
    `SELECT job_id, stage, count(*) AS runs FROM checkpoints c
     WHERE status = 'passed' AND stage NOT IN ('accept', 'validate', 'publish', 'erase')
       AND (stage = 'verify' OR evidence ? 'staged')
     GROUP BY job_id, stage HAVING count(*) > 1`,
  );
  for (const { job_id, stage, runs } of again) run.violation("unexpected", `${job_id}: ${stage} ran ${runs} times`);
  const [resumed] = await sql<{ count: string }>("SELECT count(*) FROM checkpoints WHERE status = 'resumed'");
  if (Number(resumed?.count) > 0) run.sometimes("a finished stage was taken up again");
}

async function checkLeaks({ run, sql, workers, texts, roots }: ProcessScene): Promise<void> {
  const written: (readonly [sink: string, text: string])[] = [
    ["the log of a worker", workers.map((worker) => worker.output.text()).join("\n")],
    ...texts.map((text) => ["the log of another process", text()] as const),
  ];
  const tables = {
    "the queue": "SELECT string_agg(t::text, ' ') AS text FROM pgboss.job t",
    "the audit": "SELECT string_agg(t::text, ' ') AS text FROM audit_events t",
    "a failure": `SELECT string_agg(concat_ws(' ', failure_code, first_failure_code, failure_stage, failure_fields::text), ' ') AS text FROM jobs`,
    "an attempt": "SELECT string_agg(t::text, ' ') AS text FROM attempts t",
    "a worker's row": "SELECT string_agg(t::text, ' ') AS text FROM worker_instances t",
  };
  for (const [sink, text] of Object.entries(tables)) {
    const [row] = await sql<{ text: string | null }>(text);
    written.push([sink, row?.text ?? ""]);
  }
  for (const root of roots) {
    const names = await readdir(root, { recursive: true }).catch(() => []);
    written.push(["a path", names.map((name) => join(root, name)).join("\n")]);
  }
  for (const [sink, text] of written) {
    for (const canary of canariesIn(text)) run.violation("leaked", `${sink} holds the canary ${canary}`);
  }
}

function counted(values: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
