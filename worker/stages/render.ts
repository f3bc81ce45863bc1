import { writeFile } from "node:fs/promises";
import type { TemplatePart } from "@/server/domain/manifest";
import type { PartLayout } from "@/server/packets/kind";
import { askSetting } from "../ask-setting";
import { keptChunks } from "../kept-chunks";
import type { Pulse, Tools } from "../tools";
import type { Work } from "../work";
import { passed, type Stage } from "./stage";

/** A contents page can push its own entries down; it settles at once or after one more round. */
const LAYOUT_ROUNDS_MAX = 3;

/** Template parts to pages, under the lane's deadline. Parts that print page numbers are drawn again once the layout is known. [C234,C245,C249] */
export const render: Stage = {
  name: "render",
  output: keptChunks,
  run: async (work, tools, pulse) => {
    const inputPath = work.workspace.path("input.json");
    await writeFile(inputPath, JSON.stringify({ payload: work.payload, manifest: work.manifest }), { mode: 0o600 });
    const logoPath = await writeLogo(work);
    const parts = work.manifest.parts.filter((part) => part.type === "template");
    let layout: PartLayout[] = [];
    let pages = 0;
    for (let round = 1; round <= LAYOUT_ROUNDS_MAX; round += 1) {
      const stale = round === 1 ? parts : parts.filter((part) => work.kind.layoutDocuments.includes(part.document));
      for (const part of stale) {
        await renderPart({ work, part, layout, round, inputPath, logoPath, tools, pulse });
      }
      const next = layoutOf(work);
      pages = next.reduce((sum, entry) => sum + entry.pages, 0);
      if (JSON.stringify(next) === JSON.stringify(layout) || work.kind.layoutDocuments.length === 0) break;
      layout = next;
    }
    return passed({ parts: parts.length, pages });
  },
};

interface Rendering {
  readonly work: Work;
  readonly part: TemplatePart;
  readonly layout: readonly PartLayout[];
  readonly round: number;
  readonly inputPath: string;
  readonly logoPath: string | null;
  readonly tools: Tools;
  readonly pulse: Pulse;
}

async function renderPart({ work, part, layout, round, inputPath, logoPath, tools, pulse }: Rendering): Promise<void> {
  const outputDirectory = await work.workspace.directory(`part-${part.position}-${round}`);
  const answer = await tools.renderers.ask(
    "render",
    {
      op: "render",
      kind: work.kind.name,
      fidelity: work.fidelity,
      language: work.kind.language,
      createdAt: work.revision.createdAt.toISOString(),
      revision: {
        number: work.revision.number,
        shortId: work.revision.shortId,
        preparedOn: work.revision.preparedOn,
      },
      inputPath,
      tables: Object.fromEntries(work.products.tables),
      position: part.position,
      layout: [...layout],
      letterhead: {
        tenantName: work.letterhead.tenantName,
        accent: work.letterhead.accent,
        logoPath,
        paper: work.letterhead.paper,
      },
      outputDirectory,
      pagesMax: work.pagesMax,
    },
    askSetting(work, pulse),
  );
  work.products.chunks.set(part.position, answer.chunks);
}

async function writeLogo(work: Work): Promise<string | null> {
  if (work.letterhead.logo === null) return null;
  const path = work.workspace.path("logo.png");
  await writeFile(path, work.letterhead.logo, { mode: 0o600 });
  return path;
}

function layoutOf(work: Work): PartLayout[] {
  let firstPage = 1;
  return work.manifest.parts.map((part) => {
    const chunks = work.products.chunks.get(part.position) ?? [];
    const pages = part.type === "file" ? part.pages : chunks.reduce((sum, chunk) => sum + chunk.pages, 0);
    const entry = { position: part.position, firstPage, pages };
    firstPage += pages;
    return entry;
  });
}
