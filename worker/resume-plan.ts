import type { Publication } from "@/server/domain/artifact";
import { type Digest, parseDigest, type StagedKey } from "@/server/domain/ids";
import { StagedEvidence, VerifyEvidence } from "./evidence";

/** What attempts at a job have finished: stages, and the files that were left and are still there. */
export interface Left {
  readonly checkpoints: readonly {
    readonly attempt: number;
    readonly stage: string;
    readonly status: string;
    readonly evidence: unknown;
  }[];
  readonly files: readonly {
    readonly attempt: number;
    readonly stage: string;
    readonly index: number;
    readonly key: string;
    readonly bytes: bigint;
    readonly digest: string;
  }[];
}

const ORDER = ["fetch", "render", "watermark", "assemble", "verify"] as const;
type Resumable = (typeof ORDER)[number];

/** What a stage reads of those before it. To publish takes the assembled file and what was verified of it. */
const NEEDS: Readonly<Record<Resumable | "publish", readonly Resumable[]>> = {
  fetch: [],
  render: ["fetch"],
  watermark: [],
  assemble: ["fetch", "render", "watermark"],
  verify: ["assemble"],
  publish: ["assemble", "verify"],
};

/** The whole product of one stage, as one attempt left it. */
export interface LeftOutput {
  readonly stage: Exclude<Resumable, "verify">;
  readonly attempt: number;
  readonly files: readonly { readonly key: StagedKey; readonly bytes: number; readonly digest: Digest }[];
  readonly facts: unknown;
  readonly counts: Counts;
}
type Counts = { readonly pages?: number; readonly bytes?: number };

/** A stage that need not run again: which attempt had finished it, and whether it had anything to do. */
export interface Finished {
  readonly stage: Resumable;
  readonly attempt: number;
  readonly status: "resumed" | "skipped";
  readonly counts: Counts;
}

export interface ResumePlan {
  /** What must be copied and checked before anything else is done. */
  readonly restore: readonly LeftOutput[];
  /** Every stage that need not run again; those that are in no list run. */
  readonly finished: readonly Finished[];
  /** What an earlier attempt verified of the very file that is restored. */
  readonly verified: Publication | null;
}

/** What a document depends on beside its revision. Only outputs that were made in the same may become one. */
export interface Making {
  readonly rendererBuild: string;
  readonly surroundings: Digest;
}

/**
 * Returns the outputs that can be used again, newest first: made by this renderer build and under this letterhead, every file that the
 * checkpoint names still there with the digest it names. Anything else of an earlier attempt is as if it had never been. [C142]
 */
export function usableOutputs(left: Left, making: Making): LeftOutput[] {
  const outputs = left.checkpoints.flatMap(({ attempt, stage: name, status, evidence }): LeftOutput[] => {
    const stage = ORDER.find((candidate) => candidate === name);
    const parsed = StagedEvidence.safeParse(evidence);
    if (stage === undefined || stage === "verify" || status !== "passed" || !parsed.success) return [];
    const { staged, pages, bytes } = parsed.data;
    const isOurs = staged.rendererBuild === making.rendererBuild && staged.surroundings === making.surroundings;
    if (!isOurs) return [];
    const there = left.files.filter((file) => file.attempt === attempt && file.stage === stage);
    const files = staged.files.flatMap(({ bytes, digest }, index) => {
      const row = there.find((file) => file.index === index);
      const isSame = row !== undefined && Number(row.bytes) === bytes && parseDigest(row.digest) === digest;
      return isSame ? [{ key: row.key as StagedKey, bytes, digest }] : [];
    });
    if (files.length !== staged.files.length || there.length !== files.length) return [];
    const counts = { ...(pages === undefined ? {} : { pages }), ...(bytes === undefined ? {} : { bytes }) };
    return [{ stage, attempt, files, facts: staged.facts, counts }];
  });
  return outputs.sort((a, b) => b.attempt - a.attempt);
}

/**
 * Decides which stages need not run again. From the end backwards: a stage whose output is left is restored, and what only it would have
 * read is not needed; any other runs, and needs what it reads. [C134,C142]
 */
export function planResumption(left: Left, outputs: readonly LeftOutput[], { rendererBuild }: Making): ResumePlan {
  const needed = new Set<Resumable>(NEEDS.publish);
  const restore: LeftOutput[] = [];
  const finished: Finished[] = [];
  const assembled = outputs.find((output) => output.stage === "assemble");
  const verified = assembled === undefined ? null : verifiedOf(left, assembled, rendererBuild);
  let newest = 0;
  for (const stage of ORDER.toReversed()) {
    if (!needed.has(stage)) {
      finished.push({ stage, attempt: newest, status: statusOf(left, stage, newest), counts: {} });
      continue;
    }
    const output = outputs.find((candidate) => candidate.stage === stage);
    if (stage === "verify" && verified !== null) {
      const { attempt, publication } = verified;
      finished.push({
        stage,
        attempt,
        status: "resumed",
        counts: { pages: publication.pages, bytes: publication.bytes },
      });
    } else if (output !== undefined) {
      newest = output.attempt;
      restore.push(output);
      finished.push({ stage, attempt: output.attempt, status: "resumed", counts: output.counts });
    } else {
      for (const need of NEEDS[stage]) needed.add(need);
    }
  }
  return { restore: restore.reverse(), finished: finished.reverse(), verified: verified?.publication ?? null };
}

/** What was verified counts for exactly these bytes, and only as this build verifies. */
function verifiedOf(
  left: Left,
  { files }: LeftOutput,
  rendererBuild: string,
): { attempt: number; publication: Publication } | null {
  for (const { attempt, stage, status, evidence } of left.checkpoints.toReversed()) {
    if (stage !== "verify" || status !== "passed") continue;
    const parsed = VerifyEvidence.safeParse(evidence);
    if (!parsed.success || parsed.data.rendererBuild !== rendererBuild) continue;
    const { publication } = parsed.data;
    if (publication.digest === files[0]?.digest) return { attempt, publication };
  }
  return null;
}

/** A stage that had nothing to do then has nothing to do now. */
function statusOf(left: Left, stage: Resumable, attempt: number): Finished["status"] {
  const then = left.checkpoints.find((entry) => entry.stage === stage && entry.attempt === attempt);
  return then?.status === "skipped" ? "skipped" : "resumed";
}
