import { PacketFailure } from "@/server/domain/failure";
import type { Manifest, Part } from "@/server/domain/manifest";
import type { SourceFacts } from "../kind";
import type { BoardBook } from "./schema";

/**
 * Returns the book in order: cover, contents, then each section's divider and files. A public copy knows nothing of closed files:
 * they and the sections that held nothing else are not in the list at all. Throws `manifest_empty` where nothing is left.
 */
export function bookManifest(payload: BoardBook, audience: string, facts: (sourceId: string) => SourceFacts): Manifest {
  const sections = payload.sections
    .map((section) => ({
      ...section,
      sources: section.sources.filter((entry) => audience === "board" || !entry.closed),
    }))
    .filter((section) => section.sources.length > 0);
  if (sections.length === 0) throw new PacketFailure("manifest_empty");

  const parts: Part[] = [
    template(1, "cover", "Cover", { audience: audience === "board" ? "Board copy" : "Public copy" }),
    { ...template(2, "contents", "Contents", {}), outline: "Contents" },
  ];
  for (const [index, section] of sections.entries()) {
    const params = { section: section.title, number: index + 1 };
    parts.push({ ...template(parts.length + 1, "divider", section.title, params), outline: section.title });
    for (const entry of section.sources) {
      const { sourceId, digest, mediaType, pages, bytes } = facts(entry.source);
      const position = parts.length + 1;
      parts.push({
        type: "file",
        position,
        sourceId,
        digest,
        mediaType,
        pages,
        bytes,
        title: entry.title,
        section: section.title,
      });
    }
  }
  return { parts, tables: [] };
}

function template(position: number, document: string, title: string, params: Record<string, string | number>) {
  return { type: "template" as const, position, document, title, params };
}
