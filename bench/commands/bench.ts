import { parseArgs } from "node:util";
import { benchAdmission } from "../admission";
import { builtWorker } from "../installation";

// `npm run bench -- <name> [--packets N]`: measures a budget as a ratio within one run, prints a table and one line of JSON, and ends with 1
// where the budget is not kept.

const { values, positionals } = parseArgs({ allowPositionals: true, options: { packets: { type: "string" } } });
const print = (line: string) => process.stdout.write(`${line}\n`);
const packets = Number(values.packets ?? 600);
if (positionals[0] !== "admission" || !Number.isInteger(packets) || packets < 10 || packets > 1_000) {
  print("Say what to measure: npm run bench -- admission [--packets 600]");
  process.exit(2);
}

const result = await benchAdmission({ packets, built: builtWorker(), say: print });
print(JSON.stringify(result));
process.exit(result.passed ? 0 : 1);
