import { PacketFailure, refusalCode } from "@/server/domain/failure";
import { sourceKey } from "@/server/domain/ids";
import type { FilePart, TableInput } from "@/server/domain/manifest";
import { askSetting } from "../ask-setting";
import { keptSources } from "../kept-sources";
import { SOURCE_LIMITS } from "../source-limits";
import type { Pulse, Tools } from "../tools";
import { filePartsOf, type Work } from "../work";
import { copyChecked } from "./copy-checked";
import { passed, SKIPPED, type Stage } from "./stage";

/** Downloads and parses at once per packet, whatever its length. [C150,C151] */
const AT_ONCE = 2;

/**
 * Sources to server-named files: bounded while reading, digest checked, made into clean pages by a renderer process. Nothing goes on
 * until every source has passed. [C99,C107,C137,C214,C215,C220,C272]
 */
export const fetch: Stage = {
  name: "fetch",
  output: keptSources,
  run: async (work, tools, pulse) => {
    const files = filePartsOf(work);
    if (files.length === 0 && work.manifest.tables.length === 0) return SKIPPED;
    for (const table of work.manifest.tables) {
      work.products.tables.set(table.table, await fetchTable(work, table, tools, pulse));
    }
    const wanted = work.fidelity === "preview" ? files.slice(0, PREVIEW_FILES_MAX) : files;
    const waiting = [...wanted];
    const lane = async (): Promise<void> => {
      for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
        await fetchFile(work, part, tools, pulse).finally(() => {
          // One file that cannot be used spares us the others.
          if (!work.products.files.has(part.position)) waiting.length = 0;
        });
      }
    };
    // Whatever one of them met, the others end before the directory goes.
    for (const ended of await Promise.allSettled(Array.from({ length: AT_ONCE }, lane))) {
      if (ended.status === "rejected") throw ended.reason;
    }
    const bytes = wanted.reduce((sum, part) => sum + part.bytes, 0);
    const pages = [...work.products.files.values()].reduce((sum, file) => sum + file.pages, 0);
    return passed({ files: wanted.length, tables: work.manifest.tables.length, bytes, pages });
  },
};

/** A preview shows the first files; the record shows all of them. */
const PREVIEW_FILES_MAX = 4;

async function fetchFile(work: Work, part: FilePart, tools: Tools, pulse: Pulse): Promise<void> {
  const { position } = part;
  const received = work.workspace.path(`source-${position}.bin`);
  const prepared = work.workspace.path(`source-${position}.pdf`);
  try {
    await copyChecked(
      tools.sources,
      sourceKey(part.sourceId, "bytes"),
      received,
      part.digest,
      tools.sourceBytesMax,
      pulse,
    );
    const answer = await tools.renderers.ask(
      "prepare",
      {
        op: "prepare",
        path: received,
        outputPath: prepared,
        limits: { ...SOURCE_LIMITS, bytesMax: tools.sourceBytesMax },
        strict: work.strictSources,
        reduced: work.fidelity === "preview",
        paper: work.letterhead.paper,
      },
      askSetting(work, pulse),
    );
    if (answer.result === "reject") {
      throw new PacketFailure(refusalCode(answer.code), answer.page === undefined ? {} : { page: answer.page });
    }
    if (work.fidelity === "archival" && answer.pages !== part.pages) throw new PacketFailure("source_malformed");
    work.products.files.set(position, { path: prepared, pages: answer.pages, disclosures: answer.disclosures });
  } catch (error) {
    throw atPosition(error, position);
  }
}

async function fetchTable(work: Work, table: TableInput, tools: Tools, pulse: Pulse): Promise<string> {
  const path = work.workspace.path(`table-${table.table}.jsonl`);
  await copyChecked(
    tools.sources,
    sourceKey(table.sourceId, "rows"),
    path,
    table.digest,
    tools.sourceBytesMax * 4,
    pulse,
  );
  return path;
}

function atPosition(error: unknown, position: number): unknown {
  if (!(error instanceof PacketFailure) || error.position !== undefined) return error;
  return new PacketFailure(error.code, {
    position,
    cause: error,
    ...(error.page === undefined ? {} : { page: error.page }),
  });
}
