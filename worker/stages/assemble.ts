import { z } from "zod";
import { isComplete, type PageMapEntry } from "@/server/domain/artifact";
import { PacketFailure } from "@/server/domain/failure";
import type { Part } from "@/server/domain/manifest";
import { askSetting } from "../ask-setting";
import { PageMap } from "../evidence";
import { PREVIEW_MARK } from "../preview-limits";
import type { Chunk, RequestOf } from "../renderer/requests";
import type { Work } from "../work";
import { passed, pathOf, type Stage } from "./stage";

/** The assembled file, and where its pages came from. */
const Facts = z.object({ pages: z.int().min(1), pageMap: PageMap });

type AssemblyPart = RequestOf<"assemble">["parts"][number];

/** Parts to one file in manifest order, whatever order they were finished in. Pages out are pages in. [C240,C241,C242] */
export const assemble: Stage = {
  name: "assemble",
  output: {
    keep: ({ assembled }) => {
      if (assembled === null) return { paths: [], facts: {} };
      const { path, pages, pageMap } = assembled;
      return { paths: [path], facts: { pages, pageMap: pageMap.map((entry) => ({ ...entry })) } };
    },
    restore: (products, facts, paths) => {
      products.assembled = { path: pathOf(paths, 0), ...Facts.parse(facts) };
    },
  },
  run: async (work, tools, pulse) => {
    const outputPath = work.workspace.path("packet.pdf");
    const hasForeignPages = work.manifest.parts.some((part) => part.type === "file");
    const answer = await tools.renderers.ask(
      "assemble",
      {
        op: "assemble",
        parts: assemblyParts(work),
        stampPath: work.products.stampPath,
        previewMark: work.fidelity === "preview" ? PREVIEW_MARK : null,
        pageNumbers: work.kind.pageNumbers,
        document: {
          title: work.title,
          author: work.letterhead.tenantName,
          language: work.kind.language,
          createdAt: work.revision.createdAt.toISOString(),
          nonce: work.revision.nonce,
          claim: work.fidelity === "archival" && !hasForeignPages ? "2u" : null,
        },
        outputPath,
        bytesMax: tools.packetBytesMax,
      },
      askSetting(work, pulse),
    );
    const pageMap = describePages(work, answer.pageMap);
    if (work.fidelity === "archival" && !isComplete(pageMap, work.manifest, answer.pages)) {
      throw new PacketFailure("acceptance_failed", { detail: "the page map is not the manifest" });
    }
    work.products.assembled = { path: outputPath, pages: answer.pages, pageMap };
    return passed({ pages: answer.pages, bytes: answer.bytes });
  },
};

function assemblyParts(work: Work): AssemblyPart[] {
  const parts = work.manifest.parts.flatMap((part): AssemblyPart[] => {
    const chunks = chunksOf(work, part);
    if (chunks.length === 0) return [];
    return [
      { position: part.position, origin: part.type, title: part.title, outline: outlineOf(part), chunks: [...chunks] },
    ];
  });
  return work.pagesMax === null ? parts : firstPages(parts, work.pagesMax);
}

function chunksOf(work: Work, part: Part): readonly Chunk[] {
  if (part.type === "template") return work.products.chunks.get(part.position) ?? [];
  const file = work.products.files.get(part.position);
  if (file === undefined) {
    if (work.fidelity === "preview") return [];
    throw new PacketFailure("source_missing", { position: part.position });
  }
  return [{ path: file.path, from: 1, pages: file.pages }];
}

function outlineOf(part: Part): AssemblyPart["outline"] {
  if (part.type === "template") return part.outline === undefined ? null : { title: part.outline, level: 1 };
  return { title: part.title, level: part.section === undefined ? 1 : 2 };
}

function firstPages(parts: readonly AssemblyPart[], pagesMax: number): AssemblyPart[] {
  let room = pagesMax;
  return parts.flatMap((part) => {
    const chunks = part.chunks.flatMap((chunk) => {
      const pages = Math.min(chunk.pages, room);
      room -= pages;
      return pages === 0 ? [] : [{ ...chunk, pages }];
    });
    return chunks.length === 0 ? [] : [{ ...part, chunks }];
  });
}

function describePages(work: Work, pageMap: readonly { position: number; from: number; to: number }[]): PageMapEntry[] {
  return pageMap.map((entry) => {
    const part = work.manifest.parts.find((candidate) => candidate.position === entry.position);
    return {
      ...entry,
      origin: part?.type ?? "template",
      digest: part?.type === "file" ? part.digest : null,
      disclosures: work.products.files.get(entry.position)?.disclosures ?? [],
    };
  });
}
