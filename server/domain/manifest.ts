import { z } from "zod";
import { PacketFailure } from "./failure";
import type { Digest, SourceId } from "./ids";
import { canonicalDigest } from "./request";

const position = z.int().min(1).max(2_000);
const title = z.string().min(1).max(300);

/** A page or more that a template of the kind draws. `document` names the template; `params` fill it beside the payload. */
const templatePart = z.strictObject({
  type: z.literal("template"),
  position,
  document: z.string().min(1).max(60),
  title,
  /** Words for the outline; absent where the part has no entry of its own. */
  outline: z.string().min(1).max(300).optional(),
  params: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
});

/** Somebody's file, as it was inspected. Named by id and digest, never by a path or an address. [C25] */
const filePart = z.strictObject({
  type: z.literal("file"),
  position,
  sourceId: z.string().transform((value) => value as SourceId),
  digest: z.string().transform((value) => value as Digest),
  mediaType: z.string().min(1).max(100),
  pages: z.int().min(1),
  bytes: z.int().min(1),
  title,
  /** The heading this file stands under, for the contents page and the outline. */
  section: z.string().min(1).max(300).optional(),
});

/** Rows that a template part reads (a CSV file, inspected and normalised). It adds no page of its own. */
const tablePart = z.strictObject({
  type: z.literal("table"),
  /** The name under which the kind's templates ask for it. */
  table: z.string().min(1).max(60),
  sourceId: z.string().transform((value) => value as SourceId),
  digest: z.string().transform((value) => value as Digest),
  rows: z.int().min(0),
  bytes: z.int().min(0),
});

export const Part = z.discriminatedUnion("type", [templatePart, filePart]);
export type Part = z.infer<typeof Part>;
export type TemplatePart = z.infer<typeof templatePart>;
export type FilePart = z.infer<typeof filePart>;
export type TableInput = z.infer<typeof tablePart>;

/** The immutable, ordered list of what goes into a packet. Position is data, never an accident. [C15,C16,C19,C240] */
export const Manifest = z.strictObject({
  parts: z.array(Part).max(2_000),
  tables: z.array(tablePart).max(8).default([]),
});
export type Manifest = z.infer<typeof Manifest>;

/**
 * Returns the manifest with its parts in position order.
 * Throws `manifest_empty` where there is none, `duplicate_positions` where two share one. [C100,C101]
 */
export function orderManifest(manifest: Manifest): Manifest {
  if (manifest.parts.length === 0) throw new PacketFailure("manifest_empty");
  const parts = [...manifest.parts].sort((a, b) => a.position - b.position);
  const seen = new Set(parts.map((part) => part.position));
  if (seen.size !== parts.length) throw new PacketFailure("duplicate_positions");
  return { ...manifest, parts };
}

/** Returns the digest of the ordered manifest: white space and key order do not change it, the order of parts does. [C20,C23,C24] */
export function manifestDigest(manifest: Manifest): Digest {
  return canonicalDigest(orderManifest(manifest));
}
