import type { CheckpointRow, ClaimedJob } from "@/server/db/attempts";
import type { Publication } from "@/server/domain/artifact";
import type { StageName } from "@/server/domain/job";
import { crashPoint } from "./crash-point";
import type { Journal } from "./journal";
import { type ResumeTools, resume } from "./resume";
import type { Finished } from "./resume-plan";
import { STAGES } from "./stages/index";
import { type StagingTools, stageOutput } from "./staging";
import type { Tools } from "./tools";
import type { Work } from "./work";

export interface StageTools extends Tools, StagingTools, ResumeTools {}

/** One attempt under way. */
export interface Running {
  readonly job: ClaimedJob;
  readonly journal: Journal;
  readonly tools: StageTools;
}

/**
 * Runs the stages in order, but for those that earlier attempts have finished. The input is checked again by every attempt: rules may have
 * changed while the job waited. [C134,C142,C239]
 */
export async function runStages(work: Work, running: Running): Promise<void> {
  const { job, journal, tools } = running;
  let finished: ReadonlyMap<StageName, Finished> = new Map();
  let isLasting = false;
  for (const stage of STAGES) {
    const before = finished.get(stage.name);
    if (before !== undefined) {
      takeUp(before, running);
      continue;
    }
    const wasKept = await timed(stage.name, running, {
      run: async () => {
        const { status, facts, publication } = await stage.run(work, tools, journal.pulse);
        return { status, evidence: publication === undefined ? facts : { ...facts, publication: jsonOf(publication) } };
      },
      keep: (ms) => stageOutput(tools, job, journal, stage, { work, ms }),
      isLasting,
    });
    if (stage.name === "validate") finished = await resume(tools, job, work, journal.pulse);
    isLasting ||= wasKept || finished.size > 0;
  }
}

interface Step {
  run(): Promise<Pick<CheckpointRow, "status" | "evidence">>;
  /** Stores the output for the next attempt and returns what the checkpoint says of it, or null where none is stored. */
  keep?(ms: number): Promise<CheckpointRow["evidence"] | null>;
  /** Whether the checkpoint is written at once, as it is where an output was stored; else it rides on the next write. */
  readonly isLasting?: boolean;
}

/**
 * Runs one stage and notes its checkpoint, only after its output is complete. Returns whether that output was stored for the next attempt:
 * then the checkpoint is in the database when this returns. [C132,C158,C159]
 */
export async function timed(
  stage: Exclude<StageName, "accept">,
  running: Running,
  { run, keep, isLasting = false }: Step,
): Promise<boolean> {
  const { journal, tools } = running;
  await crashPoint(`before ${stage}`);
  journal.begin(stage);
  const startedAt = tools.clock.now();
  const from = tools.clock.monotonicMs();
  const { status, evidence } = await run();
  const ms = Math.round(tools.clock.monotonicMs() - from);
  const staged = status === "skipped" || keep === undefined ? null : await keep(ms);
  journal.finish({ stage, status, evidence: staged === null ? evidence : { ...evidence, staged }, startedAt, ms });
  if (staged !== null || isLasting) await journal.flush();
  logStage(stage, running, { ms, outcome: status, ...countsIn(evidence) });
  await crashPoint(`after ${stage}`);
  return staged !== null;
}

/** Notes that a stage is finished without having run in this attempt. */
function takeUp({ stage, attempt, status, counts }: Finished, running: Running): void {
  const { journal, tools } = running;
  journal.begin(stage);
  const evidence = status === "skipped" ? {} : { fromAttempt: attempt, ...counts };
  journal.finish({ stage, status, evidence, startedAt: tools.clock.now(), ms: 0 });
  logStage(stage, running, { ms: 0, outcome: status, ...counts });
}

/** Logs that a stage is done: once for each time it ran, with outcome `resumed` where it did not have to. */
export function logStage(
  stage: StageName,
  { job, tools }: Pick<Running, "job" | "tools">,
  facts: { ms: number; outcome: string; bytes?: number; pages?: number },
): void {
  const { id: jobId, attempt, correlationId } = job;
  tools.log.info({ event: "stage_done", jobId, attempt, stage, correlationId, ...facts });
}

function countsIn({ bytes, pages }: CheckpointRow["evidence"]): { bytes?: number; pages?: number } {
  return { ...(typeof bytes === "number" ? { bytes } : {}), ...(typeof pages === "number" ? { pages } : {}) };
}

function jsonOf(publication: Publication): CheckpointRow["evidence"] {
  return {
    ...publication,
    pageMap: publication.pageMap.map((entry) => ({ ...entry, disclosures: [...entry.disclosures] })),
    checks: publication.checks.map((check) => ({ ...check })),
  };
}
