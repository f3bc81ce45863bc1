import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { runCampaign } from "../campaign";
import { FAULT_CLASSES } from "../classes";
import { buildWithFaults } from "../fault-build";

// `npm run faults [-- --campaign] [--minutes N] [--seed S] [--only class,class] [--count N]`: breaks what can be broken, and says whether
// everything was put right. The last line is the summary as JSON; the exit code is 1 where something was lost, or a promise was never tested.

const { values } = parseArgs({
  options: {
    campaign: { type: "boolean", default: false },
    minutes: { type: "string" },
    seed: { type: "string" },
    only: { type: "string" },
    count: { type: "string" },
  },
});
/** Of a class that belongs to campaigns only, so many in each round. */
const ROUND = 9;
const print = (line: string) => process.stdout.write(`${line}\n`);

const seed = numberOf("seed", values.seed) ?? randomInt(2 ** 31);
const minutes = numberOf("minutes", values.minutes);
const count = numberOf("count", values.count);
const only = values.only?.split(",");
const unknown = only?.filter((name) => !FAULT_CLASSES.some((known) => known.name === name)) ?? [];
if (unknown.length > 0) {
  print(`There is no class ${unknown.join(", ")}: there are ${FAULT_CLASSES.map(({ name }) => name).join(", ")}.`);
  process.exit(2);
}

print(`Seed ${seed}`);
const stopped = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopped.abort());
const late = minutes === null ? [] : [AbortSignal.timeout(minutes * 60_000)];
// The child alone is wanted of it: classes that need more build for themselves.
const build = await buildWithFaults(`entry-${process.pid}`);
const summary = await runCampaign({
  seed,
  classes: FAULT_CLASSES.filter(({ name }) => only?.includes(name) ?? true),
  count: ({ ciCount, campaignCount }) => {
    if (count !== null) return count;
    // A campaign of so many minutes goes round all classes, so that none is left out when its time is over.
    if (values.campaign && minutes !== null) return ciCount > 0 ? ciCount : Math.min(campaignCount, ROUND);
    return values.campaign ? campaignCount : ciCount;
  },
  inRounds: values.campaign && minutes !== null,
  childPath: build.childPath,
  signal: AbortSignal.any([stopped.signal, ...late]),
  say: print,
}).finally(() => build.remove());
print(JSON.stringify(summary));
process.exit(summary.passed ? 0 : 1);

function numberOf(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0) return number;
  print(`--${name} is a whole number.`);
  process.exit(2);
}
