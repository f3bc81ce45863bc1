import { setTimeout as wait } from "node:timers/promises";
import type { KindName } from "./packets";
import type { ProcessScene } from "./process-scene";

export interface Supply {
  /** Submits nothing more; resolves once the last submission has its answer. */
  end(): Promise<void>;
}

/** Keeps a few jobs waiting, so that whatever breaks has some in flight. */
export function supplyWork(scene: ProcessScene, kinds: readonly KindName[], waiting = 3): Supply {
  let isEnded = false;
  let submitted = 0;
  const work = (async () => {
    while (!isEnded && !scene.run.signal.aborted) {
      const [row] = await scene.sql<{ count: string }>(
        "SELECT count(*) FROM jobs WHERE state IN ('queued', 'retry_wait')",
      );
      const kind = kinds[submitted % kinds.length];
      if (kind === undefined || Number(row?.count) >= waiting) {
        await wait(50);
        continue;
      }
      await scene.submit(kind);
      submitted += 1;
    }
  })();
  // Reported where it is waited for.
  work.catch(() => undefined);
  return {
    end: async () => {
      isEnded = true;
      await work;
    },
  };
}
