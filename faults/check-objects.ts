import { createHash } from "node:crypto";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ArtifactKey } from "@/server/domain/ids";
import { withPdfium } from "@/worker/pdf/pdfium";
import { widthsIn } from "@/worker/test-packets";
import { exitCodeOf } from "./exit-code";
import { WIDTHS } from "./packets";
import type { ProcessScene } from "./process-scene";

interface ArtifactRow {
  readonly job_id: string;
  readonly revision_id: string;
  readonly audience: string;
  readonly archive_key: ArtifactKey;
  readonly digest: string;
  readonly bytes: string;
  readonly pages: number;
  readonly page_map: readonly { readonly position: number; readonly from: number; readonly to: number }[];
}

const KEY = /^[0-9a-f]{64}$/;
/** qpdf says 3 where it has warnings only. */
const REFUSED = 2;

/** Every artifact is there once, whole, in order, and two parsers of others agree; nothing else lies in the archive. [C463,C464] */
export async function checkObjects(scene: ProcessScene, seen: Set<string>): Promise<void> {
  const { run, host, acknowledged, sql } = scene;
  const rows = await sql<ArtifactRow>(
    "SELECT job_id, revision_id, audience, archive_key, digest, bytes, pages, page_map FROM artifacts WHERE erased_at IS NULL",
  );
  const manifests = new Set<string>();
  for (const { job_id, revision_id, audience } of rows) {
    const manifest = `${revision_id} ${audience}`;
    if (manifests.has(manifest)) run.violation("duplicated", `${job_id}: a second artifact of its manifest`);
    manifests.add(manifest);
  }
  const completed = await sql<{ id: string }>(
    "SELECT id FROM jobs WHERE state IN ('published', 'completed') AND fidelity = 'archival'",
  );
  const recorded = new Set(rows.map(({ job_id }) => job_id));
  for (const { id } of completed) if (!recorded.has(id)) run.violation("lost", `${id}: succeeded without an artifact`);

  const places = await readdir(join(host.root, "archive"), { recursive: true }).catch(() => []);
  const objects = places.map((place) => place.split("/").at(-1) ?? "").filter((name) => KEY.test(name));
  const known = new Set<string>(rows.map((row) => row.archive_key));
  // A job that was given up right after its commit leaves bytes that its next attempt, after a redrive, finds again.
  const [given] = await sql<{ count: string }>("SELECT count(*) FROM jobs WHERE state = 'dead_letter'");
  const unknown = objects.filter((name) => !known.has(name));
  if (unknown.length > Number(given?.count)) run.violation("unexpected", `${unknown.length} objects without a record`);

  const widths = new Map(acknowledged.map((answer) => [String(answer.jobId), answer.widths]));
  for (const row of rows.filter((candidate) => !seen.has(candidate.archive_key))) {
    await checkArtifact(scene, row, widths.get(row.job_id) ?? []);
    seen.add(row.archive_key);
  }
}

async function checkArtifact({ run, host }: ProcessScene, row: ArtifactRow, widths: readonly number[]): Promise<void> {
  const wrong = (what: string) => run.violation("corrupt", `${row.job_id}: ${what}`);
  const bytes = await host.stores.archive
    .open(row.archive_key)
    .then((stream) => new Response(stream).arrayBuffer())
    .then((buffer) => Buffer.from(buffer))
    .catch(() => null);
  if (bytes === null) return wrong("its bytes cannot be read");
  if (`sha256:${createHash("sha256").update(bytes).digest("hex")}` !== row.digest)
    return wrong("another digest than on record");
  if (bytes.length !== Number(row.bytes)) wrong("another length than on record");
  const seenPages = await withPdfium(bytes, (document) => document.getPageCount()).catch(() => -1);
  if (seenPages !== row.pages) wrong(`${seenPages} pages instead of ${row.pages}`);
  if (await isRefusedByQpdf(join(run.directory, "judged.pdf"), bytes)) wrong("another parser refuses it");

  const all = await widthsIn(bytes);
  const foreign = all.filter((width) => WIDTHS.some((known) => known === width));
  if (widths.length > 0 && foreign.join() !== widths.join()) {
    run.violation("misordered", `${row.job_id}: its sources came as ${foreign.join()}`);
  }
  let next = 1;
  let position = Number.NEGATIVE_INFINITY;
  for (const entry of row.page_map) {
    if (entry.from !== next || entry.to < entry.from || entry.position < position) {
      return run.violation("misordered", `${row.job_id}: its page map has a gap or goes back`);
    }
    next = entry.to + 1;
    position = entry.position;
  }
  if (next !== row.pages + 1) run.violation("misordered", `${row.job_id}: its page map ends at ${next - 1}`);
}

let hasQpdf: Promise<boolean> | undefined;

/** False too where there is no qpdf: then PDFium alone is the other parser. */
async function isRefusedByQpdf(path: string, bytes: Uint8Array): Promise<boolean> {
  hasQpdf ??= exitCodeOf("qpdf", ["--version"]).then((code) => code === 0);
  if (!(await hasQpdf)) return false;
  await writeFile(path, bytes, { mode: 0o600 });
  try {
    return (await exitCodeOf("qpdf", ["--check", path])) === REFUSED;
  } finally {
    await rm(path, { force: true });
  }
}
