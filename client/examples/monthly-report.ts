import { readFile } from "node:fs/promises";
import { openClient } from "../bindery-client";
import { downloadFile } from "../download-file";

// Submits a monthly report from a JSON file, waits for it, and saves the PDF:
//   BINDERY_URL=http://localhost:3000 BINDERY_API_KEY=bk_... npm run client:example -- report.json report.pdf
// Run it again with the same file and it is the same packet: nothing is made twice.

const [input = "", output = "report.pdf"] = process.argv.slice(2);
const { BINDERY_URL: baseUrl = "http://localhost:3000", BINDERY_API_KEY: apiKey = "" } = process.env;
const payload: { school: { ref: string }; period: string } = JSON.parse(await readFile(input, "utf8"));

const client = openClient({ baseUrl, apiKey });
const { id, replayed } = await client.submit({
  idempotencyKey: `monthly-report ${payload.school.ref} ${payload.period}`,
  kind: "monthly-report",
  payload,
});
process.stdout.write(`${replayed ? "Accepted before" : "Accepted"}: ${id}\n`);

const { state, failure } = await client.waitFor(id);
if (state === "failed") throw new Error(failure?.message ?? "The report could not be made.");
const { bytes, digest } = await downloadFile(client, id, output);
process.stdout.write(`Saved ${output}: ${bytes} bytes, ${digest}\n`);
