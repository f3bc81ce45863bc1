import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { isFailureCode, policyOf } from "@/server/domain/failure";
import { difference, inkShare, rasterOf } from "./testing/raster";
import { Workshop } from "./testing/workshop";

const CORPUS = join(import.meta.dirname, "../../../shared/corpus");

const outcome = z.object({
  result: z.enum(["accept", "reject"]),
  pages: z.int().optional(),
  class: z.string().optional(),
});
const Row = z.object({ name: z.string(), kind: z.string(), expect: outcome, also_ok: z.array(outcome).optional() });

const CODES: Readonly<Record<string, readonly string[]>> = {
  encrypted: ["source_encrypted"],
  malformed: ["source_malformed"],
  "unsupported-type": ["source_unsupported_type"],
  empty: ["source_empty", "source_no_pages"],
  "too-large": ["source_too_large", "source_too_many_pages", "source_dimensions", "source_exhausts_limits"],
  "active-content": ["source_active_content", "source_unsupported_form"],
};

const rows = existsSync(CORPUS)
  ? readFileSync(join(CORPUS, "index.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => Row.parse(JSON.parse(line)))
  : [];

describe.skipIf(rows.length === 0)("real files that people put into board books", () => {
  let workshop: Workshop;
  beforeAll(async () => {
    workshop = await Workshop.open();
  });
  afterAll(() => workshop.close());

  it("all of them are there", () => {
    expect(rows).toHaveLength(104);
  });

  it.each(rows)("$name gets its verdict, and its clean copy is clean [C106,C112,C135,C136]", async (row) => {
    const bytes = readFileSync(join(CORPUS, row.name));
    const verdict = await workshop.inspect(bytes);
    const right = [row.expect, ...(row.also_ok ?? [])];
    if (verdict.result === "reject") {
      const allowed = right.flatMap((one) => (one.result === "reject" ? (CODES[one.class ?? ""] ?? []) : []));
      expect(allowed).toContain(verdict.code);
      expect(isFailureCode(verdict.code) && policyOf(verdict.code).disposition).toBe("permanent");
      await expect(workshop.prepare(bytes)).rejects.toThrow(verdict.code);
      return;
    }
    expect(right.flatMap((one) => (one.result === "accept" ? [one.pages] : []))).toContain(verdict.pages);
    const { bytes: clean, answer } = await workshop.prepare(bytes);
    expect(answer).toMatchObject({ pages: verdict.pages, disclosures: verdict.disclosures });
    const facts = await workshop.verify(clean);
    expect(facts).toMatchObject({ pages: verdict.pages, pagesRead: verdict.pages, encrypted: false });
    expect(facts.activeContent).toEqual([]);
    expect(facts.faults).toEqual([]);
    if (verdict.type !== "application/pdf") return;
    for (let page = 1; page <= Math.min(verdict.pages, 4); page += 1) {
      const after = await rasterOf(clean, page, 200);
      if (row.kind === "geometry" && page === 3) continue;
      const before = await rasterOf(bytes, page, 200);
      // Form fields are drawn only in the copy, so it may show more, never less.
      if (row.kind !== "acroform" && row.kind !== "active-content")
        expect(difference(before, after)).toBeLessThan(0.01);
      expect(inkShare(after)).toBeGreaterThanOrEqual(inkShare(before) * 0.8);
    }
  });
});
