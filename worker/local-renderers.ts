import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { systemClock } from "@/server/adapters/clock/system";
import { readEnvironmentVariable } from "@/server/env";
import { openRenderers, type RendererPools } from "./renderers";

/** Runs `work` with renderer processes of its own, which are gone afterwards. For commands that need no database. */
export async function withRenderers<Result>(
  work: (renderers: RendererPools, childPath: string) => Promise<Result>,
): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), "bindery-"));
  const childPath = resolve(readEnvironmentVariable("BINDERY_CHILD_PATH") ?? ".build/worker/renderer/child.js");
  const renderers = openRenderers({ childPath, directory, size: 2, clock: systemClock, isConfined: false });
  try {
    return await work(renderers, childPath);
  } finally {
    await renderers.close();
    await rm(directory, { recursive: true, force: true });
  }
}
