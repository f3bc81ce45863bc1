import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FAILURES } from "@/server/domain/failure";
import { JOB_STATES, STAGE_NAMES } from "@/server/domain/job";
import { LANES } from "@/server/domain/lane";
import { KINDS } from "@/server/packets/registry";

const words = new Set(
  [...readFileSync("docs/glossary.md", "utf8").matchAll(/`([a-z][a-z_-]*)`/g)].map((match) => match[1]),
);
const missing = (names: readonly string[]) => names.filter((name) => !words.has(name));

describe("the glossary", () => {
  it("has every state, stage, lane, kind and failure code", () => {
    expect(missing(JOB_STATES)).toEqual([]);
    expect(missing(STAGE_NAMES)).toEqual([]);
    expect(missing(LANES)).toEqual([]);
    expect(missing(KINDS.map((kind) => kind.name))).toEqual([]);
    expect(missing(Object.keys(FAILURES))).toEqual([]);
  });
});
