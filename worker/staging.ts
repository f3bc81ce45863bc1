import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { CheckpointRow, ClaimedJob } from "@/server/db/attempts";
import type { Database } from "@/server/db/client";
import { areStagedFilesErased, insertStagedFiles, type StagedFileRow } from "@/server/db/staged-files";
import { PacketFailure } from "@/server/domain/failure";
import { type Digest, parseDigest, type StagedKey, stagedKey } from "@/server/domain/ids";
import type { Lanes } from "@/server/domain/lane";
import type { Archive } from "@/server/ports/archive";
import type { Clock } from "@/server/ports/clock";
import type { Log } from "@/server/telemetry/log";
import { crashPoint } from "./crash-point";
import { type Journal, WORKER } from "./journal";
import { fenceOf } from "./publish";
import type { Stage } from "./stages/stage";
import type { Pulse } from "./tools";
import { surroundingsOf, type Work } from "./work";

export interface StagingTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly lanes: Lanes;
  readonly rendererBuild: string;
  /** What stages leave for the next attempt at the same job. Never shared between jobs. */
  readonly staging: Archive<StagedKey>;
  /** A stage that took at least this long leaves its output there; so does every stage of the oversize lane. */
  readonly stageMsMin: number;
}

/**
 * Stores what a stage has made for the next attempt, where making it cost enough, and returns what its checkpoint must say of it; null
 * where nothing was stored. The rows come first, under the fence: no byte lies where the database does not know of it. A store that does
 * not take the bytes costs the resumption, never the packet. Throws `lease_lost`. [C21,C142,C148]
 */
export async function stageOutput(
  tools: StagingTools,
  job: ClaimedJob,
  journal: Journal,
  stage: Stage,
  { work, ms }: { readonly work: Work; readonly ms: number },
): Promise<CheckpointRow["evidence"] | null> {
  if (stage.output === undefined || (ms < tools.stageMsMin && work.lane !== "oversize")) return null;
  // What the sweep may look for before this attempt must have ended is not stored: it would find the row before the bytes.
  if (job.eraseBy.getTime() - tools.clock.now().getTime() <= journal.msLeft()) return null;
  const { paths, facts } = stage.output.keep(work.products);
  if (paths.length === 0) return null;
  const { pulse } = journal;
  const files: StagedFileRow[] = [];
  await crashPoint("before stage-write");
  for (const [index, path] of paths.entries()) {
    const key = stagedKey(fenceOf(job).jobId, job.attempt, stage.name, index);
    files.push({ key, ...(await measured(path, pulse)) });
  }
  try {
    await announce(tools, job, work, stage.name, files);
    await crashPoint("amid stage-write");
    for (const [index, { key, digest }] of files.entries()) {
      pulse.signal.throwIfAborted();
      await tools.staging.commit(key, paths[index] ?? "", digest);
      pulse.progress();
    }
  } catch (error) {
    const code = error instanceof PacketFailure ? error.code : "internal";
    if (pulse.signal.aborted || code === "lease_lost") throw error;
    const { id: jobId, attempt } = job;
    tools.log.warn({ event: "output_not_staged", jobId, attempt, stage: stage.name, code });
    return null;
  } finally {
    // Held up past its deadline, or its job over meanwhile: the sweep may have been here already, and does not come twice.
    if (tools.clock.now() >= job.eraseBy || (await isSwept(tools, files)))
      for (const { key } of files) await tools.staging.erase(key);
  }
  await crashPoint("after stage-write");
  return {
    rendererBuild: tools.rendererBuild,
    surroundings: surroundingsOf(work),
    files: files.map(({ bytes, digest }) => ({ bytes, digest })),
    facts: { ...facts },
  };
}

function isSwept({ db }: StagingTools, files: readonly StagedFileRow[]): Promise<boolean> {
  const keys = files.map(({ key }) => key);
  // Where that cannot be told they go: what is stored is worth a stage, and never left behind.
  return db.transact(WORKER, (tx) => areStagedFilesErased(tx, keys)).catch(() => true);
}

async function announce(
  tools: StagingTools,
  job: ClaimedJob,
  work: Work,
  stage: Stage["name"],
  files: readonly StagedFileRow[],
): Promise<void> {
  const at = tools.clock.now();
  const leaseUntil = new Date(at.getTime() + tools.lanes[work.lane].leaseMs);
  const held = await tools.db.transact(WORKER, (tx) =>
    insertStagedFiles(tx, fenceOf(job), { stage, at, leaseUntil, files }),
  );
  if (!held) throw new PacketFailure("lease_lost");
}

/** Length and digest of a closed file, read with progress. */
async function measured(path: string, pulse: Pulse): Promise<{ bytes: number; digest: Digest }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    pulse.signal.throwIfAborted();
    bytes += chunk.byteLength;
    hash.update(chunk);
    pulse.progress();
  }
  const digest = parseDigest(`sha256:${hash.digest("hex")}`);
  if (digest === null) throw new TypeError("A SHA-256 has 64 hex digits.");
  return { bytes, digest };
}
