import { z } from "zod";
import { CHECKS } from "@/server/domain/acceptance";
import { type Digest, parseDigest } from "@/server/domain/ids";

const digest = z.string().transform((value, ctx): Digest => {
  const parsed = parseDigest(value);
  if (parsed !== null) return parsed;
  ctx.addIssue({ code: "custom", message: "not a digest" });
  return z.NEVER;
});

/** Where each page of an assembled file came from. */
export const PageMap = z.array(
  z.object({
    position: z.int(),
    from: z.int(),
    to: z.int(),
    origin: z.enum(["template", "file"]),
    digest: digest.nullable(),
    disclosures: z.array(z.string()),
  }),
);

/** What `verify` left, as it stands in the database: read back from there, it is parsed like anything foreign. */
export const VerifyEvidence = z.object({
  rendererBuild: z.string().optional(),
  publication: z.object({
    digest,
    bytes: z.int(),
    pages: z.int(),
    pageMap: PageMap,
    checks: z.array(z.object({ name: z.enum(CHECKS), passed: z.boolean(), found: z.string() })),
    archivalLevel: z.string().nullable(),
  }),
});

/**
 * What a stage says of the files it left: which build made them, under which letterhead, each file's bytes and digest by its index, and the
 * stage's own facts.
 */
export const StagedEvidence = z.object({
  pages: z.int().optional(),
  bytes: z.int().optional(),
  staged: z.object({
    rendererBuild: z.string(),
    surroundings: digest,
    files: z.array(z.object({ bytes: z.int().min(0), digest })).min(1),
    facts: z.unknown(),
  }),
});
