import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import type { AnswerOf, RequestOf } from "@/worker/renderer/requests";
import { drawAllPages } from "./drawn-pages";
import { gateFinished } from "./gate/gate-finished";

/** Returns the facts about a closed file, from our strict reader and from the second parser. It judges nothing. */
export async function readFinishedFile(
  request: RequestOf<"verify">,
  onProgress: () => void,
): Promise<AnswerOf<"verify">> {
  const digest = await digestOf(request.path);
  const bytes = await readFile(request.path);
  onProgress();
  const gate = await gateFinished(bytes, onProgress);
  const drawn = gate.isSafeToOpen ? await drawAllPages(bytes, onProgress) : NOTHING_DRAWN;
  const faults = [...gate.faults];
  if (gate.pages !== null && drawn.pages !== null && gate.pages !== drawn.pages) faults.push("parsers_disagree");
  return {
    bytes: bytes.length,
    digest,
    hasSignature: gate.hasSignature,
    endsProperly: gate.endsProperly,
    pages: drawn.pages,
    pagesRead: drawn.read,
    blankPages: [...drawn.blank],
    encrypted: gate.encrypted,
    title: gate.title,
    language: gate.language,
    hasIdentifier: gate.hasIdentifier,
    fontsNotEmbedded: [...gate.fontsNotEmbedded],
    activeContent: [...gate.activeContent],
    archivalClaim: gate.archivalClaim,
    faults: [...new Set(faults)],
  };
}

const NOTHING_DRAWN = { pages: null, read: 0, blank: [] };

/** Read from the closed file, not from memory that may differ from it. */
async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece);
  return `sha256:${hash.digest("hex")}`;
}
