import { truncate } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { artifactKey, type JobId, type RevisionId } from "@/server/domain/ids";
import { parseEnv } from "@/server/env";
import { jobRow, newBook, newPacket, submitted } from "@/server/services/test-requests";
import { pagesOfWidth, uploaded } from "./test-packets";
import { testScene } from "./test-scene";
import { replacing } from "./test-worker";

const scene = testScene();
const REQUIRED = {
  DATABASE_URL: "postgresql://localhost/bindery",
  BINDERY_SESSION_SECRET: "a secret of the tests that is long enough",
  BINDERY_LINK_KEYS: "k1:a secret of the tests that is long enough",
  BINDERY_STORAGE_KEYS: `k1:${"5a".repeat(32)}`,
};

async function book(): Promise<JobId> {
  const source = await uploaded(scene, await pagesOfWidth(301));
  return submitted(scene.context, scene.actor, newBook([source]));
}

async function keyOf(jobId: JobId) {
  const { tenant_id, revision_id, audience } = await jobRow(scene.context, jobId);
  return artifactKey(tenant_id, revision_id as RevisionId, String(audience));
}

const checkOf = async (jobId: JobId) =>
  scene.context.sql<{ status: string; evidence: object; ended_at: Date }>(
    `SELECT status, evidence, started_at + make_interval(secs => ms / 1000.0) AS ended_at
     FROM checkpoints WHERE job_id = $1 AND stage = 'verify'`,
    [jobId],
  );

describe("what is kept for years", () => {
  it("was found valid before: the result stands on record as the bytes are committed, and no retention has begun [C288]", async () => {
    const { context, worker, host } = scene;
    const jobId = await submitted(context, scene.actor, newPacket());
    let atCommit: Awaited<ReturnType<typeof checkOf>> = [];
    const archive = replacing(host.stores.archive, {
      commit: async (...args) => {
        atCommit = await checkOf(jobId);
        expect(await scene.artifactsOf(jobId)).toEqual([]);
        return host.stores.archive.commit(...args);
      },
    });
    await worker.deliver(jobId, { archive });
    const artifact = await scene.artifactOf(jobId);
    expect(atCommit).toMatchObject([{ status: "passed", evidence: { publication: { digest: artifact.digest } } }]);
    expect((artifact.committed_at as Date).getTime()).toBeGreaterThanOrEqual(
      atCommit[0]?.ended_at.getTime() ?? Infinity,
    );
    const checks = artifact.validation as { passed: boolean }[];
    expect(checks.length).toBeGreaterThan(5);
    expect(checks.every(({ passed }) => passed)).toBe(true);
  });

  it("is nothing that was found broken: it gets no deadline, no record and no place [C288]", async () => {
    const { context, worker, host } = scene;
    const jobId = await submitted(context, scene.actor, newPacket());
    const breaking = scene.asking(async ({ op, outputPath, run }) => {
      const answer = await run();
      // The end of the file holds its table of cross-references.
      if (op === "assemble" && outputPath !== undefined) await truncate(outputPath, 2_000);
      return answer;
    });
    await worker.deliver(jobId, breaking);
    expect(await jobRow(context, jobId)).toMatchObject({ state: "validation_failed", failure_stage: "verify" });
    expect(await scene.artifactsOf(jobId)).toEqual([]);
    expect(await host.stores.archive.stat(await keyOf(jobId))).toBeNull();
  });

  it.each([
    ["nothing was checked", []],
    [
      "a check failed",
      [
        { name: "signature", passed: true },
        { name: "pages", passed: false },
      ],
    ],
    ["a check came to nothing", [{ name: "signature" }]],
    ["there is no list of checks", { opens: true }],
  ])("gets no record where %s: the database itself refuses it [C288]", async (_, validation) => {
    const { context, worker } = scene;
    const jobId = await submitted(context, scene.actor, newPacket());
    await worker.deliver(jobId);
    const copying = context.sqlAs(
      "bindery_worker",
      `INSERT INTO artifacts SELECT (jsonb_populate_record(a, jsonb_build_object(
         'id', 'art_other', 'archive_key', 'other', 'validation', $2::jsonb))).* FROM artifacts a WHERE job_id = $1`,
      [jobId, JSON.stringify(validation)],
    );
    await expect(copying).rejects.toMatchObject({ code: "23514", constraint: "artifacts_valid" });
  });

  it("is kept as long as this deployment's policy says, by kind, and else as long as the kind says [C306]", async () => {
    const { context, worker } = scene;
    const { retention } = parseEnv({ ...REQUIRED, BINDERY_RETENTION: "board-book=3, onboarding-packet=12" });
    const yearsOf = async (jobId: JobId) => {
      const { committed_at, retain_until } = await scene.artifactOf(jobId);
      return (retain_until as Date).getUTCFullYear() - (committed_at as Date).getUTCFullYear();
    };
    const [here, elsewhere] = [await book(), await book()];
    await worker.deliver(here, { retention });
    await worker.deliver(elsewhere, { retention: parseEnv(REQUIRED).retention });
    expect([await yearsOf(here), await yearsOf(elsewhere)]).toEqual([3, 10]);
    const packet = await submitted(context, scene.actor, newPacket());
    await worker.deliver(packet, { retention });
    expect(await yearsOf(packet)).toBe(12);
  });

  it.each(["board-book", "board-book=0", "board-book=-1", "board-book=1.5", "=3", "board-book=1000"])(
    "is not left to a policy that says nothing: %j is refused at the start",
    (text) => {
      expect(() => parseEnv({ ...REQUIRED, BINDERY_RETENTION: text })).toThrow(/BINDERY_RETENTION/);
    },
  );
});
