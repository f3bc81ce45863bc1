import fc from "fast-check";
import type { Model } from "./model";
import { fromNewest, step } from "./step";
import { SWEEP_AGE_MS, type System } from "./system";

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
/** Within a lease, past it, past a lane's patience, past a deadline, past the years that artifacts are kept. */
const TICKS = [
  SECOND_MS,
  5 * SECOND_MS,
  121 * SECOND_MS,
  20 * 60 * SECOND_MS,
  2 * 3_600 * SECOND_MS,
  DAY_MS,
  20 * DAY_MS,
];

const EDGES = ["dueAt", "leaseUntil", "leaseUntil", "finishBy", "eraseBy", "retainUntil"] as const;

/** Time passes, and what goes by time: sweeping, erasing, disposing. */
export const timeCommands = [
  tick(fc.constantFrom(...TICKS.slice(0, 3))),
  tick(fc.constantFrom(...TICKS)),
  fc.nat(9).map((rarely) => {
    const ms = rarely === 0 ? 8 * 366 * DAY_MS : SECOND_MS;
    return step(`tick(${ms})`, async (_, system) => system.tick(ms));
  }),
  // Rules break at their edges: a moment before, at and after what was promised.
  fc
    .record({ back: fc.nat(3), edge: fc.constantFrom(...EDGES), by: fc.constantFrom(-1, 0, 1) })
    .map(({ back, edge, by }) =>
      step(
        `tickTo(${back}, ${edge}, ${by})`,
        async (model, system) => {
          const at = fromNewest(model.jobs, back)[edge];
          if (at !== null) system.tick(Math.max(0, at + by - system.now()));
        },
        ({ jobs }) => jobs.length > 0,
      ),
    ),
  fc.constant(step("sweep", sweep)),
  fc.constant(
    step("eraseExpired", async (model, system) => {
      await system.eraseExpired();
      for (const job of model.jobs) if (job.eraseBy <= system.now()) job.input.isThere = false;
    }),
  ),
  fc.constant(
    step(
      "dispose",
      async (model, system) => {
        await system.dispose();
        for (const job of model.jobs) {
          if (job.retainUntil !== null && job.retainUntil <= system.now()) job.isDisposed = true;
        }
      },
      ({ disposes }) => disposes,
    ),
  ),
];

function tick(lengths: fc.Arbitrary<number>) {
  return lengths.map((ms) => step(`tick(${ms})`, async (_, system) => system.tick(ms)));
}

/** What no live attempt uses and nobody has touched for long enough goes; everything else stays. */
async function sweep(model: Model, system: System): Promise<void> {
  await system.sweep();
  const now = system.now();
  for (const [name, { job, attempt, touchedAt }] of model.directories) {
    const isHeld = job.attempt === attempt && ["running", "published"].includes(job.state);
    const isLive = isHeld && job.leaseUntil !== null && job.leaseUntil >= now;
    if (!isLive && now - touchedAt > SWEEP_AGE_MS) model.directories.delete(name);
  }
}
