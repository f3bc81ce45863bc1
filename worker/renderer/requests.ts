import { z } from "zod";

/** Files go by path, facts by message. Both sides parse what they receive. */
const path = z.string().min(1);
const colour = z.string().regex(/^#[0-9a-f]{6}$/i);

const letterhead = z.object({
  tenantName: z.string(),
  accent: colour,
  /** Path of a PNG that we encoded ourselves, or null. */
  logoPath: path.nullable(),
  paper: z.enum(["A4", "LETTER"]),
});

const layout = z.array(z.object({ position: z.int(), firstPage: z.int(), pages: z.int() }));

/** A run of pages of one file: `pages` of them from page `from` (from 1). */
const chunk = z.object({ path, from: z.int().min(1), pages: z.int().min(1) });
export type Chunk = z.infer<typeof chunk>;

/** Render pool: one template part to PDF chunks in `outputDirectory`. */
export const RenderRequest = z.object({
  op: z.literal("render"),
  kind: z.string(),
  fidelity: z.enum(["preview", "archival"]),
  language: z.string(),
  /** ISO instant of the revision: the only date in the bytes. */
  createdAt: z.string(),
  revision: z.object({ number: z.int(), shortId: z.string(), preparedOn: z.string() }),
  /** JSON file: `{ payload, manifest }`. */
  inputPath: path,
  /** Table name to a file of JSON lines, one row each. */
  tables: z.record(z.string(), path),
  position: z.int(),
  layout,
  letterhead,
  outputDirectory: path,
  /** Stop after this many pages (previews). */
  pagesMax: z.int().nullable(),
});
export const RenderAnswer = z.object({ chunks: z.array(chunk), pages: z.int() });

/** Parse pool: what a foreign file is, and whether it may be used. Never throws for the file's sake. */
export const InspectRequest = z.object({
  op: z.literal("inspect"),
  path,
  limits: z.object({ bytesMax: z.int(), pagesMax: z.int(), pixelsMax: z.int() }),
  strict: z.boolean(),
});
export const DISCLOSURES = [
  "active_content_removed",
  "attachments_removed",
  "signature_flattened",
  "form_flattened",
  "decrypted",
  "hidden_annotations_removed",
  "repaired",
  "image_only",
  "untagged",
  "colour_converted",
] as const;
export type Disclosure = (typeof DISCLOSURES)[number];
export const InspectAnswer = z.discriminatedUnion("result", [
  z.object({
    result: z.literal("accept"),
    type: z.enum(["application/pdf", "image/png", "image/jpeg"]),
    pages: z.int(),
    /** Visible width and height of each page in points, rotation applied; at most the first 500. */
    sizes: z.array(z.tuple([z.number(), z.number()])),
    disclosures: z.array(z.enum(DISCLOSURES)),
  }),
  z.object({ result: z.literal("reject"), code: z.string(), page: z.int().optional() }),
]);
export type InspectAnswer = z.infer<typeof InspectAnswer>;

/** Parse pool: a foreign file as clean pages: decrypted, upright, without active content, forms flattened. Rejects like `inspect`. */
export const PrepareRequest = z.object({
  op: z.literal("prepare"),
  path,
  outputPath: path,
  limits: InspectRequest.shape.limits,
  strict: z.boolean(),
  /** Downsample pictures and keep only the first pages (previews). */
  reduced: z.boolean(),
  paper: z.enum(["A4", "LETTER"]),
});
export const PrepareAnswer = InspectAnswer;

/** Parse pool: a CSV file against the row schema of a kind's table, written as JSON lines. */
export const InspectTableRequest = z.object({
  op: z.literal("inspect-table"),
  path,
  kind: z.string(),
  table: z.string(),
  outputPath: path,
});
export const InspectTableAnswer = z.discriminatedUnion("result", [
  z.object({ result: z.literal("accept"), rows: z.int(), bytes: z.int(), digest: z.string() }),
  z.object({
    result: z.literal("reject"),
    code: z.string(),
    /** At most 200; `row` is the line as a spreadsheet numbers it. */
    findings: z.array(z.object({ row: z.int(), column: z.string(), code: z.string(), message: z.string() })),
  }),
]);

/** Parse pool: the stamp that `assemble` lays over every page, as a one-page PDF with a transparent ground. */
export const StampRequest = z.object({ op: z.literal("stamp"), text: z.string(), outputPath: path });
export const StampAnswer = z.object({ bytes: z.int() });

/** Parse pool: parts in order to one file: links resolved, outline, page labels, numbers, stamp, metadata, one save. */
export const AssembleRequest = z.object({
  op: z.literal("assemble"),
  parts: z.array(
    z.object({
      position: z.int(),
      origin: z.enum(["template", "file"]),
      title: z.string(),
      /** Outline entry; null for none. Level 2 stands under the nearest level 1 before it. */
      outline: z.object({ title: z.string(), level: z.union([z.literal(1), z.literal(2)]) }).nullable(),
      chunks: z.array(chunk).min(1),
    }),
  ),
  stampPath: path.nullable(),
  /** Words printed on every page of a preview; null for the record. */
  previewMark: z.string().nullable(),
  pageNumbers: z.object({ style: z.enum(["page-x-of-y", "x-of-y"]), from: z.int().min(1) }),
  document: z.object({
    title: z.string(),
    author: z.string(),
    language: z.string(),
    createdAt: z.string(),
    /** 32 hex digits fixed by the revision, so that nobody can guess the digest of a document. */
    nonce: z.string().regex(/^[0-9a-f]{32}$/),
    /** PDF/A level to claim; null where foreign pages make the claim unsafe. */
    claim: z.enum(["2u"]).nullable(),
  }),
  outputPath: path,
  bytesMax: z.int(),
});
export const AssembleAnswer = z.object({
  pages: z.int(),
  bytes: z.int(),
  pageMap: z.array(z.object({ position: z.int(), from: z.int(), to: z.int() })),
});

/** Parse pool: facts about a closed file, read by a parser that did not write it. Rules over them are `domain/acceptance`. */
export const VerifyRequest = z.object({ op: z.literal("verify"), path });
export const VerifyAnswer = z.object({
  bytes: z.int(),
  digest: z.string(),
  hasSignature: z.boolean(),
  endsProperly: z.boolean(),
  /** Null where the file could not be opened at all. */
  pages: z.int().nullable(),
  /** Pages that loaded and could be drawn. */
  pagesRead: z.int(),
  /** Pages with neither text nor any drawing. */
  blankPages: z.array(z.int()),
  encrypted: z.boolean(),
  title: z.string().nullable(),
  language: z.string().nullable(),
  hasIdentifier: z.boolean(),
  fontsNotEmbedded: z.array(z.string()),
  /** Names of active keys found: JavaScript, Launch, EmbeddedFiles and their kin. */
  activeContent: z.array(z.string()),
  archivalClaim: z.string().nullable(),
  /** Structural faults found by our strict reader, as codes. */
  faults: z.array(z.string()),
});
export type VerifyAnswer = z.infer<typeof VerifyAnswer>;

/** What can be asked of a child, with what it answers. */
export const REQUESTS = {
  render: { request: RenderRequest, answer: RenderAnswer, pool: "render" },
  inspect: { request: InspectRequest, answer: InspectAnswer, pool: "parse" },
  prepare: { request: PrepareRequest, answer: PrepareAnswer, pool: "parse" },
  "inspect-table": { request: InspectTableRequest, answer: InspectTableAnswer, pool: "parse" },
  stamp: { request: StampRequest, answer: StampAnswer, pool: "parse" },
  assemble: { request: AssembleRequest, answer: AssembleAnswer, pool: "parse" },
  verify: { request: VerifyRequest, answer: VerifyAnswer, pool: "parse" },
} as const;
export type Operation = keyof typeof REQUESTS;
export type RequestOf<Op extends Operation> = z.infer<(typeof REQUESTS)[Op]["request"]>;
export type AnswerOf<Op extends Operation> = z.infer<(typeof REQUESTS)[Op]["answer"]>;

/** What a child sends back: progress as often as something is done, then exactly one answer or failure. */
export const Frame = z.discriminatedUnion("frame", [
  z.object({ frame: z.literal("ready") }),
  z.object({ frame: z.literal("progress"), id: z.int() }),
  z.object({ frame: z.literal("answer"), id: z.int(), answer: z.unknown() }),
  z.object({
    frame: z.literal("failure"),
    id: z.int(),
    code: z.string(),
    detail: z.string().optional(),
    position: z.int().optional(),
    page: z.int().optional(),
    findings: z
      .array(z.object({ path: z.array(z.union([z.string(), z.number()])), code: z.string(), message: z.string() }))
      .optional(),
  }),
]);
export type Frame = z.infer<typeof Frame>;
