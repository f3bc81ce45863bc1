import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "@/server/adapters/clock/system";
import { PacketFailure } from "@/server/domain/failure";
import type { PacketKind, Sample } from "@/server/packets/kind";
import { findKind, KINDS } from "@/server/packets/registry";
import { withRenderers } from "../local-renderers";
import { type LocalSource, makePacket } from "../make-packet";
import { readRendererBuild } from "../renderer-build";
import { sampleLetterhead } from "../sample-letterhead";

// npm run sample -- <kind> [--variant typical|largest] --out FILE

const USAGE = `Usage: npm run sample -- <kind> [--variant typical|largest] [--audience NAME] --out FILE
Kinds: ${KINDS.map((kind) => kind.name).join(", ")}`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { variant: { type: "string", default: "typical" }, audience: { type: "string" }, out: { type: "string" } },
});
const kind = findKind(positionals[0] ?? "");
const { variant, out, audience } = values;
if (kind === null || out === undefined || (variant !== "typical" && variant !== "largest")) {
  console.error(USAGE);
  process.exit(2);
}
try {
  const made = await makeSample(kind, kind.samples[variant], audience ?? kind.audiences[0], resolve(out));
  console.log(JSON.stringify({ kind: kind.name, variant, ...made }));
} catch (error) {
  if (!(error instanceof PacketFailure)) throw error;
  console.error(
    JSON.stringify({ code: error.code, position: error.position, findings: error.findings, detail: error.detail }),
  );
  process.exitCode = 1;
}

async function makeSample(of: PacketKind, sample: Sample<unknown>, wanted: string, outputPath: string) {
  const folder = await mkdtemp(join(tmpdir(), "bindery-"));
  try {
    const sources: LocalSource[] = [];
    for (const [index, file] of sample.files.entries()) {
      const path = join(folder, `source-${index}.bin`);
      await writeFile(path, await file.make(), { mode: 0o600 });
      sources.push({ sourceId: file.sourceId, title: file.title, path, isTable: file.mediaType === "text/csv" });
    }
    return await withRenderers(async (renderers, childPath) => {
      const { publication } = await makePacket({
        kind: of,
        payload: sample.payload,
        audience: wanted,
        sources,
        today: sample.today,
        letterhead: await sampleLetterhead(),
        outputPath,
        renderers,
        clock: systemClock,
        rendererBuild: await readRendererBuild(childPath),
      });
      const { pages, bytes, digest } = publication;
      return { pages, bytes, digest };
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
