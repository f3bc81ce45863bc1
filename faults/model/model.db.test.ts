import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import { openTestContext, type TestContext } from "@/server/services/test-context";
import { openPostgresStage, type PostgresStage, postgresSystem } from "./postgres-system";
import { runModel } from "./run-model";

const START = new Date("2026-12-01T09:00:00Z");
const database = testDatabase();
let context: TestContext;
let stage: PostgresStage;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "bindery-model-"));
  context = await openTestContext(database.url);
  stage = openPostgresStage(context, directory);
});
afterAll(async () => {
  await stage.close();
  await context.close();
  await rm(directory, { recursive: true, force: true });
});

describe("services, worker functions and PostgreSQL", () => {
  it("do what the model of a job says, through any sequence of submissions, attempts, deaths and zombies [C13,C463]", async () => {
    const outcome = await runModel({
      newSystem: () => postgresSystem(stage, START),
      seed: Number(process.env.MODEL_SEED ?? 20261201),
      sequences: Number(process.env.MODEL_SEQUENCES ?? 15),
      mostSteps: 60,
    });
    expect(outcome.failure).toBeNull();
  });

  it("follow one ended job with two, where two keys stood for it", async () => {
    const system = await postgresSystem(stage, START);
    const jobOf = async (key: number) => {
      const answer = await system.submit(key, 0);
      return "ok" in answer ? answer.ok.job : answer.refused;
    };
    const first = await jobOf(0);
    expect(await jobOf(1)).toBe(first);
    expect(await system.cancel(first)).toBe(true);
    const second = await jobOf(0);
    expect(await system.cancel(second)).toBe(true);
    const third = await jobOf(1);
    expect(new Set([first, second, third]).size).toBe(3);
    expect(await jobOf(0)).toBe(third);
  });
});
