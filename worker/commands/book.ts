import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "@/server/adapters/clock/system";
import { FAILURES, type FailureCode, PacketFailure } from "@/server/domain/failure";
import { dayIn } from "@/server/packets/check-payload";
import { readKind } from "@/server/packets/registry";
import { withRenderers } from "../local-renderers";
import { type Made, makePacket, RefusedSource } from "../make-packet";
import { readRendererBuild } from "../renderer-build";
import { sampleLetterhead } from "../sample-letterhead";

// npm run book -- --title T --out OUT.pdf FILE...: a board book from files on disk, by the stages a worker runs. A summary as JSON.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { title: { type: "string" }, out: { type: "string" }, watermark: { type: "string" } },
});
const { title, out, watermark } = values;
if (title === undefined || out === undefined || positionals.length === 0) {
  console.error("Usage: npm run book -- --title T --out OUT.pdf [--watermark W] FILE...");
  process.exit(2);
}
const names = positionals.map(
  (file) =>
    basename(file)
      .replace(/\.[a-z0-9]{1,5}$/i, "")
      .slice(0, 200) || "Untitled",
);

try {
  console.log(JSON.stringify(summary(await make(title, out))));
} catch (error) {
  const failure = failureOf(error);
  if (failure === null) throw error;
  console.log(JSON.stringify({ result: "failed", ...failure, message: FAILURES[failure.code].publicMessage }));
  process.exitCode = 1;
}

function make(meetingTitle: string, outputPath: string): Promise<Made> {
  const today = dayIn("UTC", systemClock.now());
  const sources = positionals.map((file, index) => ({
    sourceId: idOf(index),
    title: names[index] ?? "Untitled",
    path: resolve(file),
    isTable: false,
  }));
  return withRenderers(async (renderers, childPath) =>
    makePacket({
      kind: readKind("board-book"),
      payload: {
        meeting: { ref: "BOOK-1", title: meetingTitle, date: today, place: "As announced" },
        ...(watermark === undefined ? {} : { watermark }),
        sections: [
          {
            title: "Papers",
            sources: sources.map((source) => ({ source: source.sourceId, title: source.title, closed: false })),
          },
        ],
      },
      audience: "board",
      sources,
      today,
      letterhead: await sampleLetterhead(),
      outputPath: resolve(outputPath),
      renderers,
      clock: systemClock,
      rendererBuild: await readRendererBuild(childPath),
    }),
  );
}

function idOf(index: number): string {
  return `src_${index.toString(16).padStart(32, "0")}`;
}

/** Parts before a file's own: their position in the manifest is known only from it, so files are counted as they were given. */
function summary({ manifest, publication }: Made) {
  const { pages, bytes, digest, pageMap } = publication;
  let source = 0;
  const parts = manifest.parts.map((part, index) => {
    const entry = pageMap[index];
    const number = part.type === "file" ? ++source : null;
    return {
      source: number,
      position: part.position,
      title: part.title,
      from: entry?.from,
      to: entry?.to,
      disclosures: entry?.disclosures ?? [],
    };
  });
  return {
    result: "made",
    pages,
    bytes,
    digest,
    pageMap: parts.map(({ disclosures, ...part }) => part),
    disclosures: parts
      .filter((part) => part.disclosures.length > 0)
      .map(({ source: of, title: named, disclosures }) => ({ source: of, title: named, disclosures })),
  };
}

function failureOf(
  error: unknown,
): { code: FailureCode; source: number | null; title: string | null; page: number | null } | null {
  if (error instanceof RefusedSource) {
    return { code: error.code, source: error.source, title: names[error.source - 1] ?? null, page: error.page };
  }
  if (!(error instanceof PacketFailure)) return null;
  // Cover, contents and one divider stand before the first file.
  const source = error.position === undefined ? null : error.position - 3;
  return {
    code: error.code,
    source,
    title: source === null ? null : (names[source - 1] ?? null),
    page: error.page ?? null,
  };
}
