import { describe, expect, it } from "vitest";
import { type AcceptanceRules, acceptance, type FinishedFile, isAccepted } from "./acceptance";
import { digestOf } from "./ids";

const good: FinishedFile = {
  bytes: 10_000,
  digest: digestOf("x"),
  hasSignature: true,
  endsProperly: true,
  pages: 4,
  pagesRead: 4,
  encrypted: false,
  title: "Monthly report",
  language: "en",
  hasIdentifier: true,
  fontsNotEmbedded: [],
  activeContent: [],
  archivalClaim: "PDF/A-2u",
  faults: [],
};
const rules: AcceptanceRules = {
  pagesExpected: 4,
  pagesMin: 1,
  pagesMax: 40,
  bytesMax: 1_000_000,
  title: "Monthly report",
  language: "en",
  hasForeignPages: false,
};
const failing = (file: Partial<FinishedFile>, change: Partial<AcceptanceRules> = {}) =>
  acceptance({ ...good, ...file }, { ...rules, ...change })
    .filter((check) => !check.passed)
    .map((check) => check.name);

describe("acceptance", () => {
  it("lets a sound file through, and says what was checked", () => {
    const checks = acceptance(good, rules);
    expect(isAccepted(checks)).toBe(true);
    expect(checks).toHaveLength(9);
  });

  it("refuses an empty file, one without the PDF signature, and one that is cut short [C265,C266,C283,C286]", () => {
    expect(failing({ bytes: 0 })).toContain("signature");
    expect(failing({ hasSignature: false })).toContain("signature");
    expect(failing({ endsProperly: false })).toContain("signature");
  });

  it("refuses structural faults and pages that cannot be read [C269,C284,C287]", () => {
    expect(failing({ faults: ["xref_offset"] })).toEqual(["structure"]);
    expect(failing({ pagesRead: 3 })).toEqual(["every_page_readable"]);
    expect(failing({ pages: null, pagesRead: 0 })).toContain("every_page_readable");
  });

  it("refuses another page count than the manifest and the kind's rules say [C242,C267]", () => {
    expect(failing({ pages: 3, pagesRead: 3 })).toEqual(["page_count"]);
    expect(failing({ pages: 5, pagesRead: 5 })).toEqual(["page_count"]);
    expect(failing({}, { pagesMax: 3 })).toEqual(["page_count"]);
  });

  it("refuses missing or other metadata [C268]", () => {
    expect(failing({ title: null })).toEqual(["metadata"]);
    expect(failing({ language: "de" })).toEqual(["metadata"]);
    expect(failing({ hasIdentifier: false })).toEqual(["metadata"]);
  });

  it("refuses active content, encryption and fonts of ours that are not embedded [C112]", () => {
    expect(failing({ activeContent: ["JavaScript"] })).toEqual(["no_active_content"]);
    expect(failing({ encrypted: true })).toEqual(["not_encrypted"]);
    expect(failing({ fontsNotEmbedded: ["Helvetica"] })).toEqual(["fonts_embedded"]);
    expect(failing({ fontsNotEmbedded: ["Helvetica"] }, { hasForeignPages: true })).toEqual([]);
  });

  it("refuses a file over the size limit", () => {
    expect(failing({ bytes: 2_000_000 })).toEqual(["size"]);
  });

  it("never counts a missing check as passed", () => {
    expect(isAccepted([])).toBe(false);
    expect(isAccepted(acceptance(good, rules).slice(1))).toBe(false);
  });
});
