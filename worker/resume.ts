import { rm } from "node:fs/promises";
import { type ClaimedJob, findFinished } from "@/server/db/attempts";
import type { Database } from "@/server/db/client";
import { findStagedFiles } from "@/server/db/staged-files";
import { PacketFailure } from "@/server/domain/failure";
import type { StagedKey } from "@/server/domain/ids";
import type { StageName } from "@/server/domain/job";
import type { Archive } from "@/server/ports/archive";
import type { Log } from "@/server/telemetry/log";
import { crashPoint } from "./crash-point";
import { WORKER } from "./journal";
import { fenceOf } from "./publish";
import { type Finished, type LeftOutput, planResumption, usableOutputs } from "./resume-plan";
import { copyChecked } from "./stages/copy-checked";
import { STAGES } from "./stages/index";
import type { Pulse } from "./tools";
import { surroundingsOf, type Work } from "./work";

export interface ResumeTools {
  readonly db: Database;
  readonly log: Log;
  readonly staging: Archive<StagedKey>;
  readonly rendererBuild: string;
}

/**
 * Puts back into the workspace what earlier attempts have finished, on whatever host, and returns the stages that need not run again.
 * Every file's digest is checked on its way; one that is gone or altered means that its stage runs again, and is no failure of the
 * packet. Nothing else of an earlier attempt is used. [C142,C148,C204]
 */
export async function resume(
  tools: ResumeTools,
  job: ClaimedJob,
  work: Work,
  pulse: Pulse,
): Promise<ReadonlyMap<StageName, Finished>> {
  if (job.attempt === 1) return new Map();
  await crashPoint("before resume");
  const { jobId } = fenceOf(job);
  const left = await tools.db.transact(WORKER, async (tx) => ({
    checkpoints: await findFinished(tx, jobId),
    files: await findStagedFiles(tx, jobId),
  }));
  const making = { rendererBuild: tools.rendererBuild, surroundings: surroundingsOf(work) };
  let outputs = usableOutputs(left, making);
  const restored = new Set<LeftOutput>();
  for (;;) {
    const plan = planResumption(left, outputs, making);
    const next = plan.restore.find((output) => !restored.has(output));
    if (next === undefined) {
      work.products.verified = plan.verified;
      await crashPoint("after resume");
      return new Map(plan.finished.map((entry) => [entry.stage, entry]));
    }
    if (await isRestored(tools, job, work, pulse, next)) restored.add(next);
    else outputs = outputs.filter((output) => output !== next);
  }
}

/** Copies the files of one output and puts its product together. False where they cannot be used. */
async function isRestored(
  tools: ResumeTools,
  job: ClaimedJob,
  work: Work,
  pulse: Pulse,
  { stage, attempt, files, facts }: LeftOutput,
): Promise<boolean> {
  const paths = files.map((_, index) => work.workspace.path(`${stage}-${attempt}-${index}.bin`));
  try {
    for (const [index, { key, digest, bytes }] of files.entries()) {
      await copyChecked(tools.staging, key, paths[index] ?? "", digest, bytes, pulse);
    }
    STAGES.find(({ name }) => name === stage)?.output?.restore(work.products, facts, paths);
    return true;
  } catch (error) {
    pulse.signal.throwIfAborted();
    const code = error instanceof PacketFailure ? error.code : "internal";
    tools.log.warn({ event: "output_not_resumed", jobId: job.id, attempt: job.attempt, stage, code });
    for (const path of paths) await rm(path, { force: true });
    return false;
  }
}
